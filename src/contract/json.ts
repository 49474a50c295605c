/** The only module for parsing and writing JSON. It never rounds a number but in `roughJson`, and no error quotes its input. */
export { withoutComments } from "./json/comments.ts";
export { createScale } from "./json/held-bytes.ts";
export { parseJson, parseJsonOr, parseRoundedJson, tryParseJson } from "./json/parse.ts";
export { positionsIn } from "./json/positions.ts";
export { JsonSyntaxError, type TextPosition } from "./json/syntax-error.ts";
export {
  copyJsonObject,
  isJsonInteger,
  isJsonObject,
  isRoundedNumber,
  type JsonArray,
  type JsonInteger,
  type JsonObject,
  type JsonValue,
  jsonAsReceived,
  jsonInteger,
  jsonKeys,
  jsonLeavesIn,
  jsonMemberPaths,
  jsonNamesSetAside,
  jsonPathsOverlap,
  jsonValueAt,
  listIn,
  mergeJsonPatch,
  NumberLiteral,
  newJsonObject,
  objectIn,
  objectsIn,
  setJsonAside,
  textIn,
  withJsonField,
  withJsonLeaves,
  withLastJsonMember,
} from "./json/values.ts";
export { isCompactJson, prettyJson, writeJson } from "./json/write.ts";

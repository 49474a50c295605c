/** The only module for parsing and writing JSON. It never rounds a number but in `parseRoundedJson`, and no error quotes its input. */
export { withoutComments } from "./json/comments.ts";
export { createHeldBytes } from "./json/held-bytes.ts";
export { MAX_DEPTH, parseJson, parseJsonOr, parseRoundedJson, tryParseJson } from "./json/parse.ts";
export { positionsIn } from "./json/positions.ts";
export { JsonSyntaxError, type TextPosition } from "./json/syntax-error.ts";
export * from "./json/values.ts";
export * from "./json/write.ts";

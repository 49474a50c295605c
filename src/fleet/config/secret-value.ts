import { isJsonObject, type JsonObject, type JsonValue } from "../../contract/json.ts";
import { hiddenIn } from "../hidden.ts";
import type { FileItem } from "./file-item.ts";
import { InterpolationError, rebased, variable } from "./interpolation.ts";

/**
 * Returns the text of a member that may be a secret: a text, a `${hidden:…}` as it is written, or the service's
 * plain-or-env value (facts 14). A value of any other type is returned as it is, for the schema to report.
 * @param path the path in the fields of the resource
 * @param isSecret whether a plan refers to it instead of containing it
 */
export function secretValue(item: FileItem, path: string, value: JsonValue, isSecret = true): JsonValue {
  if (typeof value === "string" && hiddenIn(value) !== undefined) {
    item.hide(path);
    return value;
  }
  if (isJsonObject(value) && (value.type !== undefined || value.value !== undefined))
    return plainOrEnv(item, path, value, isSecret);
  if (typeof value === "string" && isSecret) refer(item, path, path, value);
  return value;
}

function plainOrEnv(item: FileItem, path: string, value: JsonObject, isSecret: boolean): JsonValue {
  const { type, value: text, ...others } = value;
  for (const name of Object.keys(others)) item.problem(`${path}.${name}`, "unknown member; known: type, value");
  if (type !== "plain" && type !== "env") item.problem(`${path}.type`, "one of plain, env", type);
  else if (typeof text !== "string") item.problem(`${path}.value`, "must be a string");
  else if (type === "plain") {
    if (hiddenIn(text) !== undefined) item.hide(path, `${path}.value`);
    else if (isSecret) refer(item, path, `${path}.value`, text);
    return text;
  } else return fromVariable(item, path, text, isSecret);
  item.hide(path);
  return "";
}

function fromVariable(item: FileItem, path: string, name: string, isSecret: boolean): string {
  try {
    const value = variable(name, item.reading.sources);
    if (!isSecret) return value;
    item.references.set(path, `\${env:${name}}`);
    item.reading.sources.protect?.(value);
    return value;
  } catch (error) {
    if (!(error instanceof InterpolationError)) throw error;
    item.problem(`${path}.value`, error.message);
    item.hide(path);
    return "";
  }
}

/**
 * Notes how a plan refers to a secret: as it is written, if its value comes from elsewhere, otherwise by its place in
 * the file.
 * @param path the path in the fields of the resource
 * @param from the path in the item
 */
export function refer(item: FileItem, path: string, from: string, text: string): void {
  const { file, interpolations } = item.document;
  const { protect } = item.reading.sources;
  const interpolation = interpolations.get(item.full(from));
  if (interpolation && interpolation.values.length > 0) {
    item.references.set(path, rebased(interpolation.written, file));
    for (const value of interpolation.values) protect?.(value);
    return;
  }
  if (path === "signing_key" || path.startsWith("config.")) protect?.(text);
  const pointer = item.full(from).split(".").map(pointerPart).join("/");
  item.references.set(path, `\${source:${file}#/${pointer}}`);
}

function pointerPart(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

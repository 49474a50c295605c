import { isJsonObject, type JsonObject, type JsonValue } from "../../contract/json.ts";
import { hiddenIn, unsetHiddenText } from "../hidden.ts";
import { type FileItem, referToSecret } from "./file-item.ts";
import { interpolationVariable, UnsetError } from "./load-document.ts";

/**
 * Returns the text of a member that may be secret: a text, a literal `${hidden:…}`, or the service's plain-or-env value
 * (facts 14). A value of any other type is returned unchanged, for the schema to report.
 * @param path the path in the fields of the resource
 * @param isSecret whether a plan refers to it instead of containing it
 */
export function fleetSecret(item: FileItem, path: string, value: JsonValue, isSecret = true): JsonValue {
  if (hiddenIn(value) !== undefined) {
    item.hide(path);
    return value;
  }
  if (isJsonObject(value) && (value.type !== undefined || value.value !== undefined))
    return plainOrEnv(item, path, value, isSecret);
  if (typeof value !== "string") return value;
  if (isSecret) referToSecret(item, path, path, value, true);
  if (!item.isFromElsewhere(path)) item.refuseStart(path, "a service reads {type, value} there", "suspicious");
  return value;
}

function plainOrEnv(item: FileItem, path: string, value: JsonObject, isSecret: boolean): JsonValue {
  const { type, value: text, ...others } = value;
  for (const name of Object.keys(others)) item.problem(`${path}.${name}`, "unknown member; known: type, value");
  if (type !== "plain" && type !== "env") item.problem(`${path}.type`, "one of plain, env", type);
  else if (typeof text !== "string") item.problem(`${path}.value`, "must be a string");
  else if (type === "env" && item.isFromElsewhere(`${path}.value`))
    item.problem(`${path}.value`, "must be the name of a variable");
  else if (type === "plain") {
    if (hiddenIn(text) !== undefined) item.hide(path, `${path}.value`);
    else if (isSecret) referToSecret(item, path, `${path}.value`, text, true);
    return text;
  } else return fromVariable(item, path, text, isSecret);
  item.hide(path);
  return "";
}

function fromVariable(item: FileItem, path: string, name: string, isSecret: boolean): string {
  const { sources } = item.reading;
  try {
    const value = interpolationVariable(name, sources);
    const isHidden = !sources.mayShow(name);
    if (isSecret) sources.protect?.(value);
    if (isSecret || isHidden) item.references.set(path, `\${env:${name}}`);
    if (isHidden) item.hidden.add(path);
    return value;
  } catch (error) {
    if (!(error instanceof UnsetError)) throw error;
    item.lack(`${path}.value`, error);
    item.hide(path);
    return unsetHiddenText(error.fix);
  }
}

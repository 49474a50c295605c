import { isJsonObject, type JsonObject, type JsonValue } from "../../contract/json.ts";
import { fits, oneOf, type Read, ShapeError, unexpected } from "./serde.ts";

type Fields = Readonly<Record<string, Read<unknown>>>;

/** An object whose members follow from the word that it has under `tag`; those that may be absent read null. */
export function tagged(tag: string, variants: Readonly<Record<string, Fields>>): Read<JsonObject> {
  const readTag = oneOf(Object.keys(variants));
  return (value) => {
    if (!isJsonObject(value)) throw unexpected(value, "internally tagged enum");
    if (value[tag] === undefined) throw new ShapeError(`missing field \`${tag}\``);
    for (const [key, read] of Object.entries(variants[readTag(value[tag])] ?? {})) readField(value, key, read);
    return value;
  };
}

function readField(value: JsonObject, key: string, read: Read<unknown>): void {
  const field: JsonValue | undefined = value[key];
  if (field !== undefined) read(field);
  else if (!fits(read, null)) throw new ShapeError(`missing field \`${key}\``);
}

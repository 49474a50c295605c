import { asReceived, isJsonObject, type JsonValue, keysOf, writeJson } from "../../contract/json.ts";
import { createYamlTexts, type YamlTexts } from "./yaml-texts.ts";

/** Returns a value as YAML 1.2, with a line ending. Numbers keep every digit, and maps their order. */
export async function yamlText(value: JsonValue): Promise<string> {
  return (await createYamlWriter())(value);
}

/** Creates a function that returns the same as `yamlText`, for many values. */
export async function createYamlWriter(): Promise<(value: JsonValue) => string> {
  const texts = await createYamlTexts();
  return (value) => `${write(value, 0, texts)}\n`;
}

/** Returns a value in block style, its first line without indentation. @param depth how deep it is nested */
function write(value: JsonValue, depth: number, texts: YamlTexts): string {
  if (typeof value === "string") return texts.value(value, depth);
  const newline = `\n${"  ".repeat(depth)}`;
  if (Array.isArray(value)) return joined(value, (item) => `- ${write(item, depth + 1, texts)}`, newline) || "[]";
  if (!isJsonObject(value)) return writeJson(value);
  return joined(keysOf(value), (key) => member(key, asReceived(value, key) ?? null, depth, texts), newline) || "{}";
}

function member(name: string, value: JsonValue, depth: number, texts: YamlTexts): string {
  const key = texts.key(name);
  const text = write(value, depth + 1, texts);
  if (key.isLong) return `? ${key.text}\n${"  ".repeat(depth)}: ${text}`;
  return isBlock(value) ? `${key.text}:\n${"  ".repeat(depth + 1)}${text}` : `${key.text}: ${text}`;
}

/** Returns whether a value is written on lines below its key. */
function isBlock(value: JsonValue): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return isJsonObject(value) && Object.keys(value).length > 0;
}

function joined<T>(parts: readonly T[], textOf: (part: T) => string, newline: string): string {
  let text = "";
  for (const part of parts) text += (text && newline) + textOf(part);
  return text;
}

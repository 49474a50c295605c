import type { App } from "../app.ts";
import { throwUnnamedFileError } from "../config/files/file-error.ts";
import { strictUtf8 } from "../contract/encoding/utf8.ts";
import { isJsonObject, type JsonObject, type JsonValue, parseJsonOr } from "../contract/json.ts";
import { usageError } from "../errors.ts";

const MAX_BYTES = 8 * 2 ** 20;
const MAX_SECRET_BYTES = 64 * 2 ** 10;

interface Inputs {
  files: Pick<App["files"], "read">;
  stdin: App["stdin"];
}

export function inputFileName(path: string): string {
  return path === "-" ? "stdin" : path;
}

export async function readInputText(app: Inputs, path: string, maxBytes = MAX_BYTES): Promise<string> {
  return (await readExactInput(app, path, maxBytes)).replace(/^\ufeff/, "");
}

/** Reads the text with every byte of it: a signature must cover the exact content. */
export async function readExactInput(app: Inputs, path: string, maxBytes = MAX_BYTES): Promise<string> {
  const text = strictUtf8(await readInputBytes(app, path, maxBytes));
  if (text === undefined) throw usageError([{ where: inputFileName(path), rule: "is not UTF-8" }]);
  return text;
}

export async function readInputBytes(app: Inputs, path: string, maxBytes = MAX_BYTES): Promise<Uint8Array> {
  if (path === "") throw usageError([{ where: "a file", rule: "needs a file name, or - for stdin" }]);
  return path === "-" ? await readStdin(app, maxBytes) : await app.files.read(path, maxBytes);
}

async function readStdin(app: Inputs, maxBytes: number): Promise<Uint8Array> {
  if (!app.stdin.isTerminal) return await app.stdin.read(maxBytes);
  throw usageError([{ where: "-", rule: "reads stdin, but stdin is a terminal; pipe the input or specify a file" }]);
}

/** Reads JSON from a file; a syntax error has its place, and none of the content. */
export async function readInputJson(app: App, path: string): Promise<JsonValue> {
  return parseInputJson(await readInputText(app, path), inputFileName(path));
}

export function parseInputJson(text: string, file: string): JsonValue {
  return parseJsonOr(text, ({ message }) => usageError([{ where: file, rule: `is not JSON: ${message}` }]));
}

export async function readInputObject(app: App, path: string): Promise<JsonObject> {
  const value = await readInputJson(app, path);
  if (!isJsonObject(value)) throw usageError([{ where: inputFileName(path), rule: "does not contain a JSON object" }]);
  return value;
}

/** Reads a secret from a file without its final line ending. An empty file is an error, never a removal. */
export async function readSecretInput(app: App, path: string, flag: string): Promise<string> {
  const read = await readInputText(app, path, MAX_SECRET_BYTES).catch(throwUnnamedFileError(flag));
  const text = read.replace(/\r?\n$/, "");
  if (text === "") throw usageError([{ where: flag, given: inputFileName(path), rule: "the file is empty" }]);
  app.secrets.add(text);
  return text;
}

import type { Problems } from "../../../command-support/problems.ts";
import { readBodyFile } from "../../../command-support/request-body/body-file.ts";
import { validateBody } from "../../../command-support/request-body/body-problems.ts";
import { type JsonObject, JsonSyntaxError, type JsonValue, parseJson } from "../../../contract/json.ts";
import { jsonRpcSchema } from "../../../contract/requests.ts";
import type { Call } from "../../command.ts";

/** The flags of `relayers rpc`, with commander's names. */
export interface RpcFlags {
  params?: string;
  file?: string;
}

/** Returns the typed JSON-RPC request. A file is sent unchanged, except for what the line overrides. */
export async function requestFromWords(call: Call<RpcFlags>, problems: Problems): Promise<JsonObject> {
  const [, method, ...words] = call.args;
  const { file, params: text } = call.flags;
  const fromFile = await readBodyFile(call.app, file);
  const params = text === undefined ? positional(problems, words) : named(problems, text, words);
  const body: JsonObject = {
    ...(file === undefined && { jsonrpc: "2.0", id: 1 }),
    ...fromFile.fields,
    ...(method !== undefined && { method }),
    ...(params !== undefined && { params }),
  };
  if (file === undefined && params === undefined && isEvm(method)) body.params = [];
  validateBody(problems, jsonRpcSchema, body, (path) => sourceOf(path, fromFile.name, file !== undefined));
  return body;
}

/**
 * Returns whether a method belongs to EVM. Those methods have a prefix, e.g. `eth_`; their nodes expect a list, while
 * some of Stellar's refuse an empty one.
 */
function isEvm(method: string | undefined): boolean {
  return method?.includes("_") === true;
}

function positional(problems: Problems, words: readonly string[]): JsonValue[] | undefined {
  if (words.length === 0) return undefined;
  return words.flatMap((word, index) => {
    const value = parameter(problems, `[params...] ${index + 1}`, word);
    return value === undefined ? [] : [value];
  });
}

function named(problems: Problems, text: string, words: readonly string[]): JsonValue | undefined {
  if (words.length > 0) problems.add("--params", "cannot be combined with separate parameters");
  return parameter(problems, "--params", text);
}

/** Matches an address, a hash, or `latest`: a word with a letter, which is not the beginning of JSON. */
const PLAIN_WORD = /^[\w.:-]*[A-Za-z][\w.:-]*$/;

/** Parses a parameter. Digits are a number and are sent exactly as typed. */
function parameter(problems: Problems, where: string, text: string): JsonValue | undefined {
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    if (PLAIN_WORD.test(text)) return text;
    problems.add(where, `needs JSON, or a plain word, e.g. latest: ${error.message}`, text);
    return undefined;
  }
}

function sourceOf(path: string, name: string, isFile: boolean): string {
  if (isFile) return path === "" ? name : `${name} ${path}`;
  return path === "params" ? "--params" : `<${path}>`;
}

import { agreeToConsent } from "../../command-support/consent/consent.ts";
import { readId } from "../../command-support/ids.ts";
import { writeWithHint } from "../../command-support/prepared-write.ts";
import { readBodyFile } from "../../command-support/request-body/body-file.ts";
import { showIfDryRun } from "../../command-support/shown.ts";
import { effectOf } from "../../contract/effect.ts";
import {
  isJsonObject,
  type JsonObject,
  JsonSyntaxError,
  type JsonValue,
  keysOf,
  parseJson,
} from "../../contract/json.ts";
import { operations } from "../../contract/operations.ts";
import type { Problems } from "../../contract/problems.ts";
import { validateBody } from "../../contract/requests/body-problems.ts";
import { jsonRpcSchema } from "../../contract/requests.ts";
import { commandLine } from "../../shell/shell-words.ts";
import { type BlockLine, toCell, type View, viewLines } from "../../terminal/view.ts";
import { createCommand } from "../command.ts";
import { relayerArgument } from "../resource-arguments.ts";

function positionalParams(problems: Problems, words: readonly string[]): JsonValue[] | undefined {
  if (words.length === 0) return undefined;
  return words.flatMap((word, index) => {
    const value = parseParam(problems, `[params...] ${index + 1}`, word);
    return value === undefined ? [] : [value];
  });
}

function namedParams(problems: Problems, text: string, words: readonly string[]): JsonValue | undefined {
  if (words.length > 0) problems.add("--params", "cannot be combined with separate parameters");
  return parseParam(problems, "--params", text);
}

/** Matches an address, a hash, or `latest`: a word with a letter, which is not the beginning of JSON. */
const PLAIN_WORD = /^[\w.:-]*[A-Za-z][\w.:-]*$/;

function parseParam(problems: Problems, where: string, text: string): JsonValue | undefined {
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    if (PLAIN_WORD.test(text)) return text;
    problems.add(where, `needs JSON, or a plain word, e.g. latest: ${error.message}`, text);
    return undefined;
  }
}

function sourceFor(path: string, name: string, isFile: boolean): string {
  if (isFile) return path === "" ? name : `${name} ${path}`;
  return path === "params" ? "--params" : `<${path}>`;
}

export const relayersRpc = createCommand({
  summary: "Send a JSON-RPC request to a relayer's node",
  sends: "once",
  spends: true,
  mayOnlyAsk: true,
  ends: { conflict: "paused or disabled" },
  examples: [
    "relayctl relayers rpc eth-main-1 eth_blockNumber",
    "relayctl relayers rpc eth-main-1 eth_getBlockByNumber latest false -o json",
    "relayctl relayers rpc eth-main-1 -f request.json --dry-run",
  ],
  args: [
    relayerArgument,
    { name: "<method>", description: "JSON-RPC method, e.g. eth_getBalance", unless: ["file"] },
    {
      name: "[params...]",
      description: "Parameters, each as JSON; a plain word, e.g. latest or an address, is a string",
    },
  ],
  description:
    "Send a JSON-RPC request to a relayer's node and print its result. Read-only methods, e.g. eth_call, are sent at once; any other method requires confirmation and is sent at most once. An error from the node is reported as a JSON-RPC error.",
  define: (command) =>
    command
      .optionsGroup("Request")
      .option("--params <json>", 'Parameters by name, e.g. {"hash":"…"}, or as a whole list')
      .option(
        "-f, --file <file>",
        "Read the whole request from a JSON file (`-` for stdin); arguments and flags override its fields",
      ),
  async prepare(call, problems) {
    const id = await readId(call, problems, "id", call.args[0]);
    const [, method, ...words] = call.args;
    const { file, params: text } = call.flags;
    const fromFile = await readBodyFile(call.app, file);
    const params = text === undefined ? positionalParams(problems, words) : namedParams(problems, text, words);
    const body: JsonObject = {
      ...(file === undefined && { jsonrpc: "2.0", id: 1 }),
      ...fromFile.fields,
      ...(method !== undefined && { method }),
      ...(params !== undefined && { params }),
    };
    if (file === undefined && params === undefined && method?.includes("_") === true) body.params = [];
    validateBody(problems, jsonRpcSchema, body, (path) => sourceFor(path, fromFile.name, file !== undefined));
    return { id, body };
  },
  async run(call, { id, body }) {
    const request = { operation: operations["relayers.rpc"], parameters: { relayer_id: id }, body };
    const shown = await showIfDryRun(call, request);
    if (shown) return shown;
    const session = await call.session();
    const act = `${body.method} through ${id}`;
    if (Object.keys(session.limits).length > 0 && effectOf(request.operation, body).writes)
      await call.say({ note: `the limits of context ${session.name} do not apply to JSON-RPC requests` });
    await agreeToConsent(call, session, { request, act, id, title: `call ${act}` });
    const readAgain = commandLine(...session.flags, "relayers", "status", id);
    const result = await writeWithHint(session.client.relayers.rpc(id, body), readAgain);
    return resultView(result, call.output.format === "raw");
  },
});

function resultView(result: { data: JsonObject; body: Uint8Array }, raw: boolean): View {
  if (raw) return { kind: "body", body: result.body };
  const value = result.data.result ?? null;
  return { kind: "facts", lines: resultLines(value), value };
}

function resultLines(result: JsonValue): BlockLine[] {
  if (isJsonObject(result)) return keysOf(result).flatMap((key) => viewLines(key, [toCell(result[key])]));
  const values = Array.isArray(result) && result.length > 0 ? result : [result];
  return viewLines("result", values.map(toCell));
}

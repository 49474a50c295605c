import { agree } from "../../command-support/consent/agree.ts";
import { readId } from "../../command-support/ids.ts";
import type { Problems } from "../../command-support/problems.ts";
import { withHint } from "../../command-support/receipt.ts";
import { commandLine } from "../../command-support/shell-words.ts";
import { shownInstead } from "../../command-support/shown.ts";
import { effectOf } from "../../contract/effect.ts";
import { isJsonObject, type JsonObject, type JsonValue, keysOf } from "../../contract/json.ts";
import { operations } from "../../contract/operations.ts";
import type { BlockLine, View } from "../../terminal/view.ts";
import { cell, lines } from "../cells.ts";
import type { Call, CommandFile } from "../command.ts";
import type { CommandSyntax } from "../flags/syntax.ts";
import { relayerArgument } from "./arguments.ts";
import { type RpcFlags, requestFromWords } from "./rpc/request.ts";

interface Typed {
  id: string;
  body: JsonObject;
}

/** `relayctl relayers rpc <id> <method> [params...]` (facts 3.3). */
export const relayersRpc: CommandFile<RpcFlags, Typed> = {
  summary: "Send a JSON-RPC request to a relayer's node",
  sends: "once",
  spends: true,
  mayOnlyAsk: true,
  ends: { conflict: "paused or disabled", mismatch: false },
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
  define,
  prepare,
  run,
};

/** Returns only the result; with `-o raw` the whole response as received. */
function resultView(result: { data: JsonObject; body: Uint8Array }, raw: boolean): View {
  if (raw) return { kind: "body", body: result.body };
  const value = result.data.result ?? null;
  return { kind: "facts", lines: blockOf(value), value };
}

/** Returns a line for each field of an object, or for each item of a list. */
function blockOf(result: JsonValue): BlockLine[] {
  if (isJsonObject(result)) return keysOf(result).flatMap((key) => lines(key, [cell(result[key])]));
  const values = Array.isArray(result) && result.length > 0 ? result : [result];
  return lines("result", values.map(cell));
}

function define(command: CommandSyntax): void {
  command
    .description(
      "Send a JSON-RPC request to a relayer's node and print its result. Read-only methods, e.g. eth_call, are sent at once; any other method requires confirmation and is sent at most once. An error from the node is reported as a JSON-RPC error.",
    )
    .optionsGroup("Request")
    .option("--params <json>", 'Parameters by name, e.g. {"hash":"…"}, or as a whole list')
    .option(
      "-f, --file <file>",
      "Read the whole request from a JSON file (`-` for stdin); arguments and flags override its fields",
    );
}

async function prepare(call: Call<RpcFlags>, problems: Problems): Promise<Typed> {
  const id = await readId(call, problems, "id", call.args[0]);
  return { id, body: await requestFromWords(call, problems) };
}

async function run(call: Call, { id, body }: Typed): Promise<View> {
  const request = { operation: operations["relayers.rpc"], parameters: { relayer_id: id }, body };
  const shown = await shownInstead(call, request);
  if (shown) return shown;
  const session = await call.session();
  const act = `${body.method} through ${id}`;
  if (Object.keys(session.limits).length > 0 && effectOf(request.operation, body).writes)
    await call.say(`note: the limits of context ${session.name} do not apply to JSON-RPC requests`);
  await agree(call, session, { request, act, id, title: `call ${act}` });
  const readAgain = commandLine(...session.flags, "relayers", "status", id);
  const result = await withHint(session.client.relayers.rpc(id, body), readAgain);
  return resultView(result, call.output.format === "raw");
}

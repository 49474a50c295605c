import type { Command } from "commander";
import type { Answer } from "../../client/answer.ts";
import { compare } from "../../client/compare.ts";
import type { JsonObject } from "../../contract/json.ts";
import { operations } from "../../contract/operations.ts";
import type { Relayer, UpdateRelayerRequest } from "../../contract/relayer.ts";
import type { Call } from "../../flow/call.ts";
import { readId } from "../../flow/ids.ts";
import { perform } from "../../flow/perform.ts";
import { Problems } from "../../flow/problems.ts";
import { commandLine } from "../../flow/shell-words.ts";
import type { View } from "../../terminal/view.ts";
import type { CommandFile } from "../command.ts";
import { readBefore } from "../read-before.ts";
import { repeatable } from "../repeatable.ts";
import { updateReceipt } from "./update-receipt.ts";
import { isEmptyUpdate, kindOf, updateBody } from "./update-body.ts";
import { type TypedUpdate, type UpdateFlags, updateFromFlags } from "./update-flags.ts";
import { relayerView } from "./view.ts";

/** `relayctl relayers update <id>`: interface.md, Update a relayer. */
export const relayersUpdate: CommandFile<UpdateFlags> = {
  summary: "change a relayer's name, pause, notification, RPC URLs and policies",
  examples: [
    "relayctl relayers update eth-main-1 --paused",
    "relayctl relayers update eth-main-1 --policy gas_price_cap=80gwei --unset-policy min_balance",
    "relayctl relayers update eth-main-1 --no-notification-id --dry-run",
  ],
  resource: relayerView,
  define,
  run,
};

function define(command: Command): void {
  command
    .description("Change a relayer: its name, pause, notification, RPC URLs and policies. What is not named stays as it is.")
    .argument("<id>", "the relayer's id, or - for one line of stdin")
    .optionsGroup("Fields")
    .option("--name <text>", "the name")
    .option("--no-name", "send null (refused by the service: a name is needed)")
    .option("--paused", "pause it")
    .option("--no-paused", "resume it")
    .option("--notification-id <id>", "where it reports to")
    .option("--no-notification-id", "report nowhere")
    .option("--rpc-url <url[,weight=n]>", "repeat; replaces the list; weight 0 to 100", repeatable)
    .option("--no-rpc-urls", "use the network's own URLs")
    .optionsGroup("Policies")
    .option("--policy <key=value>", "repeat; amounts take units: gas_price_cap=80gwei", repeatable)
    .option("--unset-policy <key>", "repeat; clears one", repeatable)
    .option("--policies <file>", "several at once, as JSON; - reads stdin")
    .option("--reset-policies", "clear all of them (asks for the id)")
    .option("--kind <kind>", "evm, solana or stellar: spares the read that finds it out")
    .optionsGroup("Request")
    .option("-f, --file <file>", "the whole body as JSON, which flags override; - reads stdin")
    .option("--diff", "read first and tell what changes");
}

async function run(call: Call<UpdateFlags>): Promise<View> {
  const problems = new Problems();
  const id = await readId(call, problems, "id", call.operands[0]);
  const typed = await updateFromFlags(call, problems);
  problems.throwIfAny(HELP);
  return await update(call, id, typed);
}

const HELP = "relayctl relayers update --help";

/** Judges and sends a change of one relayer; `pause` and `resume` are this with the body given. */
export async function update(call: Call<UpdateFlags>, id: string, typed: TypedUpdate): Promise<View> {
  const before = await relayerBefore(call, id, typed);
  const problems = new Problems();
  const body = updateBody(problems, typed, call.flags.kind ?? kindOf(before?.data.network_type));
  if (problems.count === 0 && isEmptyUpdate(body)) problems.add("relayers update", "there is nothing to change; name a field");
  problems.throwIfAny(HELP);
  return await perform<Relayer>(call, {
    ask: { operation: operations["relayers.update"], parameters: { relayer_id: id }, body },
    title: `update relayer ${id}`,
    act: "this change of a relayer",
    id,
    resource: relayerView,
    alreadySo: before && isSo(body, before) ? { words: alreadyWords(id, body), seen: before } : undefined,
    send: (client) => client.relayers.update(id, body as UpdateRelayerRequest),
    receipt: (answer, session) => updateReceipt(id, body, before?.data, answer.data, session),
    lookAgain: (session) => commandLine(...session.flags, "relayers", "get", id),
  });
}

/** The relayer as it is: from anywhere when its kind must be known, by its own route alone when it is only for the receipt. */
async function relayerBefore(call: Call<UpdateFlags>, id: string, typed: TypedUpdate): Promise<Answer<Relayer> | undefined> {
  const needsKind = Boolean(typed.policies) && call.flags.kind === undefined && !call.common.dryRun && !call.common.curl;
  if (needsKind) return await (await call.session()).client.relayers.get(id);
  return await readBefore(call, (client) => client.relayers.get(id, { byRoute: true }));
}

function isSo(body: JsonObject, before: Answer<Relayer>): boolean {
  const { different, unconfirmed } = compare(body, before.data);
  return different.length === 0 && unconfirmed.length === 0;
}

function alreadyWords(id: string, body: JsonObject): string {
  if (Object.keys(body).length > 1 || body.paused === undefined) return `${id} is as asked already`;
  return body.paused ? `${id} is paused already` : `${id} is active already`;
}

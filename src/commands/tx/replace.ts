import type { Command } from "commander";
import type { Answer } from "../../client/answer.ts";
import type { JsonObject } from "../../contract/json.ts";
import { isNetworkKind, NETWORK_KINDS } from "../../contract/network-kind.ts";
import { operations } from "../../contract/operations.ts";
import { type Replacement, SPEEDS } from "../../contract/replacement.ts";
import type { Transaction } from "../../contract/transaction.ts";
import { readId } from "../../flow/ids.ts";
import { perform } from "../../flow/perform.ts";
import { Problems } from "../../flow/problems.ts";
import type { Session } from "../../flow/session.ts";
import { commandLine } from "../../flow/shell-words.ts";
import type { View } from "../../terminal/view.ts";
import type { Call, CommandFile } from "../command.ts";
import { judgeReplacement } from "./replace-body.ts";
import { bodyFromFlags, type ReplaceFlags } from "./replace-flags.ts";
import { replacementPreview } from "./replace-preview.ts";
import { transactionBefore } from "./transaction-before.ts";
import { transactionView } from "./view.ts";

/** `relayctl tx replace <relayer-id> <tx-id>`: interface.md, Replace a transaction. Sent at most once after it may have left. */
export const txReplace: CommandFile<ReplaceFlags> = {
  summary: "replace a pending transaction by another one",
  examples: [
    "relayctl tx replace eth-main-1 6f1a2c1e-0d0b-4a5f-9f5e-1b1c2d3e4f50 --to 0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc --value 0.25eth --gas-limit 21000 --speed fastest --yes",
    "relayctl tx replace eth-main-1 6f1a2c1e-0d0b-4a5f-9f5e-1b1c2d3e4f50 --to 0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc --value 0 --max-fee-per-gas 30gwei --max-priority-fee-per-gas 2gwei --dry-run",
    "relayctl tx replace xlm-treasury a10c186f-97b4-4bfb-abe5-ee4fd97c2b1f --network testnet --transaction-xdr AAAA --memo text:refund --curl",
  ],
  resource: transactionView,
  define,
  run,
};

function define(command: Command): void {
  command
    .description(
      "Replace a pending transaction. The body is exactly what is typed: what is not named is not copied from the earlier version, which stays valid until one of the two is mined.",
    )
    .argument("<relayer-id>", "the relayer that sent it")
    .argument("<tx-id>", "the transaction's id, or - for one line of stdin")
    .optionsGroup("EVM")
    .option("--to <address>", "receiver; 20 bytes of hex, the checksum is checked")
    .option("--value <amount>", "required: 0.25eth, 80gwei, or digits for wei")
    .option("--data <hex>", "call data; needs --gas-limit")
    .option("--gas-limit <gas>", "gas; without it the service signs with 21000")
    .option("--no-gas-limit", "send null")
    .option("--gas-price <amount>", "legacy price: 30gwei")
    .option("--max-fee-per-gas <amount>", "EIP-1559 price: 30gwei")
    .option("--max-priority-fee-per-gas <amount>", "EIP-1559 tip: 2gwei")
    .option("--speed <speed>", `${SPEEDS.join(", ")}: the service sets the price`)
    .option("--valid-until <time>", "RFC 3339 with a zone; Stellar also takes unix seconds")
    .optionsGroup("Solana")
    .option("--transaction <base64>", "the encoded serialized transaction")
    .optionsGroup("Stellar")
    .option("--network <name>", "required")
    .option("--source-account <account>", "who sends")
    .option("--operations <file>", "a JSON list of operations; - reads stdin; not with --transaction-xdr")
    .option("--transaction-xdr <base64>", "a built transaction, signed or not")
    .option("--memo <type[:value]>", "none, text:…, id:7, hash:… or return:… with 64 hex digits")
    .option("--fee-bump", "wrap a signed --transaction-xdr")
    .option("--no-fee-bump", "send false")
    .option("--max-fee <amount>", "0.1xlm, or digits for stroops; 1,000,000 stroops when absent")
    .optionsGroup("Request")
    .option("--kind <kind>", "evm, solana or stellar, where the flags leave it open")
    .option("-f, --file <file>", "the whole body as JSON, which flags override; - reads stdin");
}

const HELP = "relayctl tx replace --help";

async function run(call: Call<ReplaceFlags>): Promise<View> {
  const problems = new Problems();
  const relayerId = await readId(call, problems, "relayer-id", call.operands[0]);
  const id = await readId(call, problems, "tx-id", call.operands[1]);
  const { kind } = call.flags;
  if (kind !== undefined && !isNetworkKind(kind)) problems.add("--kind", `one of ${NETWORK_KINDS.join(", ")}`, kind);
  const body = await bodyFromFlags(call, problems);
  judgeReplacement(problems, body, kind, call.app.clock.now());
  problems.throwIfAny(HELP);
  return await replace(call, relayerId, id, body);
}

async function replace(call: Call<ReplaceFlags>, relayerId: string, id: string, body: JsonObject): Promise<View> {
  const before = await transactionBefore(call, relayerId, id);
  return await perform<Transaction>(call, {
    ask: { operation: operations["tx.replace"], parameters: { relayer_id: relayerId, transaction_id: id }, body },
    title: `replace transaction ${id} of ${relayerId}`,
    act: "replacing a transaction",
    id,
    resource: transactionView,
    preview: replacementPreview(body, before?.data),
    send: (client) => client.tx.replace(relayerId, id, body as unknown as Replacement, { before: before?.data }),
    receipt: (answer, session) => receipt(relayerId, id, before?.data, answer, session),
    lookAgain: (session) => commandLine(...session.flags, "api", "GET", `/relayers/${relayerId}/transactions/${id}`),
  });
}

function receipt(relayerId: string, id: string, before: Transaction | undefined, answer: Answer<Transaction>, session: Session): string[] {
  const hashes = [...(before ? [`before: ${before.hash ?? "no hash yet"}`] : []), `now: ${answer.data.hash ?? "no hash yet"}`].join("  ");
  return [
    `accepted in ${session.name}; ${hashes}`,
    `follow: ${commandLine(...session.flags, "api", "GET", `/relayers/${relayerId}/transactions/${id}`)}`,
  ];
}

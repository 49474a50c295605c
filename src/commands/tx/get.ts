import type { Command } from "commander";
import type { ApiRequest } from "../../client/request.ts";
import { readId } from "../../command-support/ids.ts";
import { integerFlag, type Problems } from "../../command-support/problems.ts";
import { shownInstead } from "../../command-support/shown.ts";
import { isShownInCoin } from "../../contract/amount.ts";
import { operations } from "../../contract/operations.ts";
import { kindOfTransaction, statusOf } from "../../contract/transaction/transaction-state.ts";
import type { Cell, Ending, View } from "../../terminal/view.ts";
import { cell } from "../cells.ts";
import { drawnSymbol } from "../coins/symbol-for.ts";
import type { Call, CommandFile } from "../command.ts";
import { senderArgument, transactionArgument } from "./arguments.ts";
import { nodeFlag } from "./node-flag.ts";
import { type Lookup, lookupOf, previousHashNotes } from "./on-chain/lookup.ts";
import { notesOfRecord } from "./record/notes.ts";
import { statusCell } from "./record/outcome.ts";
import { placeLines } from "./record/place-lines.ts";
import { transactionView, transactionViewIn } from "./record/view.ts";

/** A hash of EVM or Stellar, or a signature of Solana. */
const HASH = /^(?:0x)?[0-9a-f]{64}$|^[1-9a-hj-np-z]{64,88}$/i;

interface Flags {
  nonce?: string;
  was?: string;
  onChain?: true;
  node?: string;
  watch?: true;
}

/** A transaction by its ID, or by its nonce, and the URL of the node to ask. */
type Named = { relayerId: string; nodeUrl: string | undefined } & ({ id: string } | { nonce: string });

/** `relayctl tx get <relayer-id> <tx-id>` (facts 3.4); prints the meaning of the record next to it (facts 13). */
export const txGet: CommandFile<Flags, Named> = {
  summary: "Show one transaction and what its record means",
  sends: "read",
  ends: {
    conflict: "the relayer is paused or disabled (--on-chain)",
    unmet: "no hash, or another outcome than the status (--on-chain); not confirmed (--watch)",
    mismatch: "record and chain differ (--on-chain, --watch)",
    pending: "the chain does not settle the outcome (--on-chain, --watch)",
  },
  examples: [
    "relayctl tx get eth-main-1 6f1a2c1e-0d0b-4a5f-9f5e-1b1c2d3e4f50",
    "relayctl tx get eth-main-1 6f1a2c1e-0d0b-4a5f-9f5e-1b1c2d3e4f50 --on-chain",
    "relayctl tx get eth-main-1 --nonce 7 -o json",
  ],
  resource: transactionView,
  waits: ({ flags }: { flags: Flags }) => flags.watch === true,
  args: [
    { ...senderArgument, description: "ID of the relayer that sent the transaction" },
    { ...transactionArgument, unless: ["nonce"] },
  ],
  define,
  prepare,
  run,
};

function define(command: Command): void {
  command
    .description(
      "Show one transaction as the service records it, and explain what the record means if its status alone would be misleading.",
    )
    .optionsGroup("Transaction")
    .option("--nonce <n>", "Find the transaction by nonce instead of ID (EVM only)")
    .option("--on-chain", "Compare the record with the chain through the relayer's node; exit 14 if the two differ")
    .option(
      "--node <url>",
      "Node to ask instead of the relayer's (with --on-chain or --watch); a key in the URL is never printed",
    )
    .option("--watch", "Show the transaction live until the chain shows what became of it, as `relayctl tx wait` does")
    .option("--was <hash>", "Hash from before a replacement or cancellation, as shown in its receipt");
}

async function prepare(call: Call<Flags>, problems: Problems): Promise<Named> {
  const { nonce } = call.flags;
  const relayerId = await readId(call, problems, "relayer-id", call.args[0]);
  const { watch, onChain, was, node } = call.flags;
  if (was === "") problems.add("--was", "is empty");
  else if (was !== undefined && !HASH.test(was)) problems.add("--was", "must be a hash as in a receipt", was);
  if (watch && onChain) problems.add("--watch", "cannot be combined with --on-chain");
  if (watch && was !== undefined) problems.add("--watch", "cannot be combined with --was");
  if (node !== undefined && !onChain && !watch) problems.add("--node", "has no effect without --on-chain or --watch");
  const nodeUrl = nodeFlag(call, problems, call.flags.node);
  if (nonce === undefined) return { relayerId, nodeUrl, id: await readId(call, problems, "tx-id", call.args[1]) };
  if (call.args[1] !== undefined) problems.add("--nonce", "cannot be combined with an id");
  return { relayerId, nodeUrl, nonce: String(integerFlag(problems, "--nonce", nonce, "a whole number from 0")) };
}

async function run(call: Call<Flags>, named: Named): Promise<View> {
  const shown = await shownInstead(call, requestFor(named));
  if (shown) return shown;
  const session = await call.session();
  const { tx } = session.client;
  const { relayerId } = named;
  const { data, body } =
    "id" in named ? await tx.get(relayerId, named.id) : await tx.getByNonce(relayerId, named.nonce);
  if (call.flags.watch) {
    const { followWrite } = await import("./wait/after-write.ts");
    const plan = { goal: { until: "confirmed" as const }, usesChain: true, nodeUrl: named.nodeUrl };
    const view: View = { kind: "one", resource: transactionView, value: data, body };
    return await followWrite(call, view, { relayerId, plan, before: undefined, wanted: "newest" });
  }
  const lookup = await lookupOf(call, named, data);
  const check = await checkOf(call, lookup);
  const isLarge = isShownInCoin(data.value) || (check.seen !== undefined && isShownInCoin(String(check.seen)));
  const symbol = isLarge ? await drawnSymbol(call, relayerId) : undefined;
  const ending = await check.ending(symbol);
  const status = check.status ?? statusCell(data);
  const view = transactionViewIn(
    () => symbol,
    () => status,
  );
  const place = await placeLines(call, relayerId, data);
  const resource: typeof view = { ...view, block: (transaction) => [...view.block(transaction), ...place] };
  return {
    kind: "one",
    resource,
    value: data,
    body,
    ...(status.text !== cell(data.status).text && { meaning: status.text }),
    ...ending,
  };
}

/** What was found out about a record besides its fields. */
interface Check {
  /** The status next to what the chain shows. */
  status?: Cell;
  /** The value on the chain in wei, which decides whether the coin matters. */
  seen?: bigint | undefined;
  ending(symbol: string | undefined): Promise<Ending> | Ending;
}

/** Reads the chain with `--on-chain`, and for an EVM record that reads `confirmed`; no other record costs a call. */
async function checkOf(call: Call<Flags>, lookup: Lookup): Promise<Check> {
  const { record, relayerId } = lookup;
  const session = await call.session();
  const kind = kindOfTransaction(record) ?? "evm";
  if (call.flags.onChain && kind !== "evm") {
    const { compareWithChain } = await import("./on-chain/compare-with-chain.ts");
    if (lookup.nodeUrl !== undefined) await call.say(`note: --node has no effect on ${kind} transactions`);
    return {
      ending: async () => withNotes(lookup, await compareWithChain(session.client, relayerId, record, kind)),
    };
  }
  if (call.flags.onChain || (kind === "evm" && statusOf(record) === "confirmed")) {
    const { checkEvm } = await import("./on-chain/check-evm.ts");
    const check = await checkEvm(session, lookup, call.flags.onChain === true);
    const isPlain = check.isChecked && statusOf(record) === "confirmed";
    return {
      ...check,
      ending: (symbol) => (isPlain ? check.ending(symbol) : withNotes(lookup, check.ending(symbol))),
    };
  }
  return { ending: () => withNotes(lookup, notesOfRecord(record, session, relayerId)) };
}

function withNotes({ record, was }: Lookup, { notes = [], ...ending }: Ending): Ending {
  return { ...ending, notes: [...previousHashNotes({ record, was }), ...notes] };
}

function requestFor(named: Named): ApiRequest {
  const parameters = { relayer_id: named.relayerId };
  return "id" in named
    ? { operation: operations["tx.get"], parameters: { ...parameters, transaction_id: named.id } }
    : { operation: operations["tx.get-by-nonce"], parameters: { ...parameters, nonce: named.nonce } };
}

import type { ApiRequest } from "../../client/request.ts";
import { refuseWithWeb, showsPage, WEB_FLAG } from "../../command-support/explorer-page.ts";
import { readId } from "../../command-support/ids.ts";
import { showIfDryRun } from "../../command-support/shown.ts";
import { isPositive } from "../../contract/amount.ts";
import { operations } from "../../contract/operations.ts";
import { integerFlag, type Problems } from "../../contract/problems.ts";
import { type Transaction, txReason, txStatus } from "../../contract/transaction/transaction.ts";
import { type BlockLine, type Cell, type Ending, toCell, type View, viewLines } from "../../terminal/view.ts";
import { outcomeNotes, outcomeStatusCell } from "../../views/transaction/outcome.ts";
import { transactionView, transactionViewIn } from "../../views/transaction/record.ts";
import { drawnSymbol } from "../coins/drawn-symbol.ts";
import { type Call, type CommandSyntax, createCommand, type ParsedFlags } from "../command.ts";
import { getSeveralArgument, getSeveralIds } from "../get-command.ts";
import { LOOKED_UP, senderArgument, transactionArgument } from "./arguments.ts";
import { shownCallLines } from "./call/shown-call.ts";
import { nodeFlag } from "./node-flag.ts";
import { type ChainLookup, lookupHashNotes, onChainLookup } from "./on-chain/lookup.ts";
import { createCallField, transactionReadView, withCallField } from "./record/call-field.ts";

/** A hash of EVM or Stellar, or a signature of Solana. */
const HASH = /^(?:0x)?[0-9a-f]{64}$|^[1-9a-hj-np-z]{64,88}$/i;

type Flags = ParsedFlags<typeof defineTxGet>;

type Typed = { relayerId: string; nodeUrl: string | undefined } & ({ ids: readonly string[] } | { nonce: string });

type Named = { relayerId: string; nodeUrl: string | undefined } & ({ id: string } | { nonce: string });

export const txGet = createCommand({
  summary: "Show transactions and what their records mean",
  sends: "read",
  ends: {
    partial: "some failed",
    conflict: "the relayer is paused or disabled (--on-chain)",
    unmet: "no hash, or a different outcome from the status (--on-chain); not confirmed (--watch); no page (--web)",
    mismatch: "record and chain differ (--on-chain, --watch)",
    pending: "the chain does not settle the outcome (--on-chain, --watch)",
  },
  examples: [
    "relayctl tx get eth-main-1 6f1a2c1e-0d0b-4a5f-9f5e-1b1c2d3e4f50",
    "relayctl tx get eth-main-1 6f1a2c1e-0d0b-4a5f-9f5e-1b1c2d3e4f50 --on-chain",
    "relayctl tx get eth-main-1 --nonce 7 --why -o json",
  ],
  resource: transactionReadView,
  contexts: { oneOnly: ["web"] },
  waits: ({ flags }: { flags: Flags }) => flags.watch === true,
  args: [
    { ...senderArgument, description: `ID of the relayer that sent the transaction; ${LOOKED_UP}` },
    { ...getSeveralArgument(transactionArgument, "<tx-ids...>"), unless: ["nonce"], unlessFound: true },
  ],
  paginates: ({ args }) => args.length > 2 || args[1] === "-",
  description:
    "Show one transaction as the service records it, and explain what the record means if its status would be misleading. With several IDs, list the records in the order of the IDs.",
  define: defineTxGet,
  prepare: prepareTxGet,
  run: runTxGet,
});

function defineTxGet(command: CommandSyntax) {
  return command
    .optionsGroup("Transaction")
    .option("--nonce <n>", "Find the transaction by nonce instead of ID (EVM only)")
    .option("--on-chain", "Compare the record with the chain through the relayer's node; exit 14 if the two differ")
    .option("--why", "Show why the transaction failed: a revert is replayed at the node, for its reason")
    .option(
      "--node <url>",
      "Node to ask instead of the relayer's (with --on-chain, --why, or --watch); a key in the URL is never printed",
    )
    .option("--watch", "Show the transaction live until the chain shows its outcome, as `relayctl tx wait` does")
    .option("--web", WEB_FLAG)
    .option("--was <hash>", "Hash before a replacement or cancellation, as shown in its receipt");
}

async function prepareTxGet(call: Call<Flags>, problems: Problems): Promise<Typed> {
  const { nonce, watch, onChain, why } = call.flags;
  const reads = { "--watch": watch, "--on-chain": onChain, "--why": why };
  const relayerId = await readId(call, problems, "relayer-id", call.args[0]);
  validateFlags(call.flags, problems);
  const nodeUrl = nodeFlag(call, problems, call.flags.node);
  if (nonce === undefined) {
    const { app, args, output } = call;
    const ids = await getSeveralIds({ app, args: args.slice(1), output }, problems, "transaction", "tx-id");
    refuseWithWeb(call, problems, ids.length, reads);
    if (ids.length > 1) (await import("./record/get-several.ts")).refuseSeveral(call.flags, problems);
    return { relayerId, nodeUrl, ids };
  }
  refuseWithWeb(call, problems, 1, reads);
  if (call.args[1] !== undefined) problems.add("--nonce", "cannot be combined with an id");
  return { relayerId, nodeUrl, nonce: String(integerFlag(problems, "--nonce", nonce, "a whole number from 0")) };
}

function validateFlags({ watch, onChain, was, node, why }: Flags, problems: Problems): void {
  if (was === "") problems.add("--was", "is empty");
  else if (was !== undefined && !HASH.test(was)) problems.add("--was", "must be a hash as in a receipt", was);
  if (watch && onChain) problems.add("--watch", "cannot be combined with --on-chain");
  if (watch && was !== undefined) problems.add("--watch", "cannot be combined with --was");
  if (why && (watch || onChain)) problems.add("--why", `cannot be combined with ${watch ? "--watch" : "--on-chain"}`);
  if (node !== undefined && !onChain && !watch && !why)
    problems.add("--node", "has no effect without --on-chain, --why, or --watch");
}

async function runTxGet(call: Call<Flags>, typed: Typed): Promise<View> {
  if (!("ids" in typed)) return await oneTransaction(call, typed);
  const { ids, relayerId, nodeUrl } = typed;
  const [id, ...more] = ids;
  if (id !== undefined && more.length === 0) return await oneTransaction(call, { relayerId, nodeUrl, id });
  return await (await import("./record/get-several.ts")).getSeveralTransactions(call, relayerId, ids);
}

async function oneTransaction(call: Call<Flags>, named: Named): Promise<View> {
  const shown = await showIfDryRun(call, requestFor(named));
  if (shown) return shown;
  const session = await call.session();
  const { tx } = session.client;
  const { relayerId } = named;
  const { data, body } =
    "id" in named ? await tx.get(relayerId, named.id) : await tx.getByNonce(relayerId, named.nonce);
  if (showsPage(call)) return await (await import("./record/explorer-page.ts")).txExplorerPage(call, relayerId, data);
  if (call.flags.watch) {
    const { waitForWrite } = await import("./wait/wait-for.ts");
    const plan = { goal: { until: "confirmed" as const }, usesChain: true, nodeUrl: named.nodeUrl };
    const resource = withCallField(transactionView, await createCallField(call));
    const view: View = { kind: "one", resource, value: data, body };
    return await waitForWrite(call, view, { relayerId, plan, before: undefined, wanted: "newest" });
  }
  const lookup = await onChainLookup(call, named, data);
  if (call.flags.why) return await (await import("./on-chain/check-evm.ts")).explainOnChain(call, lookup, body);
  const check = await readCheck(call, lookup);
  const isLarge = isPositive(data.value) || (check.seen !== undefined && isPositive(String(check.seen)));
  const symbol = isLarge ? await drawnSymbol(call, relayerId, lookup.relayer, call.flags.onChain) : undefined;
  const ending = await check.ending(symbol);
  const status = check.status ?? outcomeStatusCell(data);
  const drawn = transactionViewIn(
    () => symbol,
    () => status,
  );
  const view = withCallField(drawn, await createCallField(call));
  const below = [
    ...(await shownCallLines(call, data)),
    ...(await (await import("./stuck/stuck-ahead.ts")).pendingLines(call, relayerId, data)),
    ...(await revertLines(data, lookup)),
  ];
  const resource: typeof view = { ...view, block: (transaction) => [...view.block(transaction), ...below] };
  return {
    kind: "one",
    resource,
    value: data,
    body,
    ...(status.text !== toCell(data.status).text && { meaning: status.text }),
    ...ending,
  };
}

function requestFor(named: Named): ApiRequest {
  const parameters = { relayer_id: named.relayerId };
  return "id" in named
    ? { operation: operations["tx.get"], parameters: { ...parameters, transaction_id: named.id } }
    : { operation: operations["tx.get-by-nonce"], parameters: { ...parameters, nonce: named.nonce } };
}

async function revertLines(record: Transaction, { abis }: ChainLookup): Promise<BlockLine[]> {
  if (!txReason(record).includes("revert_data")) return [];
  const { recordedRevert } = await import("../../chain/simulation/recorded-revert.ts");
  const revert = await recordedRevert(record, abis);
  return revert?.reason ? viewLines("revert", [{ text: revert.reason.words, tone: "bad" }]) : [];
}

interface Check {
  status?: Cell;
  /** The value on the chain in wei, which decides whether the coin matters. */
  seen?: bigint | undefined;
  ending(symbol: string | undefined): Promise<Ending> | Ending;
}

/** Reads the chain with `--on-chain`, and for a `confirmed` EVM record; other records cost no call. */
async function readCheck(call: Call<{ onChain?: true }>, lookup: ChainLookup): Promise<Check> {
  const { record, relayerId, kind } = lookup;
  const session = await call.session();
  if (call.flags.onChain && kind !== "evm") {
    const { compareWithChain } = await import("../../views/transaction/compare-with-chain.ts");
    if (lookup.nodeUrl !== undefined) await call.say({ note: `--node has no effect on ${kind} transactions` });
    return {
      ending: async () => withNotes(lookup, await compareWithChain(session.client, relayerId, record, kind)),
    };
  }
  if (call.flags.onChain || (kind === "evm" && txStatus(record) === "confirmed")) {
    const { checkEvmRecord: checkEvm } = await import("./on-chain/check-evm.ts");
    const check = await checkEvm(session, lookup, call.flags.onChain === true);
    const isPlain = check.isChecked && txStatus(record) === "confirmed";
    return {
      ...check,
      ending: (symbol) => (isPlain ? check.ending(symbol) : withNotes(lookup, check.ending(symbol))),
    };
  }
  return { ending: () => withNotes(lookup, outcomeNotes(record, session, relayerId)) };
}

function withNotes({ record, was }: ChainLookup, { notes = [], ...ending }: Ending): Ending {
  return { ...ending, notes: [...lookupHashNotes({ record, was }), ...notes] };
}

import type { Command } from "commander";
import type { ApiRequest } from "../../client/request.ts";
import { readId } from "../../command-support/ids.ts";
import { integerFlag, type Problems } from "../../command-support/problems.ts";
import { nextWords } from "../../command-support/receipt-words.ts";
import type { Session } from "../../command-support/session/session.ts";
import { commandLine } from "../../command-support/shell-words.ts";
import { shownInstead } from "../../command-support/shown.ts";
import { isShownInCoin } from "../../contract/amount.ts";
import { operations } from "../../contract/operations.ts";
import type { Transaction } from "../../contract/transaction/transaction.ts";
import { statusOf } from "../../contract/transaction/transaction-state.ts";
import type { Ending, View } from "../../terminal/view.ts";
import { drawnSymbol } from "../coins/symbol-for.ts";
import type { Call, CommandFile } from "../command.ts";
import { senderArgument, transactionArgument } from "./arguments.ts";
import { outcomeOf, statusCell } from "./record/outcome.ts";
import { transactionView, transactionViewIn } from "./record/view.ts";

/** Returns what the hash from before a replacement or cancellation shows about a record (facts 5.5). */
function previousHashNotes(transaction: Transaction, was: string | undefined): string[] {
  const { hash } = transaction;
  if (was === undefined) return [];
  if (typeof hash !== "string") return ["the record has no hash to compare"];
  const isSame = hash.toLowerCase() === was.toLowerCase();
  if (statusOf(transaction) !== "confirmed") return [isSame ? "the hash is unchanged" : "the hash changed"];
  if (isSame) return ["the hash is unchanged: the original was mined, whatever the record shows"];
  return ["the hash changed: the mined transaction is not the original; only the chain is conclusive"];
}

interface Flags {
  nonce?: string;
  was?: string;
  onChain?: true;
}

/** A transaction by its ID, or by its nonce. */
type Named = { relayerId: string } & ({ id: string } | { nonce: string });

/** `relayctl tx get <relayer-id> <tx-id>` (facts 3.4); prints the meaning of the record next to it (facts 13). */
export const txGet: CommandFile<Flags, Named> = {
  summary: "Show one transaction and what its record means",
  sends: "read",
  ends: {
    conflict: "the relayer is paused or disabled (--on-chain)",
    unmet: "no hash to look up, or the chain does not settle the outcome (--on-chain)",
    mismatch: "record and chain differ (--on-chain)",
  },
  examples: [
    "relayctl tx get eth-main-1 6f1a2c1e-0d0b-4a5f-9f5e-1b1c2d3e4f50",
    "relayctl tx get eth-main-1 6f1a2c1e-0d0b-4a5f-9f5e-1b1c2d3e4f50 --on-chain",
    "relayctl tx get eth-main-1 --nonce 7 -o json",
  ],
  resource: transactionView,
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
    .option("--on-chain", "Also look up the hash at the relayer's node; exit 14 if the record and the chain differ")
    .option("--was <hash>", "Hash from before a replacement or cancellation, as shown in its receipt");
}

async function prepare(call: Call<Flags>, problems: Problems): Promise<Named> {
  const { nonce } = call.flags;
  const relayerId = await readId(call, problems, "relayer-id", call.args[0]);
  if (call.flags.was === "") problems.add("--was", "is empty");
  if (nonce === undefined) return { relayerId, id: await readId(call, problems, "tx-id", call.args[1]) };
  if (call.args[1] !== undefined) problems.add("--nonce", "cannot be combined with an id");
  return { relayerId, nonce: String(integerFlag(problems, "--nonce", nonce, "a whole number from 0")) };
}

async function run(call: Call<Flags>, named: Named): Promise<View> {
  const shown = await shownInstead(call, requestFor(named));
  if (shown) return shown;
  const session = await call.session();
  const { tx } = session.client;
  const { relayerId } = named;
  const { data, body } =
    "id" in named ? await tx.get(relayerId, named.id) : await tx.getByNonce(relayerId, named.nonce);
  const symbol = isShownInCoin(data.value) ? await drawnSymbol(call, relayerId) : undefined;
  const ending = call.flags.onChain
    ? await endingOnChain(call, relayerId, { transaction: data, symbol })
    : endingOf(call, relayerId, data, session);
  const meaning = outcomeOf(data) && { meaning: statusCell(data).text };
  const resource = transactionViewIn(() => symbol);
  return { kind: "one", resource, value: data, body, ...meaning, ...ending };
}

function requestFor(named: Named): ApiRequest {
  const parameters = { relayer_id: named.relayerId };
  return "id" in named
    ? { operation: operations["tx.get"], parameters: { ...parameters, transaction_id: named.id } }
    : { operation: operations["tx.get-by-nonce"], parameters: { ...parameters, nonce: named.nonce } };
}

function endingOf(call: Call<Flags>, relayerId: string, transaction: Transaction, session: Session): Ending {
  const see = nextWords.see(commandLine(...session.flags, "tx", "get", relayerId, transaction.id, "--on-chain"));
  return { notes: [...notesOf(call, transaction), ...(outcomeOf(transaction)?.askChain ? [see] : [])] };
}

/** Returns notes about the record, and about the previous hash. */
function notesOf({ flags }: Call<Flags>, transaction: Transaction): string[] {
  return [...(outcomeOf(transaction)?.more ?? []), ...previousHashNotes(transaction, flags.was)];
}

interface Found {
  transaction: Transaction;
  symbol: string | undefined;
}

async function endingOnChain(call: Call<Flags>, relayerId: string, { transaction, symbol }: Found): Promise<Ending> {
  const { compareWithChain } = await import("./on-chain/compare-with-chain.ts");
  const { client } = await call.session();
  const { notes = [], ...ending } = await compareWithChain(client, relayerId, transaction, {
    was: call.flags.was,
    symbol,
  });
  return { ...ending, notes: [...notesOf(call, transaction), ...notes] };
}

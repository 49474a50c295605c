import { type Examined, examine, examineConfirmed } from "../../../chain/examine.ts";
import { openChain, openNode } from "../../../chain/open-chain.ts";
import type { Session } from "../../../command-support/session/session.ts";
import { wireAmount } from "../../../contract/amount.ts";
import type { Transaction } from "../../../contract/transaction/transaction.ts";
import { statusOf } from "../../../contract/transaction/transaction-state.ts";
import type { Cell, Ending } from "../../../terminal/view.ts";
import { CHAIN_TIMEOUT } from "../../../timing.ts";
import { seeOnChain } from "../record/notes.ts";
import { outcomeOf, statusCell } from "../record/outcome.ts";
import { noHash } from "./compare-with-chain.ts";
import { evmEnding } from "./evm-ending.ts";
import type { Lookup } from "./lookup.ts";
import { nodeNotes, seenText, verdictCell } from "./verdict-words.ts";

/** What the chain shows of a record. */
export interface EvmCheck {
  status: Cell;
  seen: bigint | undefined;
  /** Whether the node responded, so that nothing has to be guessed from hashes. */
  isChecked: boolean;
  ending(symbol: string | undefined): Ending;
}

/** Reads the chain for an EVM record: everything with `--on-chain`, else its newest hash (facts 13.2, 16.1). */
export async function checkEvm(session: Session, lookup: Lookup, isOnChain: boolean): Promise<EvmCheck> {
  const { record, was } = lookup;
  const hasHash = typeof (record.hash ?? was) === "string" && (record.hash ?? was) !== "";
  const isByNonce = record.hash === undefined && wireAmount(record.nonce) !== undefined;
  if (isOnChain && !hasHash && !isByNonce) {
    const notes = outcomeOf(record)?.more ?? [];
    return {
      status: statusCell(record),
      seen: undefined,
      isChecked: false,
      ending: () => ({ notes, failure: noHash() }),
    };
  }
  const isWhole = isOnChain || isByNonce;
  const examined = isWhole ? await examineOnChain(session, lookup) : await examineRecord(session, lookup);
  return {
    status: statusOfExamined(record, examined),
    seen: examined.verdict.seen?.value,
    isChecked: examined.fault === undefined,
    ending: (symbol) =>
      isOnChain ? evmEnding(examined, lookup, symbol, session) : notesOf(examined, lookup, symbol, session),
  };
}

/** Returns the status with what the record means, unless the chain shows it better. */
export function statusOfExamined(record: Transaction, { verdict, fault }: Examined): Cell {
  const outcome = outcomeOf(record);
  const isSettled = verdict.verdict === "confirmed" && !outcome?.askChain;
  const isOpen = verdict.verdict === "pending" && statusOf(record) !== "confirmed";
  return outcome && (fault || isSettled || isOpen) ? statusCell(record) : verdictCell(record, verdict);
}

/** Asks for everything that the chain holds of a record. */
export async function examineOnChain(session: Session, lookup: Lookup): Promise<Examined> {
  const { client, remaining } = session;
  const { relayerId, relayer, record, was, nodeUrl, abis, now } = lookup;
  const hashes = [...(was === undefined ? [] : [was]), ...lookup.hashes];
  const ownNode = (network: string | undefined) => session.ownNode(network, { url: nodeUrl });
  const chain = await openChain({ client, relayerId, relayer, ownNode });
  const question = { relayerId, records: [record] as const, hashes, abis, now };
  return await examine(chain, client, { ...question, ...(remaining && { remaining }) });
}

/** Asks for the record's hash alone. The user's own node takes the calls that find out its network too. */
async function examineRecord(session: Session, { relayerId, relayer, record }: Lookup): Promise<Examined> {
  const client = session.briefly(CHAIN_TIMEOUT);
  const ownNode = (network: string | undefined) => session.ownNode(network, { timeout: CHAIN_TIMEOUT });
  const source = { client, relayerId, relayer, ownNode };
  const node = session.hasOwnNodes ? (await openChain(source)).node : openNode(source);
  return await examineConfirmed(node, record);
}

/** Returns notes about a record that reads `confirmed`: nothing if the chain shows what the record shows. */
function notesOf(examined: Examined, lookup: Lookup, symbol: string | undefined, session: Session): Ending {
  const { verdict, fault } = examined;
  const { record, relayerId } = lookup;
  const outcome = outcomeOf(record);
  if (verdict.verdict === "confirmed" && !fault) {
    const lack = verdict.isByRecord ? [`note: ${[verdict.why, ...verdict.missing].join(": ")}`] : [];
    return { notes: [...lack, ...nodeNotes(examined, relayerId)] };
  }
  const see = fault && !outcome?.askChain ? [] : [seeOnChain(record, session, relayerId)];
  if (fault) {
    const open = verdict.verdict === "pending" ? "not settled: " : "";
    const note = `note: ${open}the chain could not be checked: ${fault.words}`;
    return { notes: [...(outcome?.more ?? []), note, ...see] };
  }
  const found = verdict.seen ? [`chain: ${seenText(verdict.seen, symbol)}`] : [];
  return { notes: [`warning: ${verdict.why}`, ...found, ...nodeNotes(examined, relayerId), ...see] };
}

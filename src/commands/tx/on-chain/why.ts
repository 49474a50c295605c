import type { Verdict } from "../../../chain/verdict/verdict.ts";
import { verdictOf } from "../../../chain/verdict/verdict-of.ts";
import { isPositive } from "../../../contract/amount.ts";
import type { JsonObject } from "../../../contract/json.ts";
import type { Transaction } from "../../../contract/transaction/transaction.ts";
import { isPending, reasonOf, statusOf } from "../../../contract/transaction/transaction-state.ts";
import type { Session } from "../../../session/session.ts";
import { lines } from "../../../terminal/cells.ts";
import type { BlockLine, Cell, View } from "../../../terminal/view.ts";
import { reasonRows } from "../../../views/transaction/ending.ts";
import { outcomeOf, statusCell } from "../../../views/transaction/outcome.ts";
import { transactionViewIn } from "../../../views/transaction/record.ts";
import { drawnSymbol } from "../../coins/drawn-symbol.ts";
import type { Call } from "../../command.ts";
import { callLines } from "../call/shown-call.ts";
import { callReader, withCalls } from "../record/call-field.ts";
import { examineOnChain, statusOfExamined } from "./check-evm.ts";
import type { Lookup } from "./lookup.ts";

/** Why a transaction ended as it did, for scripts: the same members as in the result of a wait. */
interface Why extends JsonObject {
  verdict: string;
  why: string;
  by_record: boolean;
  /** Why it reverted, or else the service's own reason; null if there is none, or it is not known. */
  reason: string | null;
  revert_data: string | null;
  /** Why parts of what would show more are missing. */
  missing: string[];
}

interface Explained {
  status: Cell;
  why: Why;
  lines: readonly BlockLine[];
}

/** Explains a record: by its chain if it may have been signed, otherwise by what it shows itself (facts 5.1, 15.5). */
async function explain(session: Session, lookup: Lookup): Promise<Explained> {
  const { record, kind } = lookup;
  const isSigned = lookup.was !== undefined || [record.hash, record.nonce].some((field) => (field ?? null) !== null);
  if (kind !== "evm" || !isSigned) {
    const verdict = verdictOf({ records: [record], kind, confirmations: 0n, isUnraised: false });
    return explained(record, { ...verdict, isByRecord: true }, statusCell(record));
  }
  const examined = await examineOnChain(session, lookup);
  const { verdict, fault } = examined;
  const missing = fault ? [...verdict.missing, `the chain could not be read: ${fault.words}`] : verdict.missing;
  return explained(record, { ...verdict, missing }, statusOfExamined(record, examined));
}

function explained(record: Transaction, verdict: Verdict, status: Cell): Explained {
  const { reason, missing, isByRecord = false } = verdict;
  const why: Why = {
    verdict: verdict.verdict,
    why: whyText(record, verdict),
    by_record: isByRecord,
    reason: reason?.words ?? ownReason(record, verdict),
    revert_data: reason?.data ?? null,
    missing: [...missing],
  };
  const texts = [...(why.reason === null ? [] : [why.reason]), why.why, ...missing];
  const data = reasonRows(reason).filter(({ where }) => where === "revert data");
  return {
    status,
    why,
    lines: [
      ...lines(
        "why",
        texts.map((text) => ({ text })),
      ),
      ...data.flatMap(({ where, rule }) => lines(where, [{ text: rule }])),
    ],
  };
}

/** A transaction that has not ended has no reason yet. */
function whyText(record: Transaction, { verdict, why, isByRecord }: Verdict): string {
  const words = isByRecord && verdict !== "pending" ? outcomeOf(record)?.words : undefined;
  return words ?? (isPending(record) && verdict === "pending" ? `it has not ended: ${why}` : why);
}

function ownReason(record: Transaction, { verdict, isByRecord }: Verdict): string | null {
  const isOwn = isByRecord === true || verdict === statusOf(record);
  return isOwn && reasonOf(record) !== "" ? reasonOf(record) : null;
}

/** The columns of the explanation in tsv and csv, after those of the record. */
const FLAT = ["why.verdict", "why.why", "why.reason", "why.revert_data"];

export async function explainedTransaction(call: Call, lookup: Lookup, body: Uint8Array): Promise<View> {
  const { relayerId, record } = lookup;
  const { status, why, lines: below } = await explain(await call.session(), lookup);
  const symbol = isPositive(record.value) ? await drawnSymbol(call, relayerId, lookup.relayer) : undefined;
  const calls = await callLines(call, record);
  const drawn = transactionViewIn(
    () => symbol,
    () => status,
  );
  const view = withCalls(drawn, await callReader(call));
  const resource: typeof view = {
    ...view,
    flat: [...view.flat, ...FLAT],
    block: (transaction) => [...view.block(transaction), ...calls, ...below],
  };
  const value: Transaction = { ...record, why };
  return { kind: "one", resource, value, body };
}

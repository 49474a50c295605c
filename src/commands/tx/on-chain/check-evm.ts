import { type Examined, examineConfirmed, examineTx } from "../../../chain/examine.ts";
import { openChain, openChainNode } from "../../../chain/open-chain.ts";
import type { SeenVersion, Verdict, VerdictWord } from "../../../chain/verdict/verdict.ts";
import { verdictOfEvidence } from "../../../chain/verdict/verdict-of.ts";
import { currencyOf, formatAmount, isPositive, wireAmount } from "../../../contract/amount.ts";
import type { JsonObject } from "../../../contract/json.ts";
import { isPending, type Transaction, txReason, txStatus } from "../../../contract/transaction/transaction.ts";
import { type Problem, RelayctlError } from "../../../errors.ts";
import type { Session } from "../../../session/session.ts";
import { commandLine } from "../../../shell/shell-words.ts";
import { escapeText } from "../../../terminal/escape.ts";
import { type Cell, type Ending, type Tone, toCell, type View, viewLines } from "../../../terminal/view.ts";
import { CHAIN_TIMEOUT } from "../../../timing.ts";
import {
  comparedChainText,
  comparedEvmRecord,
  differencesOf,
  differsFromChain,
  noHashToCompare,
  notComparedWithChain,
} from "../../../views/transaction/compare-with-chain.ts";
import { endReasonLines, endReasonRows } from "../../../views/transaction/ending.ts";
import { outcomeStatusCell, seeOutcome, transactionOutcome } from "../../../views/transaction/outcome.ts";
import { transactionViewIn } from "../../../views/transaction/record.ts";
import { drawnSymbol } from "../../coins/drawn-symbol.ts";
import type { Call } from "../../command.ts";
import { shownCallLines } from "../call/shown-call.ts";
import { createCallField, withCallField } from "../record/call-field.ts";
import type { ChainLookup } from "./lookup.ts";

/** Fails if the chain contradicts the status (14), ended differently (13), or is open (15). */
function evmEnding(examined: Examined, lookup: ChainLookup, symbol: string | undefined, session: Session): Ending {
  const { verdict, facts, fault } = examined;
  const through = nodeNotes(examined, lookup.relayerId);
  const more = DOUBTFUL.includes(verdict.verdict) ? (transactionOutcome(lookup.record)?.more ?? []) : [];
  if (fault)
    return { notes: [...more, ...through], failure: notComparedWithChain(fault, verdictRows(verdict, symbol)) };
  const { seen } = verdict;
  const others = [...(facts?.hashes ?? [])].filter(([hash]) => hash !== seen?.hash);
  const looked = others.map(([hash, found]) => `chain: ${hash} ${comparedChainText(comparedEvmRecord(found))}`);
  const failure = checkFailure(examined, lookup, symbol, session);
  // The details of a failure show the transaction that was found.
  if (failure) return { notes: [...more, ...looked, ...through, ...unknownReason(verdict)], failure };
  const found = seen ? [`chain: ${seenText(seen, symbol)}`] : [];
  const reason = [...endReasonLines(verdict.reason), ...unknownReason(verdict)];
  return { notes: [...more, ...looked, ...found, ...through, `verdict ${verdict.verdict}: ${verdict.why}`, ...reason] };
}

function unknownReason({ verdict, missing }: Verdict): { note: string }[] {
  return verdict === "reverted" ? missing.map((words) => ({ note: words })) : [];
}

/** Verdicts that leave or confirm the doubts that a record raises. */
const DOUBTFUL: readonly string[] = ["cancel_too_late", "earlier_version", "pending"];

const CONTRADICTIONS: readonly string[] = ["cancel_too_late", "earlier_version", "foreign"];

function checkFailure(
  { verdict, facts }: Examined,
  { record, relayerId }: ChainLookup,
  symbol: string | undefined,
  session: Session,
): RelayctlError | undefined {
  const recorded = facts?.hashes.get(record.hash?.toLowerCase() ?? "");
  const isUnseen = recorded === undefined || (recorded === null && facts?.delay !== undefined);
  const differences = isUnseen ? [] : differencesOf(record, comparedEvmRecord(recorded), symbol);
  const details = [...differences, ...verdictRows(verdict, symbol)];
  const because = verdict.missing.map((words) => `missing: ${words}`);
  if (CONTRADICTIONS.includes(verdict.verdict)) return differsFromChain(details);
  if (verdict.verdict === "never_broadcast") {
    const hint = commandLine(...session.flags, "tx", "cancel", relayerId, record.id);
    const message = "the version that the record shows will never be sent";
    const canCancel = verdict.obstacle === "cap";
    return new RelayctlError("unmet", message, { details: verdictRows(verdict, symbol), ...(canCancel && { hint }) });
  }
  if (differences.length > 0 || isRevived(record, verdict)) return differsFromChain(details);
  if (agreesWithChain(record, verdict)) return undefined;
  const { seen } = verdict;
  if (verdict.verdict === "pending")
    return new RelayctlError("pending", seen?.block === undefined ? UNSETTLED : NOT_FINAL, { details, because });
  return new RelayctlError("unmet", "the chain shows a different outcome from the status", { details });
}

const UNSETTLED = "the outcome is unknown: no known hash of the transaction was mined";
const NOT_FINAL = "the outcome is not final: too few blocks follow";

function verdictRows(found: Verdict, symbol: string | undefined): Problem[] {
  const { verdict, why, seen } = found;
  const chain = seen ? [{ where: "chain", rule: seenText(seen, symbol) }] : [];
  return [{ where: "verdict", given: verdict, rule: why }, ...chain, ...endReasonRows(found.reason)];
}

function isRevived(record: Transaction, { verdict }: Verdict): boolean {
  return verdict === "confirmed" && ["failed", "canceled", "expired"].includes(txStatus(record));
}

/** Returns whether the verdict is what the status says. A record in progress may lag. */
function agreesWithChain(record: Transaction, { verdict }: Verdict): boolean {
  const status = txStatus(record);
  if (isPending(record) || status === "mined") return verdict === "pending" || verdict === "confirmed";
  return verdict === status || (status === "failed" && verdict === "reverted");
}

interface EvmCheck {
  status: Cell;
  seen: bigint | undefined;
  /** Whether the node responded, so that nothing has to be guessed from hashes. */
  isChecked: boolean;
  ending(symbol: string | undefined): Ending;
}

/** Reads the chain for an EVM record: everything with `--on-chain`, otherwise its newest hash (facts 13.2, 16.1). */
export async function checkEvmRecord(session: Session, lookup: ChainLookup, isOnChain: boolean): Promise<EvmCheck> {
  const { record, was } = lookup;
  const hasHash = typeof (record.hash ?? was) === "string" && (record.hash ?? was) !== "";
  const isByNonce = record.hash === undefined && wireAmount(record.nonce) !== undefined;
  if (isOnChain && !hasHash && !isByNonce) {
    const notes = transactionOutcome(record)?.more ?? [];
    return {
      status: outcomeStatusCell(record),
      seen: undefined,
      isChecked: false,
      ending: () => ({ notes, failure: noHashToCompare() }),
    };
  }
  const isWhole = isOnChain || isByNonce;
  const examined = isWhole ? await examineOnChain(session, lookup) : await examineRecord(session, lookup);
  return {
    status: statusOfExamined(record, examined),
    seen: examined.verdict.seen?.value,
    isChecked: examined.fault === undefined,
    ending: (symbol) =>
      isOnChain ? evmEnding(examined, lookup, symbol, session) : checkEnding(examined, lookup, symbol, session),
  };
}

/** Returns the status with the record's meaning, unless the chain shows it better. */
function statusOfExamined(record: Transaction, { verdict, fault }: Examined): Cell {
  const outcome = transactionOutcome(record);
  const isSettled = verdict.verdict === "confirmed" && !outcome?.askChain;
  const isOpen = verdict.verdict === "pending" && txStatus(record) !== "confirmed";
  return outcome && (fault || isSettled || isOpen) ? outcomeStatusCell(record) : verdictCell(record, verdict);
}

async function examineOnChain(session: Session, lookup: ChainLookup): Promise<Examined> {
  const { client, remaining } = session;
  const { relayerId, relayer, record, was, nodeUrl, abis, now } = lookup;
  const hashes = [...(was === undefined ? [] : [was]), ...lookup.hashes];
  const chain = await openChain({ client, relayerId, relayer, ownNode: session.ownNode, own: { url: nodeUrl } });
  const question = { relayerId, records: [record] as const, hashes, abis, now };
  return await examineTx(chain, client, { ...question, ...(remaining && { remaining }) });
}

/** Asks only for the record's hash. The user's node also takes the calls that find out its network. */
async function examineRecord(session: Session, { relayerId, relayer, record }: ChainLookup): Promise<Examined> {
  const client = session.briefly(CHAIN_TIMEOUT);
  const source = { client, relayerId, relayer, ownNode: session.ownNode, own: { timeout: CHAIN_TIMEOUT } };
  const node = session.hasOwnNodes ? (await openChain(source)).node : openChainNode(source);
  return await examineConfirmed(node, record);
}

function checkEnding(examined: Examined, lookup: ChainLookup, symbol: string | undefined, session: Session): Ending {
  const { verdict, fault } = examined;
  const { record, relayerId } = lookup;
  const outcome = transactionOutcome(record);
  if (verdict.verdict === "confirmed" && !fault) {
    const lack = verdict.isByRecord ? [{ note: [verdict.why, ...verdict.missing].join(": ") }] : [];
    return { notes: [...lack, ...nodeNotes(examined, relayerId)] };
  }
  const see = fault && !outcome?.askChain ? [] : [seeOutcome(record, session, relayerId)];
  if (fault) {
    const open = verdict.verdict === "pending" ? "not settled: " : "";
    const note = { note: `${open}the chain could not be checked: ${fault.words}` };
    return { notes: [...(outcome?.more ?? []), note, ...see] };
  }
  const found = verdict.seen ? [`chain: ${seenText(verdict.seen, symbol)}`] : [];
  return { notes: [{ warning: verdict.why }, ...found, ...nodeNotes(examined, relayerId), ...see] };
}

/** Words for verdicts after the status; other verdicts have a reason. */
const WORDS: Partial<Record<VerdictWord, string>> = {
  cancel_too_late: "too late to cancel: the original was mined",
};

const TONES: Partial<Record<VerdictWord, Tone>> = { confirmed: "good", pending: "warn" };

/** Returns the status with the chain's result: `confirmed · a different version was mined than the record shows`. */
function verdictCell(transaction: Transaction, { verdict, why, isByRecord }: Verdict): Cell {
  const status = toCell(transaction.status).text;
  const tone = TONES[verdict] ?? "bad";
  if (verdict === "confirmed" && isByRecord) return { text: `${status} (by the record)` };
  const isOpen = verdict === "pending" && txStatus(transaction) !== "confirmed";
  if (verdict === txStatus(transaction) || isOpen) return { text: status, tone };
  return { text: `${status} · ${WORDS[verdict] ?? (verdict === "pending" ? `not settled: ${why}` : why)}`, tone };
}

function seenText({ hash, block, ...version }: SeenVersion, symbol: string | undefined): string {
  const place = block === undefined ? "waits to be mined" : `was mined in block ${block}`;
  return `${hash} ${place}: ${versionText(version, symbol)}`;
}

function versionText({ to, value, data }: Omit<SeenVersion, "hash" | "block">, symbol: string | undefined): string {
  const amount = formatAmount(value, currencyOf("evm", symbol));
  const bytes = (data.length - 2) / 2;
  const call = bytes === 0 ? "" : `, ${bytes} bytes of data`;
  return `${amount} ${to === null ? "to a new contract" : `to ${escapeText(to)}`}${call}`;
}

function nodeNotes({ node }: { node: string }, relayerId: string): string[] {
  return node === `the node of ${relayerId}` ? [] : [`the chain was read through ${node}`];
}

/** Why a transaction ended as it did, for scripts: the same members as in the result of a wait. */
interface Why extends JsonObject {
  verdict: string;
  why: string;
  by_record: boolean;
  /** Why it reverted, or the service's reason; null if unknown. */
  reason: string | null;
  revert_data: string | null;
  missing: string[];
}

async function explainLookup(session: Session, lookup: ChainLookup): Promise<ReturnType<typeof explainVerdict>> {
  const { record, kind } = lookup;
  const isSigned = lookup.was !== undefined || [record.hash, record.nonce].some((field) => (field ?? null) !== null);
  if (kind !== "evm" || !isSigned) {
    const verdict = verdictOfEvidence({ records: [record], kind, confirmations: 0n, isUnraised: false });
    return explainVerdict(record, { ...verdict, isByRecord: true }, outcomeStatusCell(record));
  }
  const examined = await examineOnChain(session, lookup);
  const { verdict, fault } = examined;
  const missing = fault ? [...verdict.missing, `the chain could not be read: ${fault.words}`] : verdict.missing;
  return explainVerdict(record, { ...verdict, missing }, statusOfExamined(record, examined));
}

function explainVerdict(record: Transaction, verdict: Verdict, status: Cell) {
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
  const data = endReasonRows(reason).filter(({ where }) => where === "revert data");
  return {
    status,
    why,
    lines: [
      ...viewLines(
        "why",
        texts.map((text) => ({ text })),
      ),
      ...data.flatMap(({ where, rule }) => viewLines(where, [{ text: rule }])),
    ],
  };
}

/** A transaction that has not ended has no reason yet. */
function whyText(record: Transaction, { verdict, why, isByRecord }: Verdict): string {
  const words = isByRecord && verdict !== "pending" ? transactionOutcome(record)?.words : undefined;
  return words ?? (isPending(record) && verdict === "pending" ? `it has not ended: ${why}` : why);
}

function ownReason(record: Transaction, { verdict, isByRecord }: Verdict): string | null {
  const isOwn = isByRecord === true || verdict === txStatus(record);
  return isOwn && txReason(record) !== "" ? txReason(record) : null;
}

/** The columns of the explanation in tsv and csv, after the record's columns. */
const FLAT = ["why.verdict", "why.why", "why.reason", "why.revert_data"];

export async function explainOnChain(call: Call, lookup: ChainLookup, body: Uint8Array): Promise<View> {
  const { relayerId, record } = lookup;
  const { status, why, lines: below } = await explainLookup(await call.session(), lookup);
  const symbol = isPositive(record.value) ? await drawnSymbol(call, relayerId, lookup.relayer) : undefined;
  const calls = await shownCallLines(call, record);
  const drawn = transactionViewIn(
    () => symbol,
    () => status,
  );
  const view = withCallField(drawn, await createCallField(call));
  const resource: typeof view = {
    ...view,
    flat: [...view.flat, ...FLAT],
    block: (transaction) => [...view.block(transaction), ...calls, ...below],
  };
  const value: Transaction = { ...record, why };
  return { kind: "one", resource, value, body };
}

import { buildWaitResult, type WaitResult, waitResultWithoutChain } from "../../chain/follow/wait-result.ts";
import { currencyOf, formatAmount } from "../../contract/amount.ts";
import { groupDigits } from "../../contract/decimal.ts";
import type { JsonValue } from "../../contract/json.ts";
import { durationText } from "../../terminal/text/duration.ts";
import {
  type Cell,
  type ResourceView,
  type ScreenLine,
  type SignName,
  type Tone,
  toCell,
  toColumn,
  viewPlainFields,
} from "../../terminal/view.ts";

export type SymbolOf = (relayerId: string) => string | undefined;

const ALL = Object.keys(buildWaitResult({ relayerId: "", id: "" }));
const FIELDS = ALL.filter((field) => field !== "revert_data" && field !== "missing");

export function waitViewIn(symbolOf: SymbolOf, took?: number): ResourceView<WaitResult> {
  return {
    one: "transaction",
    many: "transactions",
    table: ["relayer_id", "id", "verdict", "nonce", "block", "hash"].map((key) => toColumn(key, key)),
    flat: FIELDS,
    fields: ALL,
    block: viewPlainFields([...FIELDS, "missing"]).block,
    screen: (found) =>
      found.length === 1 ? found.flatMap((result) => endLines(result, symbolOf, took)) : screenLines(found, symbolOf),
  };
}

export const waitView = waitViewIn(() => undefined);

function screenLines(found: readonly WaitResult[], symbolOf: SymbolOf): ScreenLine[] {
  const isOneRelayer = new Set(found.map(({ relayer_id: id }) => id)).size <= 1;
  return found.map((result) => ({
    label: labelFor(result),
    name: isOneRelayer ? result.id : `${result.relayer_id}/${result.id}`,
    words: wordsOfEnd(result),
    facts: endFacts(result, symbolOf(result.relayer_id)),
  }));
}

function wordsOfEnd({ why, by_record: byRecord, reason, missing, end }: WaitResult): string[] {
  if (end === "reached" && !byRecord) return [];
  const words = [
    byRecord ? waitResultWithoutChain({ why, missing }) : (why ?? ""),
    ...(reason === null ? [] : [`reason: ${reason}`]),
    ...missing,
  ];
  return words.filter((text) => text !== "");
}

function endLines(result: WaitResult, symbolOf: SymbolOf, took: number | undefined): ScreenLine[] {
  const { relayer_id: relayer, id, hash, block, nonce, fee_paid: fee, value, to, end } = result;
  const coin = currencyOf("evm", symbolOf(relayer));
  const label = labelFor(result);
  const rows: (readonly [string, string])[] = [
    ["to", value === null ? "" : (to ?? "")],
    ...wordsOfEnd(result).map((text, at) => [at === 0 ? "why" : "", text] as const),
    ["id", id],
    ["hash", hash ?? ""],
    ["block", factText(block)],
    ["fee", fee === null ? "" : formatAmount(BigInt(fee), coin)],
    ["nonce", factText(nonce)],
    ["time", took === undefined ? "" : durationText(took)],
  ];
  return [
    {
      label: { ...label, sign: SIGNS_OF_END[end ?? ""] ?? "active", keepsText: true },
      name: value === null ? `transaction of ${relayer}` : `${formatAmount(BigInt(value), coin)} from ${relayer}`,
      words: [],
      rows: rows.filter(([, text]) => text !== ""),
    },
  ];
}

export function waitEndSummary(found: readonly WaitResult[], symbolOf: SymbolOf, took: number | undefined): string {
  const reached = found.filter(({ end }) => end === "reached");
  const gone = found.filter(({ end }) => end === "gone").length;
  const open = found.filter(({ end, verdict }) => end !== "gone" && (end === "pending" || verdict === null)).length;
  const others = found.length - reached.length - gone - open;
  const word = new Set(reached.map((result) => labelFor(result).text));
  const counts = [
    reached.length === 0 ? "" : `${groupDigits(reached.length)} ${word.size === 1 ? [...word][0] : "as requested"}`,
    others === 0 ? "" : `${groupDigits(others)} failed`,
    open === 0 ? "" : `${groupDigits(open)} in progress`,
    gone === 0 ? "" : `${groupDigits(gone)} unknown`,
  ];
  const fees = new Map<string | undefined, bigint>();
  for (const { relayer_id: relayer, fee_paid: fee } of found)
    if (fee !== null) fees.set(symbolOf(relayer), (fees.get(symbolOf(relayer)) ?? 0n) + BigInt(fee));
  const sums = [...fees].map(([symbol, sum]) => formatAmount(sum, currencyOf("evm", symbol)));
  const parts = [counts.filter((text) => text !== "").join(", "), sums.length === 0 ? "" : `fees ${sums.join(" + ")}`];
  return [...parts, took === undefined ? "" : durationText(took)].filter((text) => text !== "").join("; ");
}

const SIGNS_OF_END: Readonly<Record<string, SignName>> = {
  reached: "good",
  unmet: "bad",
  mismatch: "bad",
  gone: "bad",
  pending: "attention",
};

const TONES: Readonly<Record<string, Tone>> = {
  reached: "good",
  unmet: "bad",
  mismatch: "bad",
  gone: "bad",
  pending: "warn",
};

function labelFor({ end, verdict, status, by_record: byRecord }: WaitResult): Cell {
  if (verdict === "confirmed" && byRecord === true) return { text: "confirmed (by the record)" };
  const text = verdict === "pending" || verdict === null ? (status ?? "not read yet") : verdict.replaceAll("_", " ");
  return { text, tone: TONES[end ?? ""] };
}

function endFacts({ nonce, block, to, value, fee_paid: fee, hash }: WaitResult, symbol: string | undefined): string[] {
  const coin = currencyOf("evm", symbol);
  const amount = value === null ? "" : `${formatAmount(BigInt(value), coin)}${to === null ? "" : ` to ${to}`}`;
  const facts = [
    labeledText("nonce", nonce),
    labeledText("block", block),
    fee === null ? "" : `fee ${formatAmount(BigInt(fee), coin)}`,
    amount,
    hash ?? "",
  ];
  return facts.filter((fact) => fact !== "");
}

function labeledText(label: string, value: JsonValue): string {
  const text = factText(value);
  return text === "" ? "" : `${label} ${text}`;
}

function factText(value: JsonValue): string {
  return value === null || value === undefined ? "" : toCell(value).text;
}

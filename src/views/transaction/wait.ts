import { type WaitResult, withoutChain } from "../../chain/follow/wait-result.ts";
import { coinAmount } from "../../contract/amount.ts";
import { currencyOf } from "../../contract/currency.ts";
import { cell, column, lines } from "../../terminal/cells.ts";
import type { ScreenLine } from "../../terminal/screen-line.ts";
import type { BlockLine, Cell, ResourceView, Tone } from "../../terminal/view.ts";

/** Returns the symbol of the coin of a relayer's network, if known. */
export type SymbolOf = (relayerId: string) => string | undefined;

const FIELDS = [
  "relayer_id",
  "id",
  "end",
  "verdict",
  "why",
  "by_record",
  "status",
  "nonce",
  "ahead",
  "hash",
  "block",
  "to",
  "value",
  "fee_paid",
  "reason",
];

/** Returns the view of what became of transactions: one screen for users, one object each for scripts. */
export function waitViewIn(symbolOf: SymbolOf): ResourceView<WaitResult> {
  return {
    one: "transaction",
    many: "transactions",
    table: ["relayer_id", "id", "verdict", "nonce", "block", "hash"].map((key) => column(key, key)),
    flat: FIELDS,
    fields: [...FIELDS, "revert_data", "missing"],
    block: listBlocks,
    screen: (found) => listScreens(found, symbolOf),
  };
}

/** The view with values in wei. */
export const waitView = waitViewIn(() => undefined);

function listBlocks(result: WaitResult): BlockLine[] {
  return [...FIELDS, "missing"].flatMap((key) => lines(key.replaceAll("_", " "), [cell(result[key])]));
}

function listScreens(found: readonly WaitResult[], symbolOf: SymbolOf): ScreenLine[] {
  const isOneRelayer = new Set(found.map(({ relayer_id: id }) => id)).size <= 1;
  return found.map((result) => {
    const { relayer_id: relayer, id, why, by_record: byRecord, reason, missing } = result;
    const words = [
      byRecord ? withoutChain(why) : (why ?? ""),
      ...(reason === null ? [] : [`reason: ${reason}`]),
      ...missing,
    ];
    return {
      label: buildLabel(result),
      name: isOneRelayer ? id : `${relayer}/${id}`,
      words: words.filter((text) => (text !== "" && result.end !== "reached") || byRecord),
      facts: endFacts(result, symbolOf(relayer)),
    };
  });
}

const TONES: Readonly<Record<string, Tone>> = {
  reached: "good",
  unmet: "bad",
  mismatch: "bad",
  gone: "bad",
  pending: "warn",
};

/** Returns what became of a transaction in a word or two, or its status while it is in progress. */
function buildLabel({ end, verdict, status, by_record: byRecord }: WaitResult): Cell {
  if (verdict === "confirmed" && byRecord === true) return { text: "confirmed (by the record)" };
  const text = verdict === "pending" || verdict === null ? (status ?? "not read yet") : verdict.replaceAll("_", " ");
  return { text, tone: TONES[end ?? ""] };
}

function endFacts({ nonce, block, to, value, fee_paid: fee, hash }: WaitResult, symbol: string | undefined): string[] {
  const coin = currencyOf("evm", symbol);
  const amount = value === null ? "" : `${coinAmount(BigInt(value), coin)}${to === null ? "" : ` to ${to}`}`;
  const facts = [
    named("nonce", nonce),
    named("block", block),
    fee === null ? "" : `fee ${coinAmount(BigInt(fee), coin)}`,
    amount,
    hash ?? "",
  ];
  return facts.filter((fact) => fact !== "");
}

function named(label: string, value: WaitResult[string]): string {
  return value === null || value === undefined ? "" : `${label} ${cell(value).text}`;
}

import type { SeenVersion, Verdict, VerdictWord } from "../../../chain/verdict/verdict.ts";
import { formatAmount } from "../../../contract/amount.ts";
import { currencyOf } from "../../../contract/currency.ts";
import type { Transaction } from "../../../contract/transaction/transaction.ts";
import { statusOf } from "../../../contract/transaction/transaction-state.ts";
import { visible } from "../../../terminal/escape.ts";
import type { Cell, Tone } from "../../../terminal/view.ts";
import { cell } from "../../cells.ts";

/** Words for verdicts that are shown after the status; the others show why. */
const WORDS: Partial<Record<VerdictWord, string>> = {
  cancel_too_late: "too late to cancel: the original was mined",
};

const TONES: Partial<Record<VerdictWord, Tone>> = { confirmed: "good", pending: "warn" };

/** Returns the status next to what the chain shows: `confirmed · another version than the record's was mined`. */
export function verdictCell(transaction: Transaction, { verdict, why, isByRecord }: Verdict): Cell {
  const status = cell(transaction.status).text;
  const tone = TONES[verdict] ?? "bad";
  if (verdict === "confirmed" && isByRecord) return { text: `${status} (by the record)` };
  const isOpen = verdict === "pending" && statusOf(transaction) !== "confirmed";
  if (verdict === statusOf(transaction) || isOpen) return { text: status, tone };
  return { text: `${status} · ${WORDS[verdict] ?? (verdict === "pending" ? `not settled: ${why}` : why)}`, tone };
}

/** Returns a mined transaction in words: `0xf811… was mined in block 42: …`. @param symbol of the coin, if known */
export function seenText({ hash, block, ...version }: SeenVersion, symbol: string | undefined): string {
  const place = block === undefined ? "waits to be mined" : `was mined in block ${block}`;
  return `${hash} ${place}: ${versionText(version, symbol)}`;
}

/** Returns what a version does: `0.25 ETH to 0x3c44…`. */
function versionText({ to, value, data }: Omit<SeenVersion, "hash" | "block">, symbol: string | undefined): string {
  const amount = formatAmount(value, currencyOf("evm", symbol));
  const bytes = (data.length - 2) / 2;
  const call = bytes === 0 ? "" : `, ${bytes} bytes of data`;
  return `${amount} ${to === null ? "to a new contract" : `to ${visible(to)}`}${call}`;
}

/** Returns a note about the node, if it is not the relayer's. */
export function nodeNotes({ node }: { node: string }, relayerId: string): string[] {
  return node === `the node of ${relayerId}` ? [] : [`the chain was read through ${node}`];
}

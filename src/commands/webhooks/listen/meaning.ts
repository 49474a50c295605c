import { counted, grouped } from "../../../contract/decimal.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../contract/json.ts";
import type { Relayer } from "../../../contract/resources/relayer.ts";
import type { Transaction } from "../../../contract/transaction/transaction.ts";
import type { RowSign, Tone } from "../../../terminal/view.ts";
import { cell } from "../../cells.ts";
import { outlookLine, outlookOf } from "../../relayers/disabled/outlook.ts";
import { seeOnChain } from "../../tx/record/notes.ts";
import { outcomeOf, statusCell } from "../../tx/record/outcome.ts";

/** What an event means. Texts are raw. */
export interface Meaning {
  sign: RowSign;
  /** The state in one word: `confirmed`, `disabled`. */
  state: string;
  tone?: Tone | undefined;
  relayer?: string;
  /** What the event is about, e.g. the ID of a transaction. */
  subject?: string;
  /** What the state means: `too late to cancel: the original was mined`. */
  words?: string;
  /** The command that shows more. */
  see?: string;
}

/**
 * Returns what an event means, in the words of `tx get` and `relayers status`.
 * @param flags the flags that a command repeats to reach the same service
 */
export function meaningOf({ event, payload }: JsonObject, flags: readonly string[]): Meaning {
  const name = text(event) || "event without a name";
  if (!isJsonObject(payload)) return { sign: { sign: "attention", tone: "warn" }, state: name };
  switch (payload.payload_type) {
    case "transaction":
      return typeof payload.id === "string" ? ofTransaction(payload as Transaction, flags) : other(name, payload);
    case "relayer_disabled":
      return ofDisabled(payload, flags);
    case "relayer_enabled":
      return ofEnabled(payload);
    case "solana_dex":
    case "stellar_dex":
      return ofSwaps(name, payload);
    default:
      return other(name, payload);
  }
}

/** Returns the meaning on one line: `confirmed · too late to cancel: the original was mined`. */
export function meaningText({ state, words }: Meaning): string {
  return words === undefined ? state : `${state} · ${words}`;
}

const ENDED_BADLY: readonly (string | undefined)[] = ["bad", "warn"];

function ofTransaction(transaction: Transaction, flags: readonly string[]): Meaning {
  const { tone } = statusCell(transaction);
  const outcome = outcomeOf(transaction);
  const relayer = text(transaction.relayer_id);
  const sign = tone === "good" || tone === "bad" ? tone : tone === "warn" ? "attention" : "active";
  const reason = ENDED_BADLY.includes(tone) ? text(transaction.status_reason) : "";
  const words = outcome?.words ?? reason;
  return {
    sign: { sign, tone },
    state: cell(transaction.status).text,
    tone,
    subject: transaction.id,
    ...(relayer && { relayer }),
    ...(words && { words }),
    ...(outcome?.askChain && relayer && { see: seeOnChain(transaction, { flags: [...flags] }, relayer) }),
  };
}

function ofDisabled({ relayer, disable_reason: reason }: JsonObject, flags: readonly string[]): Meaning {
  const known = isJsonObject(relayer) && typeof relayer.id === "string" ? (relayer as Relayer) : undefined;
  const words = known?.disabled_reason ? outlookLine(outlookOf(known, flags)) : text(reason);
  return {
    sign: { sign: "bad", tone: "bad" },
    state: "disabled",
    tone: "bad",
    ...(known && { relayer: known.id }),
    ...(words && { words }),
  };
}

function ofEnabled({ relayer, retry_count: retries }: JsonObject): Meaning {
  const id = isJsonObject(relayer) ? text(relayer.id) : "";
  const paused = isJsonObject(relayer) && relayer.paused === true ? "; still paused by an operator" : "";
  const checks = typeof retries === "number" ? `after ${counted(retries, "retry", "retries")}` : "";
  const words = `${checks}${paused}`.replace(/^; /, "");
  return {
    sign: { sign: "good", tone: "good" },
    state: "enabled",
    tone: "good",
    ...(id && { relayer: id }),
    ...(words && { words }),
  };
}

function ofSwaps(name: string, { swap_results: swaps }: JsonObject): Meaning {
  const all = Array.isArray(swaps) ? swaps : [];
  const failed = all.filter((swap) => isJsonObject(swap) && (swap.error ?? null) !== null).length;
  const words = `${counted(all.length, "swap")}${failed === 0 ? "" : `, ${grouped(failed)} failed`}`;
  const tone = failed === 0 ? "good" : "bad";
  return { sign: { sign: tone, tone }, state: name, tone, words };
}

function other(name: string, { signature, payload_type: type }: JsonObject): Meaning {
  const subject = text(signature);
  const words = type === "solana_rpc" ? "" : text(type);
  return { sign: { sign: "active" }, state: name, ...(subject && { subject }), ...(words && { words }) };
}

function text(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}

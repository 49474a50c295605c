import type { Clock } from "../../../client/clock.ts";
import { commonTargetFlags } from "../../../command-support/common-flags.ts";
import { liveTimeOfDay } from "../../../command-support/live.ts";
import { labelReader, printerOf } from "../../../command-support/printing.ts";
import { groupDigits, pluralize } from "../../../contract/decimal.ts";
import { isJsonObject, type JsonObject, listIn, objectIn, textIn, withLastJsonMember } from "../../../contract/json.ts";
import type { Relayer } from "../../../contract/resources/relayer.ts";
import type { Transaction } from "../../../contract/transaction/transaction.ts";
import { describeDisabledRecovery, disabledRecoveryLine } from "../../../relayer-state/disabled.ts";
import { asciiText } from "../../../terminal/ascii.ts";
import { escapeJson, escapeText } from "../../../terminal/escape.ts";
import { ndjsonLineWith } from "../../../terminal/formats/ndjson.ts";
import { rowFormat } from "../../../terminal/render/row-format.ts";
import { parseFields } from "../../../terminal/select/fields.ts";
import { derivedAdder, valueAtPath } from "../../../terminal/select/path.ts";
import { createStyle, type Style } from "../../../terminal/style.ts";
import { cutText } from "../../../terminal/text/cut.ts";
import { type RowSign, SIGNS, type Tone, toCell } from "../../../terminal/view.ts";
import { spacesToWidth, textWidth } from "../../../terminal/width.ts";
import { wrapText } from "../../../terminal/wrap.ts";
import { type DeliveryFacts, webhookEventView } from "../../../views/delivery.ts";
import { outcomeStatusCell, seeOutcome, transactionOutcome } from "../../../views/transaction/outcome.ts";
import type { AcceptedEvent } from "../../../webhooks/intake.ts";
import type { Call } from "../../command.ts";
import type { ListenFlags, ListenSettings } from "./settings.ts";

interface Meaning {
  sign: RowSign;
  /** In one word: `confirmed`, `disabled`. */
  state: string;
  tone?: Tone | undefined;
  relayer?: string;
  subject?: string;
  /** `too late to cancel: the original was mined`. */
  words?: string;
  see?: string;
}

/** Returns an event's meaning, in the words of `tx get` and `relayers status`. @param flags to reach the service */
export function printedEventMeaning({ event, payload }: JsonObject, flags: readonly string[]): Meaning {
  const name = textIn(event) || "event without a name";
  if (!isJsonObject(payload)) return { sign: { sign: "attention", tone: "warn" }, state: name };
  switch (payload.payload_type) {
    case "transaction":
      return typeof payload.id === "string"
        ? transactionMeaning(payload as Transaction, flags)
        : otherMeaning(name, payload);
    case "relayer_disabled":
      return disabledMeaning(payload, flags);
    case "relayer_enabled":
      return enabledMeaning(payload);
    case "solana_dex":
    case "stellar_dex":
      return swapsMeaning(name, payload);
    default:
      return otherMeaning(name, payload);
  }
}

/** Returns the meaning on one line: `confirmed · too late to cancel: the original was mined`. */
function meaningText({ state, words }: Meaning): string {
  return words === undefined ? state : `${state} · ${words}`;
}

const ENDED_BADLY: readonly (string | undefined)[] = ["bad", "warn"];

function transactionMeaning(transaction: Transaction, flags: readonly string[]): Meaning {
  const { tone } = outcomeStatusCell(transaction);
  const outcome = transactionOutcome(transaction);
  const relayer = textIn(transaction.relayer_id);
  const sign = tone === "good" || tone === "bad" ? tone : tone === "warn" ? "attention" : "active";
  const reason = ENDED_BADLY.includes(tone) ? textIn(transaction.status_reason) : "";
  const words = outcome?.words ?? reason;
  return {
    sign: { sign, tone },
    state: toCell(transaction.status).text,
    tone,
    subject: transaction.id,
    ...(relayer && { relayer }),
    ...(words && { words }),
    ...(outcome?.askChain && relayer && seeOutcome(transaction, { flags: [...flags] }, relayer)),
  };
}

function disabledMeaning({ relayer, disable_reason: reason }: JsonObject, flags: readonly string[]): Meaning {
  const known = isJsonObject(relayer) && typeof relayer.id === "string" ? (relayer as Relayer) : undefined;
  const words = known?.disabled_reason ? disabledRecoveryLine(describeDisabledRecovery(known, flags)) : textIn(reason);
  return {
    sign: { sign: "bad", tone: "bad" },
    state: "disabled",
    tone: "bad",
    ...(known && { relayer: known.id }),
    ...(words && { words }),
  };
}

function enabledMeaning({ relayer, retry_count: retries }: JsonObject): Meaning {
  const id = isJsonObject(relayer) ? textIn(relayer.id) : "";
  const paused = objectIn(relayer).paused === true ? "; still paused by an operator" : "";
  const checks = typeof retries === "number" ? `after ${pluralize(retries, "retry", "retries")}` : "";
  const words = `${checks}${paused}`.replace(/^; /, "");
  return {
    sign: { sign: "good", tone: "good" },
    state: "enabled",
    tone: "good",
    ...(id && { relayer: id }),
    ...(words && { words }),
  };
}

function swapsMeaning(name: string, { swap_results: swaps }: JsonObject): Meaning {
  const all = listIn(swaps);
  const failed = all.filter((swap) => isJsonObject(swap) && (swap.error ?? null) !== null).length;
  const words = `${pluralize(all.length, "swap")}${failed === 0 ? "" : `, ${groupDigits(failed)} failed`}`;
  const tone = failed === 0 ? "good" : "bad";
  return { sign: { sign: tone, tone }, state: name, tone, words };
}

function otherMeaning(name: string, { signature, payload_type: type }: JsonObject): Meaning {
  const subject = textIn(signature);
  const words = type === "solana_rpc" ? "" : textIn(type);
  return { sign: { sign: "active" }, state: name, ...(subject && { subject }), ...(words && { words }) };
}

interface LineTerminal {
  columns: number;
  style: Style;
  /** Whether lines have no signs: for a screen reader, and in a pipe. */
  isPlain: boolean;
  isAscii: boolean;
}

interface EventLine {
  /** Milliseconds since 1970. */
  receivedAt: number;
  meaning: Meaning;
  /** Unusual facts of its delivery: `late`, `unsigned`, `key 2`. */
  marks: readonly string[];
  label?: string | undefined;
}

const GAP = "  ";
const STATE = "submitted".length;
/** The longest drawn text of an event. The service's IDs are shorter, so none is cut. */
const LONGEST_TEXT = 400;

/** Returns `14:02:13Z ✓ confirmed eth-main-1 83620d65-…`, and the meaning, wrapped without breaking IDs. */
function drawnLine({ receivedAt, meaning, marks, label }: EventLine, terminal: LineTerminal): string {
  const { style, columns, isPlain, isAscii } = terminal;
  const { sign, tone, see } = meaning;
  const time = liveTimeOfDay(receivedAt);
  const state = cutText(meaning.state, LONGEST_TEXT);
  const signText = isPlain ? "" : `${style.cell({ text: SIGNS[sign.sign], tone: sign.tone })} `;
  const indent = time.length + 1 + (isPlain ? 0 : 2);
  const start = `${style.faint(time)} ${signText}${style.cell({ text: state, tone })}`;
  const line = flowText(start, { width: indent + textWidth(state), indent, columns });
  const ids = [meaning.relayer, meaning.subject].flatMap((id) => (id === undefined ? [] : cutText(id, LONGEST_TEXT)));
  for (const [index, id] of ids.entries()) line.add(id, (index === 0 ? spacesToWidth(state, STATE) : "") + GAP);
  const to = label === undefined ? [] : [`to ${label}`];
  const words = meaning.words === undefined ? [] : [cutText(meaning.words, LONGEST_TEXT)];
  const notes = [...to, ...marks, ...words].join(" · ");
  if (line.fits(notes, GAP)) line.add(notes, GAP, style.faint);
  else for (const part of wrapText(notes, columns - indent)) line.below(part, style.faint);
  if (see !== undefined && columns < Number.POSITIVE_INFINITY) line.below(escapeText(`see: ${see}`), style.faint);
  return `${isAscii ? asciiText(line.text()) : line.text()}\n`;
}

function flowText(start: string, { width, indent, columns }: { width: number; indent: number; columns: number }) {
  let text = start;
  let taken = width;
  const plain = (shown: string) => shown;
  const fits = (more: string, gap: string) => taken + gap.length + textWidth(more) <= columns;
  const below = (more: string, colored = plain) => {
    text += `\n${" ".repeat(indent)}${colored(more)}`;
    taken = indent + textWidth(more);
  };
  return {
    fits,
    below,
    add(more: string, gap: string, colored = plain) {
      if (more === "") return;
      if (!fits(more, gap)) return below(more, colored);
      text += gap + colored(more);
      taken += gap.length + textWidth(more);
    },
    text: () => text,
  };
}

class KnownEvent {
  private complete: JsonObject | undefined;
  readonly accepted: AcceptedEvent;
  readonly meaning: Meaning;
  readonly delivery: DeliveryFacts;

  constructor(accepted: AcceptedEvent, meaning: Meaning, delivery: DeliveryFacts) {
    this.accepted = accepted;
    this.meaning = meaning;
    this.delivery = delivery;
  }

  /** The event as received, with `delivery` as its last member. A getter in each object would cost each a hidden class. */
  get item(): JsonObject {
    this.complete ??= withLastJsonMember(this.accepted.event, "delivery", this.delivery);
    return this.complete;
  }
}

export async function createEventPrinter(call: Call<ListenFlags>, settings: ListenSettings) {
  const { app, common } = call;
  const { stdout } = app;
  const flags = commonTargetFlags(common);
  const write = inBatch((text) => stdout.write(text), app.clock);
  const textOf = settings.format === "table" ? await lineReader(call, settings) : rowReader(call, settings);
  return {
    known(accepted: AcceptedEvent, isSigned: boolean) {
      const { event, key, receivedAt, isLate } = accepted;
      const meaning = printedEventMeaning(event, flags);
      const delivery: DeliveryFacts = {
        received_at: new Date(receivedAt).toISOString(),
        signature: key === undefined ? (isSigned ? "unverified" : "unsigned") : "valid",
        key: key === undefined ? null : key + 1,
        late: isLate,
        meaning: meaningText(meaning),
      };
      return new KnownEvent(accepted, meaning, delivery);
    },
    print: (event: KnownEvent) => write(textOf(event)),
  };
}

async function lineReader(call: Call, { keys }: ListenSettings): Promise<(event: KnownEvent) => string> {
  const { stdout } = call.app;
  const { isTerminal } = stdout;
  const { color, isPlain = false, isAscii = false } = printerOf(call);
  const [style, labelOf] = await Promise.all([createStyle(color), isTerminal ? labelReader(call.app) : undefined]);
  return (event) => {
    const { accepted, meaning } = event;
    const receiver = valueAtPath(event.item, "payload.to");
    const label = typeof receiver === "string" ? labelOf?.(receiver) : undefined;
    const columns = isTerminal ? stdout.columns : Number.POSITIVE_INFINITY;
    const terminal = { columns, style, isPlain: isPlain || !isTerminal, isAscii };
    return drawnLine(
      { receivedAt: accepted.receivedAt, meaning, marks: marksFor(event, keys.length), label },
      terminal,
    );
  };
}

function marksFor({ accepted: { isLate, key }, delivery }: KnownEvent, keys: number): string[] {
  const late = isLate ? ["late"] : [];
  if (key === undefined) return [...late, delivery.signature];
  return keys > 1 ? [...late, `key ${key + 1}`] : late;
}

function rowReader({ app, output }: Call, { format }: ListenSettings): (event: KnownEvent) => string {
  const fields = output.fields === undefined ? undefined : parseFields(output.fields, webhookEventView);
  const columns = fields ?? webhookEventView.flat;
  const derive = derivedAdder(webhookEventView, format === "ndjson" ? (fields ?? []) : columns, app.clock.now());
  const rows = rowFormat(format, { columns, fields, id: "id", headers: output.headers });
  const shown = format === "ndjson" && app.stdout.isTerminal ? escapeJson : (text: string) => text;
  let header = rows?.header ?? "";
  const rowFor = ({ item }: KnownEvent) => rows?.row(derive ? derive(item) : item) ?? "";
  const wholeLine = ({ accepted: { event, text }, delivery }: KnownEvent) =>
    ndjsonLineWith(event, text, "delivery", delivery);
  const textOf = format === "ndjson" && fields === undefined ? wholeLine : rowFor;
  return (event) => {
    const row = header + shown(textOf(event));
    header = "";
    return row;
  };
}

function inBatch(write: (text: string) => Promise<void>, clock: Pick<Clock, "sleep">): (text: string) => Promise<void> {
  let texts = "";
  let current: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;
  const flush = async () => {
    await Promise.all([current, clock.sleep(0)]);
    const all = texts;
    current = next ?? current;
    [texts, next] = ["", undefined];
    await write(all);
  };
  return (text) => {
    texts += text;
    next ??= flush();
    return next;
  };
}

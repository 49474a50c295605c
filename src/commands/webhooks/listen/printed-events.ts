import type { Clock } from "../../../client/clock.ts";
import { targetFlags } from "../../../command-support/common-flags.ts";
import { labelReader } from "../../../command-support/label-reader.ts";
import { printerOf } from "../../../command-support/printing.ts";
import { type JsonObject, withLastMember } from "../../../contract/json.ts";
import { visibleJson } from "../../../terminal/escape.ts";
import { ndjsonLineWith } from "../../../terminal/formats/ndjson.ts";
import { rowFormat } from "../../../terminal/render/row-format.ts";
import { derivedAdder } from "../../../terminal/select/derived.ts";
import { parseFields } from "../../../terminal/select/fields.ts";
import { valueAt } from "../../../terminal/select/path.ts";
import { createStyle } from "../../../terminal/style.ts";
import type { AcceptedEvent } from "../../../webhooks/intake.ts";
import type { Call } from "../../command.ts";
import { drawnLine } from "./drawn-line.ts";
import { type Meaning, meaningOf, meaningText } from "./meaning.ts";
import type { ListenFlags, ListenSettings } from "./settings.ts";
import { type DeliveryFacts, webhookEventView } from "./view.ts";

/** An event with what it means, and what this program adds to it. */
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
    this.complete ??= withLastMember(this.accepted.event, "delivery", this.delivery);
    return this.complete;
  }
}

/** Prints events as they arrive. */
export interface EventPrinter {
  known(accepted: AcceptedEvent, isSigned: boolean): KnownEvent;
  /** Resolves when the event is printed. Events are printed in the order of the calls. */
  print(event: KnownEvent): Promise<void>;
}

export async function createEventPrinter(call: Call<ListenFlags>, settings: ListenSettings): Promise<EventPrinter> {
  const { app, common } = call;
  const { stdout } = app;
  const flags = targetFlags(common);
  const write = batched((text) => stdout.write(text), app.clock);
  const textOf = settings.format === "table" ? await lineReader(call, settings) : rowReader(call, settings);
  return {
    known(accepted, isSigned) {
      const { event, key, receivedAt, isLate } = accepted;
      const meaning = meaningOf(event, flags);
      const delivery: DeliveryFacts = {
        received_at: new Date(receivedAt).toISOString(),
        signature: key === undefined ? (isSigned ? "unverified" : "unsigned") : "valid",
        key: key === undefined ? null : key + 1,
        late: isLate,
        meaning: meaningText(meaning),
      };
      return new KnownEvent(accepted, meaning, delivery);
    },
    print: (event) => write(textOf(event)),
  };
}

/** Returns a function that gives each event a line in words. */
async function lineReader(call: Call, { keys }: ListenSettings): Promise<(event: KnownEvent) => string> {
  const { stdout } = call.app;
  const { isTerminal } = stdout;
  const { color, isPlain = false, isAscii = false } = printerOf(call);
  const [style, labelOf] = await Promise.all([createStyle(color), isTerminal ? labelReader(call.app) : undefined]);
  return (event) => {
    const { accepted, meaning } = event;
    const receiver = valueAt(event.item, "payload.to");
    const label = typeof receiver === "string" ? labelOf?.(receiver) : undefined;
    const columns = isTerminal ? stdout.columns : Number.POSITIVE_INFINITY;
    const terminal = { columns, style, isPlain: isPlain || !isTerminal, isAscii };
    return drawnLine({ receivedAt: accepted.receivedAt, meaning, marks: marksOf(event, keys.length), label }, terminal);
  };
}

/** Returns what is unusual about a delivery: `late`, `unsigned`, `key 2`. */
function marksOf({ accepted: { isLate, key }, delivery }: KnownEvent, keys: number): string[] {
  const late = isLate ? ["late"] : [];
  if (key === undefined) return [...late, delivery.signature];
  return keys > 1 ? [...late, `key ${key + 1}`] : late;
}

/** Returns a function that gives each event a row for programs; the first one comes after the header. */
function rowReader({ app, output }: Call, { format }: ListenSettings): (event: KnownEvent) => string {
  const fields = output.fields === undefined ? undefined : parseFields(output.fields, webhookEventView);
  const columns = fields ?? webhookEventView.flat;
  const derive = derivedAdder(webhookEventView, format === "ndjson" ? (fields ?? []) : columns, app.clock.now());
  const rows = rowFormat(format, { columns, fields, id: "id", headers: output.headers });
  const shown = format === "ndjson" && app.stdout.isTerminal ? visibleJson : (text: string) => text;
  let header = rows?.header ?? "";
  const rowOf = ({ item }: KnownEvent) => rows?.row(derive ? derive(item) : item) ?? "";
  const wholeLine = ({ accepted: { event, text }, delivery }: KnownEvent) =>
    ndjsonLineWith(event, text, "delivery", delivery);
  const textOf = format === "ndjson" && fields === undefined ? wholeLine : rowOf;
  return (event) => {
    const row = header + shown(textOf(event));
    header = "";
    return row;
  };
}

/**
 * Returns a function that writes texts in order, at once those that come while the process handles what has arrived, or
 * during a write.
 */
function batched(write: (text: string) => Promise<void>, clock: Pick<Clock, "sleep">): (text: string) => Promise<void> {
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

import { shortAgoText, timeText } from "../../contract/age-text.ts";
import type { JsonObject, JsonValue } from "../../contract/json.ts";
import { receivedTime } from "../../contract/reply/received-time.ts";
import type { Applied } from "../../errors.ts";
import {
  type Cell,
  type ResourceView,
  SIGNS,
  type TableColumn,
  type Tone,
  toCell,
  toColumn,
  viewPlainFields,
} from "../../terminal/view.ts";
import type { HistoryItem } from "./item.ts";

export interface Drawing {
  /** Milliseconds since 1970. */
  now: number;
  /** Times and runs are short on a terminal, and in full elsewhere. */
  isTerminal: boolean;
}

const TONES: Readonly<Record<Applied, Tone>> = { yes: "good", no: "bad", unknown: "warn" };
const APPLIED_SIGNS: Readonly<Record<Applied, string>> = { yes: SIGNS.good, no: SIGNS.bad, unknown: "?" };

export function writeAppliedCell(
  { applied, restored }: { applied: Applied; restored: boolean | null },
  { isTerminal }: Drawing,
): Cell {
  const text = restored === false ? `${applied}, not restored` : applied;
  const tone = restored === false ? "warn" : TONES[applied];
  return { text: isTerminal ? `${APPLIED_SIGNS[applied]} ${text}` : text, tone };
}

/** Returns a time as its age in the largest unit, `3h ago`, or exactly where no terminal shows it. */
export function writeWhenCell(time: string, drawing: Drawing): Cell {
  const age = drawing.now - receivedTime(time);
  return drawing.isTerminal && !Number.isNaN(age) ? { text: shortAgoText(age) } : exactCell(time);
}

export function writeTimeCell(time: string, { now }: Drawing): Cell {
  const age = now - receivedTime(time);
  const { text } = exactCell(time);
  return { text: Number.isNaN(age) ? text : `${text}, ${shortAgoText(age)}` };
}

function exactCell(time: JsonValue): Cell {
  const at = receivedTime(time);
  return Number.isNaN(at) ? toCell(time) : { text: timeText(at) };
}

const FLAT = [
  "time",
  "run",
  "id",
  "user",
  "host",
  "context",
  "operation",
  "relayer_id",
  "transaction_id",
  "target",
  "applied",
  "failure",
  "reason",
  "command",
];

const FIELDS = [
  ...FLAT,
  "ci",
  "server",
  "kind",
  "method",
  "ids",
  "body",
  "before",
  "once",
  "message",
  "status",
  "after",
  "after.id",
  "after.hash",
  "after.status",
  "after.block",
  "after.fee_paid",
  "settled_later",
  "ended",
  "ms",
  "restored",
];

export function historyWriteView(drawing: Drawing, shownRun: (run: string) => string): ResourceView<HistoryItem> {
  return {
    one: "write",
    many: "writes",
    table: [
      { header: "when", cell: ({ time }) => writeWhenCell(time, drawing), reads: ["time"] },
      { header: "run", cell: ({ run }) => ({ text: shownRun(run) }), reads: ["run"], whole: true, worth: 2 },
      { ...toColumn("user", "user"), most: 20, worth: 1 },
      { ...toColumn("operation", "operation"), worth: 4 },
      {
        header: "target",
        cell: (item) => toCell(writeTarget(item)),
        reads: ["relayer_id", "ids", "body", "target"],
        whole: true,
        worth: 3,
      },
      {
        header: "applied",
        cell: (item) => writeAppliedCell(item, drawing),
        reads: ["applied", "restored"],
        worth: "always",
      },
      { ...toColumn("reason", "reason"), most: 40 },
      toColumn("transaction", "transaction_id"),
    ] satisfies TableColumn<HistoryItem>[],
    flat: FLAT,
    fields: FIELDS,
    block: viewPlainFields(FIELDS).block,
  };
}

export const historyView: ResourceView<HistoryItem> = historyWriteView({ now: 0, isTerminal: false }, (run) => run);

export function writeTarget({ relayer_id, ids, body, target }: HistoryItem): string {
  const found = relayer_id ?? Object.values(ids)[0] ?? (body as JsonObject | null)?.id;
  return typeof found === "string" && found !== "" ? found : target;
}

/** @see HistoryItem; `why` is null for a known outcome */
export type SettledItem = HistoryItem & { why: string | null; next: string | null };

const SHOWN = ["run", "operation", "target", "applied", "transaction"];

export function historySettledView(drawing: Drawing, shownRun: (run: string) => string): ResourceView<SettledItem> {
  const { table, flat, fields, block } = historyWriteView(drawing, shownRun);
  return {
    one: "checked write",
    many: "checked writes",
    table: [
      ...SHOWN.flatMap((header) => table.filter((column) => column.header === header)),
      { ...toColumn("why", "why"), most: 60 },
    ] as ResourceView<SettledItem>["table"],
    flat: [...flat, "why", "next"],
    fields: [...fields, "why", "next"],
    block: (item) => block(item),
  };
}

export const settledView: ResourceView<SettledItem> = historySettledView({ now: 0, isTerminal: false }, (run) => run);

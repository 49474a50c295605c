import { cell } from "../../terminal/cells.ts";
import type { ResourceView } from "../../terminal/view.ts";
import type { Drawing } from "./cells.ts";
import type { HistoryItem } from "./item.ts";
import { historyViewIn } from "./write.ts";

/** A write that was checked again. */
export interface SettledItem extends HistoryItem {
  /** Why its outcome is still unknown; null if it is known now. */
  why: string | null;
  /** The command that shows what the write was about. */
  next: string | null;
}

const SHOWN = ["run", "operation", "target", "applied", "transaction"];

/** Returns the view of writes that were checked again. */
export function settledViewIn(drawing: Drawing, shownRun: (run: string) => string): ResourceView<SettledItem> {
  const { table, flat, fields, block } = historyViewIn(drawing, shownRun);
  return {
    one: "checked write",
    many: "checked writes",
    table: [
      ...SHOWN.flatMap((header) => table.filter((column) => column.header === header)),
      { header: "why", cell: ({ why }: SettledItem) => cell(why), reads: ["why"], most: 60 },
    ] as ResourceView<SettledItem>["table"],
    flat: [...flat, "why", "next"],
    fields: [...fields, "why", "next"],
    block: (item) => block(item),
  };
}

export const settledView: ResourceView<SettledItem> = settledViewIn({ now: 0, isTerminal: false }, (run) => run);

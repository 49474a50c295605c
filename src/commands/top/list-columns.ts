import { ageText } from "../../contract/age-text.ts";
import type { JsonObject } from "../../contract/json.ts";
import { stateOf, stateSign } from "../../relayer-state/state.ts";
import { contextColumn } from "../../terminal/cells.ts";
import { trendText } from "../../terminal/trend.ts";
import type { Cell, RowSign, TableColumn } from "../../terminal/view.ts";
import { ODDLY_ACTIVE } from "../../views/relayer-status/table.ts";
import {
  balanceBar,
  balanceText,
  isOddlyActive,
  pendingAge,
  pendingText,
  whyText,
} from "../../views/relayer-status/words.ts";
import { asRow, type Row, type Source, sourceOf, type TopState } from "./state.ts";

type RowCell = (row: Row, source: Source) => Cell;

/** Returns the columns of the list; that of the context only if there are several. */
export function listColumns(state: TopState): TableColumn<JsonObject>[] {
  const column = (header: string, draw: RowCell, more: Partial<TableColumn<JsonObject>> = {}) => ({
    ...more,
    header,
    cell(item: JsonObject) {
      const row = asRow(item);
      const source = sourceOf(state, row.context);
      return source ? draw(row, source) : { text: "" };
    },
  });
  const right = { align: "right" } as const;
  return [
    ...(state.sources.length > 1 ? [contextColumn<JsonObject>()] : []),
    column("relayer", ({ relayer }) => ({ text: relayer.id }), { whole: true, worth: "always" }),
    column("state", drawState, { worth: "always" }),
    column("balance", (row, { seen }) => ({ text: balanceText(row, seen) }), { ...right, worth: 6 }),
    column("", (row) => ({ text: balanceBar(row) || " " }), { worth: 2 }),
    column("pending", (row) => ({ text: pendingText(row) }), { ...right, worth: 5 }),
    column("oldest", (row, { seen }) => drawAge(pendingAge(row, { ...seen, now: state.now })), { ...right, worth: 4 }),
    column("last hour", ({ relayer }, { hours }) => ({ text: drawHour(hours.get(relayer.id)) }), { worth: 3 }),
    ...(state.sources.some(({ seen }) => seen.runways?.size)
      ? [
          column("runway", ({ relayer }, { seen }) => ({ text: seen.runways?.get(relayer.id)?.text ?? "" }), {
            worth: 1,
          }),
        ]
      : []),
  ];
}

const TONES = { disabled: "bad", paused: "warn", active: undefined } as const;

function drawState({ relayer }: Row, { jams }: Source): Cell {
  const jam = jams.get(relayer.id);
  const state = stateOf(relayer);
  if (state === "active" && jam !== undefined) return { text: jam, tone: "warn" };
  return { text: state === "disabled" && relayer.paused ? "disabled, paused" : state, tone: TONES[state] };
}

function drawAge(seconds: number | null): Cell {
  return { text: seconds === null ? "" : ageText(seconds * 1_000) };
}

function drawHour(counts: readonly number[] | undefined): string {
  return counts ? trendText(counts, 0) : "";
}

export function signOf(state: TopState, row: Row): RowSign {
  const source = sourceOf(state, row.context);
  const isOdd = source !== undefined && isOddlyActive(row, { ...source.seen, now: state.now });
  return isOdd ? ODDLY_ACTIVE : stateSign(row.relayer);
}

/** Returns why a relayer needs a look; empty if it needs none. */
export function whyOf(state: TopState, row: Row): string {
  const source = sourceOf(state, row.context);
  return (source && whyText(row, source.flags, { ...source.seen, now: state.now })) ?? "";
}

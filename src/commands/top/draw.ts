import { liveTimeOfDay } from "../../command-support/live.ts";
import { ageText } from "../../contract/age-text.ts";
import { priceText } from "../../contract/amount.ts";
import { groupDigits, pluralize } from "../../contract/decimal.ts";
import type { JsonObject } from "../../contract/json.ts";
import { networkKind } from "../../contract/network-kind.ts";
import { briefStateCell, relayerState, relayerStateSign, STATES } from "../../relayer-state/state.ts";
import { asciiDrawing } from "../../terminal/ascii.ts";
import { escapeText } from "../../terminal/escape.ts";
import { withLinks } from "../../terminal/links.ts";
import type { Style } from "../../terminal/style.ts";
import { fitTable, GAP } from "../../terminal/table/fit.ts";
import { type Grid, gridOf } from "../../terminal/table/grid-column.ts";
import { cutDrawnText, textWithoutColors } from "../../terminal/text/cut.ts";
import { durationText, durationTrendText } from "../../terminal/text/duration.ts";
import { createGraphemeMeasure } from "../../terminal/text/grapheme-width.ts";
import { type Cell, type RowSign, SIGNS, type TableColumn, type Tone, viewContextColumn } from "../../terminal/view.ts";
import { padToWidth, spacesToWidth, textWidth } from "../../terminal/width.ts";
import {
  ODDLY_ACTIVE,
  statusBalanceBar,
  statusBalanceText,
  statusOddWord,
  statusPendingAge,
  statusPendingText,
  whyText,
} from "../../views/relayer-status/table.ts";
import { listedTransactions } from "../../views/transaction/list.ts";
import {
  chosenTopRows,
  type Source,
  seenTopRelayer,
  selectedTopRows,
  type TopPage,
  type TopRow,
  type TopState,
  topLayout,
  topRow,
  topSource,
} from "./state.ts";

const LOOKS: Readonly<Record<string, { sign: string; tone: Tone }>> = {
  disabled: { sign: SIGNS.bad, tone: "bad" },
  paused: { sign: SIGNS.paused, tone: "warn" },
  active: { sign: SIGNS.active, tone: "good" },
};
const MOST_NETWORKS = 4;

function headerLine(state: TopState, style: Style): string {
  const { sources, columns } = state;
  const names = sources.map((source) => namePart(source, style));
  const readAt = Math.max(0, ...sources.map(({ readAt }) => readAt));
  const clock = readAt === 0 ? "" : liveTimeOfDay(readAt);
  const parts = [names.join("  "), countsPart(state, style), ...troubleParts(state, style), ...feeParts(state)];
  const kept: string[] = [];
  let left = columns - textWidth(clock);
  for (const part of parts) {
    const width = drawnWidth(part) + JOINT.length;
    if (kept.length > 0 && width > left) break;
    kept.push(part);
    left -= width;
  }
  const drawn = kept.join(JOINT);
  return `${drawn}${" ".repeat(Math.max(1, columns - drawnWidth(drawn) - textWidth(clock)))}${style.faint(clock)}`;
}

const JOINT = "   ";

function drawnWidth(drawn: string): number {
  return textWidth(textWithoutColors(drawn));
}

function namePart({ name, isProtected }: Source, style: Style): string {
  const shown = escapeText(name);
  return isProtected ? `${style.inverse(shown)} ${style.inverse("PROTECTED")}` : style.strong(shown);
}

function countsPart(state: TopState, style: Style): string {
  const rows = selectedTopRows(state);
  const total = pluralize(rows.length, "relayer");
  const counts = STATES.flatMap((name) => {
    const count = rows.filter(({ relayer }) => relayerState(relayer) === name).length;
    const look = LOOKS[name];
    if (count === 0 || !look) return [];
    return style.cell({ text: `${groupDigits(count)} ${look.sign}`, tone: look.tone });
  });
  return [total, ...counts].join("  ");
}

function troubleParts({ sources, now }: TopState, style: Style): string[] {
  return sources.flatMap(({ name, trouble, slower }) => {
    const where = sources.length > 1 ? `${name}: ` : "";
    const away = trouble && `${where}no response since ${liveTimeOfDay(trouble.since)}: ${trouble.message}`;
    const slow = slower === undefined ? undefined : `${where}too many requests, slower: every ${durationText(slower)}`;
    const text = slow ?? away;
    return text === undefined || now === 0 ? [] : style.cell({ text: escapeText(text), tone: "bad" });
  });
}

function feeParts({ sources }: TopState): string[] {
  const several = sources.length > 1;
  const all = sources.flatMap(({ name, fees }) =>
    [...fees].flatMap(([network, samples]) => {
      const last = samples.at(-1);
      if (last === undefined) return [];
      const where = several ? `${name}/${network}` : network;
      const trend = samples.length > 1 ? ` ${durationTrendText(samples.map(Number))}` : "";
      return `${escapeText(where)} ${priceText(last)}${trend}`;
    }),
  );
  return all.slice(0, MOST_NETWORKS);
}

function pageLines(state: TopState, page: TopPage, look: Look): string[] {
  const { style } = look;
  if (page.kind === "keys") return HELP.map(([keys, text]) => `  ${padToWidth(keys, KEY_WIDTH)}${style.faint(text)}`);
  const { relayerId, transactionId } = page.target;
  const title = [transactionId, relayerId].flatMap((text) => (text === undefined ? [] : escapeText(text))).join(" · ");
  if (page.kind === "transaction") {
    const lines = page.lines ?? [LOADING];
    return [style.strong(title), ...lines.slice(page.offset, page.offset + topLayout(state).room)];
  }
  const details = page.details ?? ["", LOADING];
  const { room } = topLayout(state);
  const below = details.slice(0, Math.max(0, Math.floor(room / 2)));
  return [style.strong(title), ...transactionLines(state, page, room - below.length - 1, look), "", ...below];
}

const LOADING = "  reading…";
const KEY_WIDTH = 14;

const HELP = [
  ["↑ ↓ j k", "move the selection, or scroll"],
  ["enter", "open the relayer, and then the transaction"],
  ["/", "filter: words, or FIELD=VALUE as in --where"],
  ["s", "sort by the next field"],
  ["u", "relayctl relayers unstick"],
  ["b", "relayctl tx bump"],
  ["p  r", "relayctl relayers pause, resume"],
  ["d", "relayctl doctor"],
  ["w", "open the page in the network's explorer"],
  ["q  Esc", "go back, and quit from the list"],
  ["Ctrl-C", "quit"],
] as const;

function transactionLines(
  state: TopState,
  { target, transactions, selected }: Extract<TopPage, { kind: "relayer" }>,
  room: number,
  { style, masked }: Look,
): string[] {
  if (!transactions) return ["", LOADING];
  if (transactions.length === 0) return ["", "  no transactions"];
  const { relayer, symbol } = seenTopRelayer(state, target);
  const kind = relayer ? networkKind(relayer) : "evm";
  const { resource, add } = listedTransactions({ placeOf: () => ({ symbol, kind }), now: state.now, isTerminal: true });
  add(transactions);
  const index = Math.max(
    0,
    transactions.findIndex(({ id }) => id === selected),
  );
  const start = Math.max(0, Math.min(index - Math.floor(room / 2), transactions.length - room + 1));
  const items = masked(transactions.slice(start, start + Math.max(1, room - 1)));
  const columns = (resource.table as TableColumn<JsonObject>[]).map((column) => withAge(column, state.now));
  const signs = items.map((item) => resource.sign?.(item) ?? { sign: "note" as const });
  return tableLines({ items, columns, signs }, state.columns, style).map((line, row) =>
    row === index - start + 1 ? style.inverse(padToWidth(textWithoutColors(line), state.columns)) : line,
  );
}

function withAge(column: TableColumn<JsonObject>, now: number): TableColumn<JsonObject> {
  return {
    ...column,
    cell(item) {
      const drawn = column.cell(item);
      return drawn.time === undefined ? drawn : { ...drawn, text: ageText(now - drawn.time) };
    },
  };
}

function columnsFor(state: TopState): TableColumn<JsonObject>[] {
  const column = (
    header: string,
    draw: (row: TopRow, source: Source) => Cell,
    more: Partial<TableColumn<JsonObject>> = {},
  ) => ({
    ...more,
    header,
    cell(item: JsonObject) {
      const row = topRow(item);
      const source = topSource(state, row.context);
      return source ? draw(row, source) : { text: "" };
    },
  });
  const right = { align: "right" } as const;
  return [
    ...(state.sources.length > 1 ? [viewContextColumn<JsonObject>()] : []),
    column("relayer", ({ relayer }) => ({ text: relayer.id }), { whole: true, worth: "always" }),
    column("state", drawState, { worth: "always" }),
    column("balance", (row, { seen }) => ({ text: statusBalanceText(row, seen) }), { ...right, worth: 6 }),
    column("vs min", (row) => ({ text: statusBalanceBar(row) || " " }), { worth: 2 }),
    column("pending", (row) => ({ text: statusPendingText(row) }), { ...right, worth: 5 }),
    column("oldest", (row, { seen }) => drawAge(statusPendingAge(row, { ...seen, now: state.now })), {
      ...right,
      worth: 4,
    }),
    column("last hour", ({ relayer }, { hours }) => ({ text: durationTrendText(hours.get(relayer.id) ?? [], 0) }), {
      worth: 3,
    }),
    ...(state.sources.some(({ seen }) => seen.runways?.size)
      ? [
          column("runway", ({ relayer }, { seen }) => ({ text: seen.runways?.get(relayer.id)?.text ?? "" }), {
            worth: 1,
          }),
        ]
      : []),
  ];
}

function drawState({ relayer }: TopRow, { jams }: Source): Cell {
  const jam = jams.get(relayer.id);
  return jam !== undefined && relayerState(relayer) === "active"
    ? { text: jam, tone: "warn" }
    : briefStateCell(relayer);
}

function drawAge(seconds: number | null): Cell {
  return { text: seconds === null ? "" : ageText(seconds * 1_000) };
}

function chooseSign(state: TopState, row: TopRow): RowSign {
  const source = topSource(state, row.context);
  const odd = source && statusOddWord(row, { ...source.seen, now: state.now });
  return odd !== undefined ? ODDLY_ACTIVE : relayerStateSign(row.relayer);
}

function explainState(state: TopState, row: TopRow): string {
  const source = topSource(state, row.context);
  return (source && whyText(row, source.flags, { ...source.seen, now: state.now })) ?? "";
}

export interface Look {
  style: Style;
  /** Masks secrets before a text is cut: a part of one would no longer be found. */
  masked<T>(value: T): T;
  isAscii: boolean;
  links?: ReadonlyMap<string, string | undefined> | undefined;
}

/** Returns the rows of the terminal: as many as it has, each within its width. */
export function drawTop(state: TopState, look: Look): string[] {
  const { columns, rows } = state;
  const page = state.pages.at(-1);
  const body = page ? pageLines(state, page, look) : [...rowLines(state, look), ...logLines(state, look.style)];
  const space = Math.max(0, rows - 2);
  const filled = fillLines(body.slice(0, space), space);
  const lines = [headerLine(state, look.style), ...filled, footerLine(state, look.style)].slice(0, Math.max(0, rows));
  const measure = createGraphemeMeasure();
  return lines.map((line) => {
    const shown = look.isAscii ? asciiDrawing(look.masked(line)) : look.masked(line);
    return cutDrawnText(look.links ? withLinks(shown, look.links) : shown, columns, measure);
  });
}

export function topRowsInView(state: TopState): { rows: readonly TopRow[]; selected: number } {
  const all = chosenTopRows(state);
  const { room } = topLayout(state);
  const { selected } = state;
  const found = all.findIndex(({ context, relayer }) => context === selected?.context && relayer.id === selected.id);
  const index = Math.max(0, found);
  const start = Math.max(0, Math.min(index - Math.floor(room / 2), all.length - room));
  return { rows: all.slice(start, start + room), selected: index - start };
}

function rowLines(state: TopState, { style, masked }: Look): string[] {
  const { rows: inView, selected } = topRowsInView(state);
  const rows = masked(inView);
  const { room, log } = topLayout(state);
  if (rows.length === 0)
    return fillLines(["", `  no relayers match ${escapeText(state.filter || "--where")}`], log > 0 ? room + 1 : 0);
  const texts = rows.map((row) => explainState(state, row));
  const signs = rows.map((row) => chooseSign(state, row));
  const table = { items: rows, columns: columnsFor(state), signs, more: { header: "why", texts } };
  const [header = "", ...lines] = tableLines(table, state.columns, style);
  const shown = lines.map((line, index) => {
    if (index === selected) return style.inverse(padToWidth(textWithoutColors(line), state.columns));
    return topSource(state, rows[index]?.context ?? "")?.trouble ? style.faint(textWithoutColors(line)) : line;
  });
  return fillLines([header, ...shown], log > 0 ? room + 1 : 0);
}

function fillLines(lines: readonly string[], count: number): string[] {
  return [...lines, ...Array.from({ length: Math.max(0, count - lines.length) }, () => "")];
}

function logLines(state: TopState, style: Style): string[] {
  const { log } = topLayout(state);
  if (log === 0) return [];
  return [
    "",
    ...state.events.slice(-log).map(({ time, text }) => `${style.faint(liveTimeOfDay(time))}  ${escapeText(text)}`),
  ];
}

const KEYS = [
  "↑↓ select",
  "enter open",
  "/ filter",
  "s sort",
  "u unstick",
  "b bump",
  "p pause",
  "r resume",
  "d doctor",
  "w explorer",
];

function footerLine(state: TopState, style: Style): string {
  const { asking, typing, message, filter, columns, sorts, sort, pages } = state;
  if (asking) return `${style.asking("?")} ${style.strong(escapeText(asking.question))}`;
  if (typing)
    return `/${escapeText(typing.text)}_${typing.problem ? `  ${style.alarm(escapeText(typing.problem))}` : ""}`;
  if (message !== undefined) return escapeText(message);
  const last = ["? keys", pages.length > 0 ? "q back" : "q quit"];
  const chosen = [filter === "" ? "" : `filter: ${filter}`, sorts[sort] === undefined ? "" : `sort: ${sorts[sort]}`];
  const first = [...chosen.filter(Boolean).map(escapeText), ...KEYS];
  while (first.length > 0 && textWidth([...first, ...last].join("  ")) > columns) first.pop();
  return style.faint([...first, ...last].join("  "));
}

interface Table {
  items: readonly JsonObject[];
  columns: readonly TableColumn<JsonObject>[];
  signs: readonly RowSign[];
  /** A last column of free text, which takes the rest of the line. */
  more?: { header: string; texts: readonly string[] };
}

function tableLines({ items, columns, signs, more }: Table, width: number, style: Style): string[] {
  const cells = signs.map(({ sign, tone }) => ({ text: SIGNS[sign], tone }));
  const longest = Math.max(0, ...(more?.texts ?? []).map((text) => text.length));
  const hasMore = longest > 0;
  const left = hasMore ? width - GAP - Math.min(longest, Math.floor(width / 4)) : width;
  const { shown } = fitTable({ ...gridOf(items, columns), signs: cells }, left);
  const header = gridRow(
    shown,
    shown.columns.map(({ header }) => ({ text: header.toUpperCase(), tone: "faint" })),
    { text: " " },
    style,
  );
  const rows = items.map((_, index) => {
    const all = shown.rows.cellsOf(index);
    const own = shown.columns.map((column) => all[column.index] ?? { text: "" });
    return withText(
      gridRow(shown, own, cells[index] ?? { text: " " }, style),
      escapeText(more?.texts[index] ?? ""),
      style,
    );
  });
  return [hasMore ? withText(header, more?.header.toUpperCase() ?? "", style) : header, ...rows];
}

function withText(line: string, more: string, style: Style): string {
  return more === "" ? line.trimEnd() : `${line}  ${style.faint(more)}`;
}

function gridRow({ columns }: Grid, cells: readonly Cell[], sign: Cell, style: Style): string {
  const drawn = columns.map(({ width, right }, index) => {
    const cell = cells[index] ?? { text: "" };
    const space = spacesToWidth(cell.text, width);
    return right ? space + style.cell(cell) : style.cell(cell) + space;
  });
  return `${style.cell(sign)} ${drawn.join(" ".repeat(GAP))}`;
}

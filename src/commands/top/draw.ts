import { timeText } from "../../command-support/live.ts";
import { asciiDrawing } from "../../terminal/ascii.ts";
import { visible } from "../../terminal/escape.ts";
import { withLinks } from "../../terminal/links.ts";
import type { Style } from "../../terminal/style.ts";
import { cutDrawn } from "../../terminal/text/cut-drawn.ts";
import { createMeasure } from "../../terminal/text/grapheme-width.ts";
import { padded, textWidth } from "../../terminal/width.ts";
import { chosenRows } from "./chosen-rows.ts";
import { headerLine } from "./header.ts";
import { layoutOf } from "./layout.ts";
import { listColumns, signOf, whyOf } from "./list-columns.ts";
import { pageLines } from "./page-lines.ts";
import { type Row, sourceOf, type TopState } from "./state.ts";
import { tableLines } from "./table-lines.ts";

/** How a terminal shows the picture. */
export interface Look {
  style: Style;
  isAscii: boolean;
  /** The pages of words, if the terminal shows links. */
  links?: ReadonlyMap<string, string | undefined> | undefined;
}

/** Returns the rows of the terminal: as many as it has, each within its width. */
export function draw(state: TopState, look: Look): string[] {
  const { columns, rows } = state;
  const page = state.pages.at(-1);
  const body = page
    ? pageLines(state, page, look.style)
    : [...listLines(state, look.style), ...logLines(state, look.style)];
  const space = Math.max(0, rows - 2);
  const filled = fill(body.slice(0, space), space);
  const lines = [headerLine(state, look.style), ...filled, footerLine(state, look.style)].slice(0, Math.max(0, rows));
  const measure = createMeasure();
  return lines.map((line) => {
    const shown = look.isAscii ? asciiDrawing(line) : line;
    return cutDrawn(look.links ? withLinks(shown, look.links) : shown, columns, measure);
  });
}

/** Returns the part of the list that has room, with the selected row in it. */
export function rowsInView(state: TopState): { rows: readonly Row[]; selected: number } {
  const all = chosenRows(state);
  const { room } = layoutOf(state);
  const { selected } = state;
  const found = all.findIndex(({ context, relayer }) => context === selected?.context && relayer.id === selected.id);
  const index = Math.max(0, found);
  const start = Math.max(0, Math.min(index - Math.floor(room / 2), all.length - room));
  return { rows: all.slice(start, start + room), selected: index - start };
}

function listLines(state: TopState, style: Style): string[] {
  const { rows, selected } = rowsInView(state);
  const { room, log } = layoutOf(state);
  if (rows.length === 0)
    return fill(["", `  no relayers match ${visible(state.filter || "--where")}`], log > 0 ? room + 1 : 0);
  const texts = rows.map((row) => whyOf(state, row));
  const signs = rows.map((row) => signOf(state, row));
  const table = { items: rows, columns: listColumns(state), signs, more: { header: "why", texts } };
  const [header, ...lines] = tableLines(table, state.columns, style);
  const shown = lines.map(({ text, plain }, index) => {
    if (index === selected) return style.inverse(padded(plain, state.columns));
    return sourceOf(state, rows[index]?.context ?? "")?.trouble ? style.faint(plain) : text;
  });
  return fill([header?.text ?? "", ...shown], log > 0 ? room + 1 : 0);
}

function fill(lines: readonly string[], count: number): string[] {
  return [...lines, ...Array.from({ length: Math.max(0, count - lines.length) }, () => "")];
}

function logLines(state: TopState, style: Style): string[] {
  const { log } = layoutOf(state);
  if (log === 0) return [];
  return ["", ...state.events.slice(-log).map(({ time, text }) => `${style.faint(timeText(time))}  ${visible(text)}`)];
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
const LAST_KEYS = ["? keys", "q quit"];

/** Returns the last row: a question, the filter as it is typed, a message, or as many keys as fit. */
function footerLine(state: TopState, style: Style): string {
  const { asking, typing, message, filter, columns, sorts, sort, pages } = state;
  if (asking) return `${style.asking("?")} ${style.strong(visible(asking.question))}`;
  if (typing) return `/${visible(typing.text)}_${typing.problem ? `  ${style.alarm(visible(typing.problem))}` : ""}`;
  if (message !== undefined) return visible(message);
  const last = [...LAST_KEYS.slice(0, -1), pages.length > 0 ? "q back" : "q quit"];
  const chosen = [filter === "" ? "" : `filter: ${filter}`, sorts[sort] === undefined ? "" : `sort: ${sorts[sort]}`];
  const first = [...chosen.filter(Boolean).map(visible), ...KEYS];
  while (first.length > 0 && textWidth([...first, ...last].join("  ")) > columns) first.pop();
  return style.faint([...first, ...last].join("  "));
}

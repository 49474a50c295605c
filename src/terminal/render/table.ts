import { ageText } from "../../contract/age-text.ts";
import { isNumber } from "../../contract/decimal.ts";
import { isIdField } from "../../contract/id.ts";
import type { JsonObject } from "../../contract/json.ts";
import { ASCII_CUT } from "../ascii.ts";
import { escapeText } from "../escape.ts";
import { withLinks } from "../links.ts";
import { type Printer, printDrawn, printerLabels, printerWidth } from "../printer.ts";
import { derivedPath, flatPathValue, valueAtPath } from "../select/path.ts";
import { createStyle, type Style } from "../style.ts";
import { columnCut, cutFitNote, type Fitted, fitTable, GAP, hiddenFitNote } from "../table/fit.ts";
import { fixedTable, NO_SIGN } from "../table/fixed.ts";
import { type Grid, gridOf } from "../table/grid-column.ts";
import { CUT } from "../text/cut.ts";
import { type Cell, type ListView, type ResourceView, type RowSign, SIGNS, type TableColumn } from "../view.ts";
import { isSingleWidth, WIDEST } from "../width.ts";
import { wrapText } from "../wrap.ts";

/** The largest readable table (promises 8): cli-table3's time grows with the square of rows and characters. */
const [MOST_ROWS, MOST_CHARACTERS, LONGEST_CELL] = [200, 16_384, 128];

const NO_LINES = {
  top: "",
  "top-mid": "",
  "top-left": "",
  "top-right": "",
  bottom: "",
  "bottom-mid": "",
  "bottom-left": "",
  "bottom-right": "",
  left: "",
  "left-mid": "",
  mid: "",
  "mid-mid": "",
  right: "",
  "right-mid": "",
  middle: " ".repeat(GAP),
};

/** Yields the pieces of a borderless table, with capital headers. The next request overwrites a piece's bytes. */
export async function tablePieces(grid: Grid, style: Style, headers: boolean): Promise<Iterable<Uint8Array>> {
  const { columns } = grid;
  return isLarge(grid) || columns.every(({ header, isSingle }) => isSingle && isSingleWidth(header))
    ? fixedTable(grid, style, headers)
    : [Buffer.from(await drawnTable(grid, style, headers))];
}

export function joinTablePieces(pieces: Iterable<Uint8Array>): string {
  return Array.from(pieces, (piece) => Buffer.from(piece).toString()).join("");
}

/** Returns whether a table is large, or a cell overflows, for which cli-table3 would pad all others. */
function isLarge({ columns, rows }: Grid): boolean {
  return (
    rows.count > MOST_ROWS ||
    columns.some(({ width, longest }) => width >= WIDEST || longest > LONGEST_CELL) ||
    rows.characters > MOST_CHARACTERS
  );
}

async function drawnTable({ columns, rows, signs }: Grid, style: Style, headers: boolean): Promise<string> {
  const { default: Table } = await import("cli-table3");
  const table = new Table({
    chars: NO_LINES,
    colAligns: columns.map(({ right }) => (right ? "right" : "left")),
    style: { "padding-left": 0, "padding-right": 0, head: [], border: [], compact: true },
    ...(headers && { head: columns.map(({ header }) => style.faint(header.toUpperCase())) }),
  });
  table.push(
    ...Array.from({ length: rows.count }, (_, index) => {
      const cells = rows.cellsOf(index);
      return columns.map(({ index }) => style.cell(cells[index] ?? { text: "" }));
    }),
  );
  const lines = table.toString().split("\n");
  const starts = signs && [...(headers ? [NO_SIGN] : []), ...signs.map((sign) => `${style.cell(sign)} `)];
  return lines.map((line, index) => `${starts?.[index] ?? ""}${line.trimEnd()}\n`).join("");
}

interface Marks {
  isMarked?: ListView["isMarked"] | undefined;
}

export async function printTable(grid: Grid, headers: boolean, out: Printer): Promise<void> {
  await printFitted(fitTable(grid, printerWidth(out)), headers, out);
}

/** Writes items as a table that fits, with a sign before each on a terminal, and notes which columns are hidden or cut. */
export async function printTableItems(
  items: readonly JsonObject[],
  { table: all, sign, isMarked }: Pick<ResourceView, "table" | "sign"> & Marks,
  headers: boolean,
  out: Printer,
): Promise<void> {
  const width = printerWidth(out);
  const hasDrawings = out.stdout.isTerminal && !out.isPlain;
  const table = all.filter(({ isDrawing }) => !isDrawing || hasDrawings);
  const hasSigns = sign && hasDrawings;
  const signs = hasSigns ? items.map((item) => signCell(isMarked?.(item) ? CHANGED : sign(item))) : undefined;
  const gridWith = (columns: readonly TableColumn<JsonObject>[]) => ({
    ...gridOf(items, out.stdout.isTerminal ? columns.map((column) => shownBy(column, out)) : columns),
    ...(signs && { signs }),
  });
  const whole = fitTable(gridWith(table), width);
  const lower = table.filter(({ isBelow }) => isBelow === true);
  const upper = table.filter(({ isBelow }) => isBelow !== true);
  const split = lower.length > 0 && whole.hidden.length > 0 ? fitTable(gridWith(upper), width) : whole;
  // The form of more lines stays while it shows more.
  const below = split.hidden.length < whole.hidden.length;
  const fit = below ? split : whole;
  const moved = below ? lower : [];
  const columns = below ? upper : table;
  const better = columnCut(fit, width);
  const tooWide = table.filter((column) => better && column === columns[better.index] && column.isBelow === "if cut");
  const lines = [...moved, ...tooWide];
  const rows = { items, below: lines.length > 0 ? linesBelow(items, lines, headers) : undefined };
  if (!better) return printFitted(fit, headers, out, rows);
  const { index, most } = better;
  const chosen = fit.shown.columns.flatMap((column) => {
    const given = columns[column.index];
    if (!given || tooWide.includes(given)) return [];
    return column.index === index ? { ...given, most } : given;
  });
  await printFitted({ ...fit, shown: gridWith(chosen) }, headers, out, rows);
}

function linesBelow(items: readonly JsonObject[], columns: readonly TableColumn<JsonObject>[], headers: boolean) {
  const textsOf = (item: JsonObject) => columns.map((column) => column.cell(item).text);
  const rows = items.map(textsOf);
  const names = columns.filter((_, index) => rows.some((texts) => texts[index] !== ""));
  const header = names.map(({ header }) => header.toUpperCase()).join(", ");
  return [...(headers ? [[header]] : []), ...rows.map((texts) => texts.filter((text) => text !== ""))];
}

function shownBy(column: TableColumn<JsonObject>, out: Printer): TableColumn<JsonObject> {
  const { now } = out;
  const relative = (cell: Cell) =>
    cell.time === undefined || now === undefined
      ? { ...cell, text: printerLabels(cell.text, out) }
      : { ...cell, text: ageText(now - cell.time) };
  return { ...column, cell: (item) => relative(column.cell(item)) };
}

const CHANGED: RowSign = { sign: "changed", tone: "warn" };

function signCell({ sign, tone }: RowSign): Cell {
  return { text: SIGNS[sign], tone };
}

async function printFitted(
  fit: Fitted,
  headers: boolean,
  out: Printer,
  { items = [], below }: { items?: readonly JsonObject[]; below?: readonly (readonly string[])[] | undefined } = {},
): Promise<void> {
  const style = await createStyle(out.color);
  const pieces = await tablePieces(fit.shown, style, headers);
  const { links } = out;
  if (below || (links && links.places.size > 0)) {
    const { linksIn } = await import("../links-in.ts");
    const rows = joinTablePieces(pieces).trimEnd().split("\n");
    const linkRow = (text: string, index: number) => {
      const item = items[index - (headers ? 1 : 0)];
      return links && item ? withLinks(text, linksIn(item, links)) : text;
    };
    const room = Math.max(printerWidth(out) - GAP, 1);
    const belowRow = (texts: readonly string[] = []) =>
      texts
        .flatMap((text) => wrapText(escapeText(text).trim(), room))
        .map((line) => `  ${style.faint(line)}\n`)
        .join("");
    const lines = rows.map((row, index) => linkRow(`${row}\n${below ? belowRow(below[index]) : ""}`, index));
    await printDrawn(lines.join(""), out);
  } else for (const piece of pieces) await printDrawn(piece, out);
  const mark = out.isAscii ? ASCII_CUT : CUT;
  for (const note of [hiddenFitNote(fit), cutFitNote(fit, mark)]) if (note !== undefined) await out.note(note);
}

export async function printTableFields(
  items: readonly JsonObject[],
  paths: readonly string[],
  { resource, isMarked, headers }: { resource: Pick<ResourceView, "derived">; headers: boolean } & Marks,
  out: Printer,
): Promise<void> {
  const formatText = (item: JsonObject, path: string) => {
    const isAge = out.stdout.isTerminal && derivedPath(resource, path)?.isAge;
    const text = flatPathValue(item, path);
    return isAge && text !== "" ? ageText(Number(text) * 1_000) : printerLabels(text, out);
  };
  const signs = isMarked && items.map((item) => (isMarked(item) ? signCell(CHANGED) : { text: " " }));
  const grid = { ...gridOf(items, columnsOfFields(paths, items, resource, formatText)), ...(signs && { signs }) };
  const fit = fitTable(grid, printerWidth(out));
  if (fit.hidden.length === 0) return printFitted(fit, headers, out, { items });
  const { blockText } = await import("../block.ts");
  const style = await createStyle(out.color);
  for (const [index, item] of items.entries()) {
    const lines = paths.map((path) => ({ label: path, value: { text: formatText(item, path) || "–" } }));
    await printDrawn((index > 0 ? "\n" : "") + blockText(lines, style, printerWidth(out)), out);
  }
}

/** Returns the columns of a table with `--fields`: values as in flat formats, numbers right-aligned. */
function columnsOfFields(
  paths: readonly string[],
  items: readonly JsonObject[],
  resource: Pick<ResourceView, "derived">,
  textOf: (item: JsonObject, path: string) => string,
): TableColumn<JsonObject>[] {
  return paths.map((path) => ({
    header: path,
    cell: (item) => ({ text: textOf(item, path) }),
    whole: isIdField(path) || derivedPath(resource, path)?.isWhole === true,
    ...(items.some((item) => isNumber(valueAtPath(item, path) ?? null)) && { align: "right" as const }),
  }));
}

import type { Style } from "./style.ts";
import { GAP } from "./table/fit.ts";
import { fixedTable, NO_SIGN } from "./table/fixed.ts";
import type { Grid } from "./table/grid-column.ts";
import { isSingleWidth, WIDEST } from "./width.ts";

/**
 * The size up to which users read a table, and cli-table3 is fast enough (promises 8): its time grows with the square
 * of the rows, and of the characters of a cell.
 */
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

/**
 * Yields the pieces of a borderless table: headers in capitals, two spaces between columns, no trailing spaces. The bytes
 * of a piece change when the next one is requested.
 */
export async function tablePieces(grid: Grid, style: Style, headers: boolean): Promise<Iterable<Uint8Array>> {
  const { columns } = grid;
  return isLarge(grid) || columns.every(({ header, isSingle }) => isSingle && isSingleWidth(header))
    ? fixedTable(grid, style, headers)
    : [Buffer.from(await drawnTable(grid, style, headers))];
}

export function joined(pieces: Iterable<Uint8Array>): string {
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

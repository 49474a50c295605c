import type { Grid, GridColumn } from "./grid-column.ts";

export const GAP = 2;
const SIGN_WIDTH = 2;

export interface Fitted {
  shown: Grid;
  hidden: readonly string[];
}

/** Hides the least worth first. A narrow column never replaces a worthier one, which a wider screen would hide. */
export function fitTable(grid: Grid, width: number): Fitted {
  let shown = grid.columns;
  while (totalWidth(shown, grid) > width) {
    const least = leastWorth(shown);
    if (!least) break;
    shown = shown.filter((column) => column !== least);
  }
  const hidden = grid.columns.filter((column) => !shown.includes(column));
  return { shown: { ...grid, columns: shown }, hidden: hidden.map(({ header }) => header) };
}

function leastWorth(columns: readonly GridColumn[]): GridColumn | undefined {
  let least: GridColumn | undefined;
  for (const column of columns)
    if (column.worth !== "always" && column.worth <= Number(least?.worth ?? column.worth)) least = column;
  return least;
}

function totalWidth(columns: readonly GridColumn[], { signs }: Grid): number {
  return columns.reduce((sum, column) => sum + column.width, GAP * (columns.length - 1) + (signs ? SIGN_WIDTH : 0));
}

/** A cut text must still show its first word. */
const NARROWEST = 12;

/** Returns the width to cut a column to, so that the table fills the terminal or fits; undefined without a change. */
export function columnCut({ shown }: Fitted, width: number): { index: number; most: number } | undefined {
  const free = width - totalWidth(shown.columns, shown);
  const column = shown.columns.findLast(({ canBeCut, isCut }) => canBeCut && (free < 0 || isCut));
  if (!column || free === 0 || !Number.isFinite(free)) return undefined;
  const most = Math.max(column.width + free, Math.min(NARROWEST, column.width));
  return most === column.width ? undefined : { index: column.index, most };
}

/** Returns `2 columns hidden for width: notification, address (-o tsv has all)` */
export function hiddenFitNote(fit: Fitted): string | undefined {
  const hidden = fit.hidden.filter((header) => header !== "");
  if (hidden.length === 0) return undefined;
  const columns = hidden.length === 1 ? "1 column" : `${hidden.length} columns`;
  return `${columns} hidden for width: ${hidden.join(", ")} (-o tsv has all)`;
}

/** Returns `long values cut with …: name (-o tsv has all)` */
export function cutFitNote({ shown }: Fitted, mark: string): string | undefined {
  const cut = shown.columns.filter(({ isCut }) => isCut).map(({ header }) => header);
  return cut.length === 0 ? undefined : `long values cut with ${mark}: ${cut.join(", ")} (-o tsv has all)`;
}

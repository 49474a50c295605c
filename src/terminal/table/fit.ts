import type { Grid, GridColumn } from "./grid.ts";

/** Spaces between two columns. */
export const GAP = 2;

export interface Fitted {
  shown: Grid;
  /** The headers of hidden columns. */
  hidden: readonly string[];
}

/** Hides whole columns from the right until the rest fits; the first stays, since an ID is never cut. */
export function fitted({ columns, rows }: Grid, width: number): Fitted {
  let count = columns.length;
  while (count > 1 && totalWidth(columns.slice(0, count)) > width) count--;
  return {
    shown: { columns: columns.slice(0, count), rows },
    hidden: columns.slice(count).map(({ header }) => header),
  };
}

function totalWidth(columns: readonly GridColumn[]): number {
  return columns.reduce((sum, column) => sum + column.width, GAP * (columns.length - 1));
}

/** Returns `2 columns hidden for width: notification, address (-o tsv has all)` */
export function hiddenNote({ hidden }: Fitted): string | undefined {
  if (hidden.length === 0) return undefined;
  const columns = hidden.length === 1 ? "1 column" : `${hidden.length} columns`;
  return `${columns} hidden for width: ${hidden.join(", ")} (-o tsv has all)`;
}

/** Returns `long values cut with …: name (-o tsv has all)` */
export function cutNote({ shown }: Fitted): string | undefined {
  const cut = shown.columns.filter(({ isCut }) => isCut).map(({ header }) => header);
  return cut.length === 0 ? undefined : `long values cut with …: ${cut.join(", ")} (-o tsv has all)`;
}

import type { RowCells } from "./row-cells.ts";

const ZERO = /^0x0{40}$/i;
const LONGEST_LABEL = 200;

/** Refuses an amount for the zero address, where it would be lost. */
export function refuseLoss(cells: RowCells, to: string | undefined, value: bigint | undefined): void {
  if (to !== undefined && value !== undefined && value > 0n && ZERO.test(to))
    cells.refuse("to", "is the zero address: the amount would be lost");
}

/** Returns the gas limit of a row; undefined if it has none, or one that is refused. */
export function gasLimitOf(cells: RowCells): bigint | undefined {
  const text = cells.text("gas_limit");
  if (text === undefined) return undefined;
  return /^[0-9]{1,20}$/.test(text) ? BigInt(text) : cells.refuse("gas_limit", "needs a whole number of gas");
}

/** Returns the label of a row; undefined if it has none, or one that is refused. */
export function labelOf(cells: RowCells): string | undefined {
  const label = cells.text("label");
  if (label === undefined) return undefined;
  if (/[\p{Cc}\u2028\u2029]/u.test(label))
    return cells.refuse("label", "has a line break or another control character");
  return label.length > LONGEST_LABEL ? cells.refuse("label", `has more than ${LONGEST_LABEL} characters`) : label;
}

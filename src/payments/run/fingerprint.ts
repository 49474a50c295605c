import type { JsonObject } from "../../contract/json.ts";
import { shapeOf } from "../../recovery/lost-send.ts";

/**
 * How a payment is recognized in the list of its relayer: by receiver, value, data, and a gas limit that no other row of
 * the run has (facts 15.11). Unused gas is not paid, so that the gas limit can carry it.
 */
export type Fingerprint = string;

/** The numbers of offsets. A transaction must be covered by its whole gas limit, so that small runs have fewer. */
const [FEW, MANY] = [2 ** 16, 2 ** 18];

export interface Offsets {
  most: number;
  /** The offset of row 1, at random. */
  start: number;
}

export function mostOffset(rows: number): number {
  return rows <= FEW / 2 ? FEW : MANY;
}

/** @param fraction a random number from 0 to below 1 */
export function drawOffsets(rows: number, fraction: number): Offsets {
  const most = mostOffset(rows);
  return { most, start: 1 + Math.floor(fraction * most) };
}

/**
 * Returns the offset of a row, from 1 to the highest. Rows follow each other from the random start, in a circle: two runs
 * of one file either have other offsets in every row or, with a chance of one to the number of offsets, the same in all.
 */
export function offsetOf({ most, start }: Offsets, row: number): number {
  return 1 + ((start - 1 + row - 1) % most);
}

export function fingerprintOf(body: JsonObject): Fingerprint | undefined {
  const shape = shapeOf(body);
  return shape?.gas === undefined ? undefined : `${shape.gas} ${shape.content}`;
}

import { capped, type Fees, membersOf, raised, shortOf } from "./fees.ts";
import type { Obstacle } from "./prediction.ts";

/** Returns by how much the cap is too low for the worker, which raises the response's price again (facts 15.1). */
export function capObstacle(response: Fees, cap: bigint): Obstacle | undefined {
  const least = raised(response);
  const short = shortOf(capped(least, cap), least);
  const needed = membersOf(least).reduce((most, [, price]) => (price > most ? price : most), 0n);
  return short && { kind: "cap", short, needed };
}

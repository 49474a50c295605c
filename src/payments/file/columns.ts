import { didYouMean } from "../../nearest.ts";

const MOST_ARGUMENTS = 16;

/** The columns that hold arguments of `call`, in order: `arg1` to `arg16`. */
export const ARGUMENT_COLUMNS: readonly string[] = Array.from(
  { length: MOST_ARGUMENTS },
  (_, index) => `arg${index + 1}`,
);

export const PRICE_COLUMNS = ["speed", "gas_price", "max_fee_per_gas", "max_priority_fee_per_gas"] as const;

const NAMED = ["to", "value", "data", "call", "gas_limit", ...PRICE_COLUMNS, "valid_until", "label"];
const COLUMNS = new Set([...NAMED, ...ARGUMENT_COLUMNS]);

export function countProblem(count: number): string | undefined {
  return count > COLUMNS.size ? `has ${count} columns, and a payment has at most ${COLUMNS.size}` : undefined;
}

export function columnProblem(name: string): string | undefined {
  if (COLUMNS.has(name)) return undefined;
  const near = didYouMean([name], [...COLUMNS]);
  const known = [...NAMED, `arg1 to arg${MOST_ARGUMENTS}`].join(", ");
  return `unknown column${near}; known: ${known}`;
}

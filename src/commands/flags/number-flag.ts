import type { Problems } from "../../command-support/problems.ts";

/** A whole number that was typed for a flag; nothing where none was, or where it is none within the bounds. */
export function numberFlag(
  problems: Problems,
  flag: string,
  text: string | undefined,
  least: number,
  most = Number.MAX_SAFE_INTEGER,
): number | undefined {
  if (text === undefined) return undefined;
  const number = /^[0-9]+$/.test(text) ? Number(text) : Number.NaN;
  if (number >= least && number <= most) return number;
  const bounds = most < Number.MAX_SAFE_INTEGER ? `from ${least} to ${most}` : `from ${least}`;
  problems.add(flag, `a whole number ${bounds}`, text);
  return undefined;
}

import { AmountError, type BaseUnit, parseAmount } from "../contract/amount.ts";
import { type Problem, usageError } from "../errors.ts";

/** Everything that is wrong with what was typed, collected so that all of it is told at once. */
export class Problems {
  private readonly found: Problem[] = [];

  add(where: string, rule: string, given?: string): void {
    this.found.push({ where, rule, ...(given !== undefined && { given }) });
  }

  /** Whether anything was found at this place already: a second complaint about it would only confuse. */
  has(where: string): boolean {
    return this.found.some((problem) => problem.where === where);
  }

  get count(): number {
    return this.found.length;
  }

  /** @throws RelayctlError usage */
  throwIfAny(hint?: string): void {
    if (this.found.length > 0) throw usageError(this.found, hint);
  }
}

/** The amount that a flag holds, in the smallest unit; a text that is none becomes a problem. */
export function amountFlag(problems: Problems, flag: string, text: string | undefined, unit: BaseUnit): bigint | undefined {
  if (text === undefined) return undefined;
  try {
    return parseAmount(text, unit);
  } catch (error) {
    if (!(error instanceof AmountError)) throw error;
    problems.add(flag, error.message, text);
    return undefined;
  }
}

/** The whole number that a flag holds. */
export function integerFlag(problems: Problems, flag: string, text: string | undefined, rule: string): bigint | undefined {
  if (text === undefined) return undefined;
  if (/^[0-9]+$/.test(text)) return BigInt(text);
  problems.add(flag, rule, text);
  return undefined;
}

/** A text that may not be empty, or null for `--no-x`; absent stays absent. */
export function nullableText(problems: Problems, flag: string, text: string | false | undefined): string | null | undefined {
  if (text === false) return null;
  if (text === "") problems.add(`--${flag}`, `is empty; --no-${flag} sends null`);
  return text;
}

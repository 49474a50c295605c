import { AmountError, readAmount, type TypedAmount } from "../contract/amount.ts";
import type { Currency } from "../contract/currency.ts";
import { type Problem, RelayctlError, usageError } from "../errors.ts";

/** Everything that is wrong with what was typed, collected so that all of it is told at once. */
export class Problems {
  readonly found: Problem[];
  /** The command to type next, where one helps more than the help. */
  hint: string | undefined;
  private readonly leftOut = new Set<string>();

  constructor(found: readonly Problem[] = []) {
    this.found = [...found];
  }

  /** @param given what was typed, when it may be shown; the user-info of a URL never is */
  add(where: string, rule: string, given?: string): void {
    this.found.push({ where, rule, ...(given !== undefined && { given: shown(given) }) });
  }

  /** Whether anything was found at this place already: a second complaint about it would only confuse. */
  has(where: string): boolean {
    return this.leftOut.has(where) || this.found.some((problem) => problem.where === where);
  }

  /** Says no more of a flag whose file could not be read: what else may be wrong with it, nobody can tell. */
  leaveOut(flag: string): undefined {
    this.leftOut.add(flag);
  }

  /**
   * Reads something that may be wrong in itself, as a file: its usage error becomes problems, and nothing comes back.
   * @param flag what it is read for: then it is not said to be missing, too
   */
  async gather<T>(read: () => T | Promise<T>, flag?: string): Promise<T | undefined> {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof RelayctlError) || error.failure !== "usage" || error.details.length === 0) throw error;
      this.found.push(...error.details);
      if (flag !== undefined) this.leaveOut(flag);
      return undefined;
    }
  }

  /** @throws RelayctlError usage */
  throwIfAny(hint?: string): void {
    if (this.found.length > 0) throw usageError(this.found, this.hint ?? hint);
  }
}

const LONGEST_SHOWN = 200;

function shown(given: string): string {
  if (given === "") return "(empty)";
  const text = given.replace(/\/\/[^/?#\s]*@/g, "//");
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text;
}

/** The amount that a flag holds, in the smallest unit, and the coin that was named; a text that is none becomes a problem. */
export function amountFlag(
  problems: Problems,
  flag: string,
  text: string | undefined,
  currency: Currency,
): TypedAmount | undefined {
  if (text === undefined) return undefined;
  try {
    return readAmount(text, currency, "line");
  } catch (error) {
    if (!(error instanceof AmountError)) throw error;
    problems.add(flag, error.message, text);
    return undefined;
  }
}

/** The whole number that a flag holds. */
export function integerFlag(
  problems: Problems,
  flag: string,
  text: string | undefined,
  rule: string,
): bigint | undefined {
  if (text === undefined) return undefined;
  if (/^[0-9]+$/.test(text)) return BigInt(text);
  problems.add(flag, rule, text);
  return undefined;
}

/** A text that may not be empty, or null for `--no-x`; absent stays absent. */
export function nullableText(
  problems: Problems,
  flag: string,
  text: string | false | undefined,
): string | null | undefined {
  if (text === false) return null;
  if (text !== "") return text;
  problems.add(`--${flag}`, `is empty; --no-${flag} sends null`);
  return undefined;
}

/** A text that may not be empty, where there is no way to send null; absent stays absent. */
export function givenText(problems: Problems, flag: string, text: string | false | undefined): string | undefined {
  if (text === "") problems.add(`--${flag}`, "is empty");
  return text || undefined;
}

import { type Problem, RelayctlError, usageError } from "../errors.ts";
import { withoutUserInfo } from "./encoding/user-info.ts";

/** Collects all problems with the input, to report them at once. */
export class Problems {
  readonly found: Problem[];
  /** The next command, if it helps more than the help page. */
  hint: string | undefined;
  private readonly leftOut = new Set<string>();
  private readonly places = new Set<string>();
  private counted = 0;
  /** An error with more problems than a user reads, and fewer lines about them. */
  private summarized: RelayctlError | undefined;

  constructor(found: readonly Problem[] = []) {
    this.found = [...found];
  }

  /** @param given the input, if it may be shown, without user-info */
  add(where: string, rule: string, given?: string): void {
    this.found.push({ where, rule, ...(given !== undefined && { given: givenText(given) }) });
  }

  /** Returns whether this input already has a problem: a second one would only confuse. */
  has(where: string): boolean {
    for (const problem of this.found.slice(this.counted)) this.places.add(problem.where);
    this.counted = this.found.length;
    return this.leftOut.has(where) || this.places.has(where);
  }

  /** Suppresses further problems of a flag whose file could not be read, since they cannot be known. */
  leaveOut(flag: string): undefined {
    this.leftOut.add(flag);
  }

  /** Collects the usage error of an input as problems. @param flag which is then not reported as missing */
  async gather<T>(read: () => T | Promise<T>, flag?: string): Promise<T | undefined> {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof RelayctlError) || error.failure !== "usage" || error.details.length === 0) throw error;
      this.found.push(...error.details);
      this.hint ??= error.hint;
      if (error.summary !== undefined) this.summarized = error;
      if (flag !== undefined) this.leaveOut(flag);
      return undefined;
    }
  }

  /** @throws RelayctlError usage */
  throwIfAny(hint?: string): void {
    if (this.summarized?.details.length === this.found.length) throw this.summarized;
    if (this.found.length > 0) throw usageError(this.found, this.hint ?? hint);
  }
}

const LONGEST_SHOWN = 200;

function givenText(given: string): string {
  if (given === "") return "(empty)";
  const text = withoutUserInfo(given);
  // The start of a longer text may be a part of a secret, which would not be found.
  return text.length > LONGEST_SHOWN ? `(${text.length} characters)` : text;
}

export function validateFileFlag(problems: Problems, flag: string, path: string | undefined): void {
  if (path === "" || path === "-") problems.add(flag, "needs a file name", path);
}

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

/** Returns a non-empty text, or null for `--no-x`; absent stays absent. */
export function nullableTextFlag(
  problems: Problems,
  flag: string,
  text: string | false | undefined,
): string | null | undefined {
  if (text === false) return null;
  if (text !== "") return text;
  problems.add(`--${flag}`, `is empty; --no-${flag} sends null`);
  return undefined;
}

/** Returns a non-empty text if null can't be sent; absent stays absent. */
export function givenTextFlag(problems: Problems, flag: string, text: string | false | undefined): string | undefined {
  if (text === "") problems.add(`--${flag}`, "is empty");
  return text || undefined;
}

import type { Problem } from "../errors.ts";
import { type Environment, readEnv } from "./environment.ts";

/** A text that breaks a rule. The message is the rule, for a `Problem`. */
export class RuleError extends Error {
  override readonly name = "RuleError";
  /** The text, unless it may contain a secret. */
  readonly given: string | undefined;

  constructor(rule: string, given?: string) {
    super(rule);
    this.given = given;
  }
}

/** A value and its source: `--server`, `RELAYCTL_SERVER`, `context prod`, `default`. */
export interface Sourced<T> {
  value: T;
  from: string;
}

export function flagOrEnv(
  flag: string,
  value: string | undefined,
  env: Environment,
  name: string,
): Sourced<string> | undefined {
  if (value !== undefined) return { value, from: flag };
  const found = readEnv(env, name);
  return found === undefined ? undefined : { value: found, from: name };
}

export function parsedSourcedFlag<T>(
  flag: string,
  value: string | undefined,
  read: (text: string) => T,
  problems: Problem[],
): T | undefined {
  return parseSourced(value === undefined ? undefined : { value, from: flag }, read, problems)?.value;
}

export function parseSourced<T>(
  text: Sourced<string> | undefined,
  read: (text: string) => T,
  problems: Problem[],
): Sourced<T> | undefined {
  if (!text) return undefined;
  try {
    return { value: read(text.value), from: text.from };
  } catch (error) {
    if (!(error instanceof RuleError)) throw error;
    const { given, message } = error;
    problems.push({ where: text.from, ...(given !== undefined && { given }), rule: message });
    return undefined;
  }
}

import type { Problem } from "../errors.ts";
import { type Environment, variable } from "./environment.ts";
import { RuleError } from "./rule-error.ts";

/** A value and where it came from: `--server`, `RELAYCTL_SERVER`, `context prod`, `default`. */
export interface Sourced<T> {
  value: T;
  from: string;
}

/** What was typed for a setting: the flag, else the variable. */
export function typed(
  flag: string,
  value: string | undefined,
  env: Environment,
  name: string,
): Sourced<string> | undefined {
  if (value !== undefined) return { value, from: flag };
  const found = variable(env, name);
  return found === undefined ? undefined : { value: found, from: name };
}

/** Reads a text by its rule; a text that breaks it becomes one more problem. */
export function validated<T>(
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

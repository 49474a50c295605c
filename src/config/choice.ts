import { usageError } from "../errors.ts";
import { oneOf } from "../nearest.ts";
import { type Environment, variable } from "./environment.ts";

/** Returns the word in a variable that stands for a flag with a fixed set of words, e.g. `RELAYCTL_OUTPUT`. */
export function choiceOf<T extends string>(env: Environment, name: string, allowed: readonly T[]): T | undefined {
  const given = variable(env, name);
  if (given === undefined) return undefined;
  const found = allowed.find((word) => word === given);
  if (found === undefined) throw usageError([{ where: name, given, rule: oneOf(given, allowed) }]);
  return found;
}

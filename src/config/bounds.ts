import type { Problem } from "../errors.ts";
import { DEFAULT_RETRIES, DEFAULT_TIMEOUT, MOST_RETRIES } from "../timing.ts";
import type { ConnectionFlags } from "./connection/typed-connection.ts";
import { parseDuration } from "./duration.ts";
import type { Environment } from "./environment.ts";
import { flagOrEnv, parseSourced, RuleError, type Sourced } from "./sourced.ts";

/** The limits on time and attempts (promises 2.2). Times in milliseconds. */
export interface Bounds {
  /** Milliseconds for one attempt. */
  timeout: Sourced<number>;
  /** Milliseconds for the command (default: `DEFAULT_DEADLINE`, or none for lists, waits, and bulk). */
  deadline?: Sourced<number>;
  retries: Sourced<number>;
}

export function boundsOf(flags: ConnectionFlags, env: Environment, problems: Problem[]): Bounds {
  const timeout = parseSourced(flagOrEnv("--timeout", flags.timeout, env, "RELAYCTL_TIMEOUT"), parseDuration, problems);
  const retries = parseSourced(flagOrEnv("--retries", flags.retries, env, "RELAYCTL_RETRIES"), parseRetries, problems);
  const deadline =
    flags.deadline === undefined
      ? undefined
      : parseSourced({ value: flags.deadline, from: "--deadline" }, parseDuration, problems);
  return {
    timeout: timeout ?? { value: DEFAULT_TIMEOUT, from: "default" },
    retries: retries ?? { value: DEFAULT_RETRIES, from: "default" },
    ...(deadline && { deadline }),
  };
}

function parseRetries(text: string): number {
  if (/^(?:0|[1-9][0-9]?)$/.test(text) && Number(text) <= MOST_RETRIES) return Number(text);
  throw new RuleError(`must be a whole number from 0 to ${MOST_RETRIES}`, text);
}

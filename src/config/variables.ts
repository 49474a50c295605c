import { nearest } from "../nearest.ts";
import type { Environment } from "./environment.ts";

/** Every variable of this program (design 6). */
export const VARIABLES = [
  "RELAYCTL_SERVER",
  "RELAYCTL_TOKEN",
  "RELAYCTL_TOKEN_FILE",
  "RELAYCTL_CONTEXT",
  "RELAYCTL_CONFIG_DIR",
  "RELAYCTL_OUTPUT",
  "RELAYCTL_NO_INPUT",
  "RELAYCTL_TIMEOUT",
  "RELAYCTL_RETRIES",
  "RELAYCTL_PROXY",
  "RELAYCTL_CA_FILE",
  "RELAYCTL_ALLOW_HTTP",
  "RELAYCTL_COLOR",
  "RELAYCTL_ACCESSIBLE",
] as const;

/** A note for each variable that looks like one of this program's and is none. */
export function unknownVariableNotes(env: Environment): string[] {
  const known: readonly string[] = VARIABLES;
  return Object.keys(env)
    .filter((name) => name.startsWith("RELAYCTL_") && env[name] !== undefined && !known.includes(name))
    .sort()
    .map((name) => `${name} has no effect; ${adviceOn(nearest(name, known))}`);
}

function adviceOn(known: string | undefined): string {
  return known ? `did you mean ${known}?` : "relayctl help environment lists what has";
}

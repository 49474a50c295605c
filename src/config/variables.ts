import { nearest } from "../nearest.ts";
import type { Environment } from "./environment.ts";

/** Every variable of this program (design 6), in words for help. */
export const VARIABLES = {
  RELAYCTL_SERVER: "the service's URL (--server)",
  RELAYCTL_TOKEN: "the token; sent to the server chosen beside it, and nowhere else",
  RELAYCTL_TOKEN_FILE: "a file with the token (--token-file)",
  RELAYCTL_CONTEXT: "a stored context (--context)",
  RELAYCTL_CONFIG_DIR: "the folder of config.json and of the state of --demo",
  RELAYCTL_OUTPUT: "how results are written (--output)",
  RELAYCTL_NO_INPUT: "anything: never ask (--no-input)",
  RELAYCTL_TIMEOUT: "for one attempt, with its unit: 30s (--timeout)",
  RELAYCTL_RETRIES: "extra attempts after failures that changed nothing (--retries)",
  RELAYCTL_PROXY: "a proxy, or none (--proxy)",
  RELAYCTL_CA_FILE: "certificates to trust besides the usual ones (--ca-file)",
  RELAYCTL_ALLOW_HTTP: "plain http to another machine (--allow-http)",
  RELAYCTL_COLOR: "auto, always or never (--color)",
  RELAYCTL_ACCESSIBLE: "anything: questions and progress as plain lines, for a screen reader",
  RELAYCTL_NO_DYNAMIC_COMPLETION: "anything: completion offers no ids and asks the service for nothing",
} as const;

export type Variable = keyof typeof VARIABLES;

/** A note for each variable that looks like one of this program's and is none. */
export function unknownVariableNotes(env: Environment): string[] {
  const known = Object.keys(VARIABLES);
  return Object.keys(env)
    .filter((name) => name.startsWith("RELAYCTL_") && env[name] !== undefined && !known.includes(name))
    .sort()
    .map((name) => `${name} has no effect; ${adviceOn(nearest(name, known))}`);
}

function adviceOn(known: string | undefined): string {
  return known ? `did you mean ${known}?` : "relayctl help environment lists what has";
}

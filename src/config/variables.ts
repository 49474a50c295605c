import { nearestName } from "../nearest.ts";
import type { Environment } from "./environment.ts";
import { NODE_VARIABLE } from "./nodes.ts";

/** Every variable of relayctl (promises 6), with its help text. */
export const VARIABLES = {
  RELAYCTL_SERVER: "URL of the service (--server)",
  RELAYCTL_TOKEN: "Token; sent only to the server that is configured along with it",
  RELAYCTL_TOKEN_FILE: "File with the token (--token-file)",
  RELAYCTL_HEADERS_FILE:
    "File with further headers, one a line; sent only to the server that is configured along with it (--header)",
  RELAYCTL_CONTEXT: "Stored context to use (--context)",
  RELAYCTL_CONFIG_DIR: "Folder of config.json, the journal, and all else that relayctl keeps",
  RELAYCTL_JOURNAL: "Folder of the journal of writes, or off",
  RELAYCTL_OUTPUT: "Output format (--output)",
  RELAYCTL_NO_INPUT: "Never prompt, if set to any value (--no-input)",
  RELAYCTL_READONLY: "Refuse every command and request that does more than read, if set to any value",
  RELAYCTL_TIMEOUT: "Time limit for one attempt, with a unit, e.g. 30s (--timeout)",
  RELAYCTL_RETRIES: "Retries after failures that changed nothing (--retries)",
  RELAYCTL_PROXY: "Proxy URL, or none (--proxy)",
  RELAYCTL_CA_FILE: "File with additional certificates to trust (--ca-file)",
  RELAYCTL_CERT: "File with a client certificate, in PEM or PKCS#12 (--cert)",
  RELAYCTL_KEY: "File with the private key of RELAYCTL_CERT (--key)",
  RELAYCTL_KEY_PASSPHRASE_FILE: "File with the passphrase of RELAYCTL_KEY (--key-passphrase-file)",
  RELAYCTL_ALLOW_HTTP: "Allow plain HTTP to other machines (--allow-http)",
  "RELAYCTL_NODE_<NETWORK>": "URL of a node to read the chain from, e.g. RELAYCTL_NODE_ARBITRUM_ONE (--node)",
  RELAYCTL_COLOR: "auto, always, or never (--color)",
  RELAYCTL_PAGER:
    "Program that shows long tables and help pages on a terminal, or cat; by default PAGER, or less (--no-pager)",
  RELAYCTL_ACCESSIBLE: "Print plain lines in words for a screen reader, if set to any value (or ACCESSIBLE)",
  RELAYCTL_NO_ANNOTATIONS: "Print no annotations and no step summary in GitHub Actions, if set to any value",
  RELAYCTL_NO_DYNAMIC_COMPLETION: "Complete no IDs and send nothing to the service, if set to any value",
} as const;

export type Variable = keyof typeof VARIABLES;

export function unknownVariableNotes(env: Environment): string[] {
  const known = Object.keys(VARIABLES);
  return Object.keys(env)
    .filter((name) => name.startsWith("RELAYCTL_") && env[name] !== undefined)
    .filter((name) => !known.includes(name) && !name.startsWith(NODE_VARIABLE))
    .sort()
    .map((name) => `${name} has no effect; ${adviceOn(nearestName(name, known))}`);
}

function adviceOn(known: string | undefined): string {
  return known ? `did you mean ${known}?` : "run relayctl help environment for all variables";
}

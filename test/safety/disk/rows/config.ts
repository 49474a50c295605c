import { chmodSync } from "node:fs";
import { join } from "node:path";
import { SERVER, TOKEN } from "../../../helpers/test-app.ts";
import type { Row } from "../row.ts";

const TREASURY = "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc";
const STAGING = { server: "https://staging.example.org", token: TOKEN };
const CONFIG = JSON.stringify({
  ...{ version: 1, current: "prod", contexts: { prod: { server: SERVER, token: TOKEN }, staging: STAGING } },
  labels: { evm: { payouts: TREASURY } },
});
const STORED = { "config.json": CONFIG };
const row = (line: string, more: Partial<Row> = {}): Row => ({
  line,
  files: STORED,
  replaces: ["config.json"],
  ...more,
});

export const CONFIG_ROWS: readonly Row[] = [
  row("context set staging --protected"),
  row("context set first --server https://relayer.example.org", {
    ...{ files: {}, env: { RELAYCTL_CONFIG_DIR: "FOLDER/new/relayctl" } },
    replaces: ["new/relayctl/config.json"],
  }),
  row("context use staging"),
  row("context use staging", { before: [({ folder }) => chmodSync(join(folder, "config.json"), 0o644)] }),
  row("context delete staging --yes", { again: [5] }),
  row(`label set treasury ${TREASURY}`),
  row("label delete payouts", { again: [5] }),
  row("label import FOLDER/labels.json --yes", {
    files: { ...STORED, "labels.json": `{"treasury":"${TREASURY}"}` },
  }),
  row(`auth login --context ci --server ${SERVER} --token-file FOLDER/token.txt`, {
    files: { ...STORED, "token.txt": TOKEN },
  }),
  row(`auth login --context ci --server ${SERVER} --token-file FOLDER/token.txt --store pass`, {
    files: { ...STORED, "token.txt": TOKEN },
    world: passOf(),
  }),
  row("auth logout"),
  row("auth logout --context staging"),
];

/** A password store, whose entries outlive a run. */
function passOf() {
  return () => {
    let kept: string | undefined;
    return {
      execute: async (argv: readonly string[], { input }: { input?: string }) => {
        if (argv.includes("rm")) {
          kept = undefined;
          return { stdout: "" };
        }
        if (input !== undefined) {
          kept = input;
          return { stdout: "" };
        }
        const stderr = "Error: the entry is not in the password store.";
        return kept === undefined
          ? { stdout: "", stderr, status: 1, problem: "it ended with status 1" }
          : { stdout: kept };
      },
    };
  };
}

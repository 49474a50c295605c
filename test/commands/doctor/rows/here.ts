import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { accessOfOthers } from "../../../../src/config/files/privacy.ts";
import { usageError } from "../../../../src/errors.ts";
import { memoryJournal } from "../../../helpers/memory/journal.ts";
import { SERVER, TOKEN, type World } from "../../../helpers/test-app.ts";
import { intent } from "../../history/recorded.ts";
import type { Row } from "../sick.ts";

export const KEPT = { RELAYCTL_SERVER: SERVER, RELAYCTL_TOKEN: TOKEN, RELAYCTL_JOURNAL: "journal" };
export const changed = {
  ...memoryJournal(),
  verify: async () => ({
    files: 1,
    lines: 3,
    fault: { file: "2026-11.ndjson", line: 2, what: "changed", words: "line 2 was changed" } as const,
  }),
};
const SETTLED = {
  server: SERVER,
  target: "/api/v1/relayers/r1",
  ids: { relayer_id: "r1" },
  body: { name: "R1" },
};
const unknown = memoryJournal({ entries: [intent("a", SETTLED)] });

const real = { othersMay: (path: string) => accessOfOthers(path, process.getuid?.()) };
const folders: string[] = [];

export function removeFolders(): void {
  for (const path of folders) rmSync(path, { recursive: true, force: true });
}

/** A folder whose name a shell would take apart, and that others can change if the mode says so. */
function folder(mode: number): string {
  const path = mkdtempSync(join(tmpdir(), "doctor $(touch x);'\""));
  chmodSync(path, mode);
  folders.push(path);
  return path;
}

function file(mode: number): string {
  const path = join(folder(0o700), "it's private");
  writeFileSync(path, TOKEN, { mode });
  chmodSync(path, mode);
  return path;
}

const stored = (path: string): World => ({
  ...real,
  env: { RELAYCTL_JOURNAL: "off" },
  config: { version: 1, current: "prod", contexts: { prod: { server: SERVER, token: TOKEN } } },
  configStore: { path },
});
const tokenIn = (path: string): World => ({
  ...real,
  env: { RELAYCTL_SERVER: SERVER, RELAYCTL_TOKEN_FILE: path },
  files: { [path]: TOKEN },
});
const trusting = (path: string): World => ({
  ...real,
  env: { RELAYCTL_SERVER: SERVER, RELAYCTL_TOKEN: TOKEN, RELAYCTL_CA_FILE: path },
  files: { [path]: "" },
});
const damaged = usageError([{ where: "config.json", rule: "line 3 column 7: expected a comma" }]);

export const HERE: readonly Row[] = [
  ["a config that others can read", { world: stored(file(0o644)) }, ["warn CONF-MODE"]],
  ["a config that others can change", { world: stored(file(0o666)) }, ["warn CONF-MODE"]],
  ["a config in a folder that others can change", { world: stored(join(folder(0o777), "c")) }, ["warn CONF-MODE"]],
  ["a token that others can read", { world: tokenIn(file(0o640)) }, ["warn CONF-MODE"]],
  ["trusted certificates that others can change", { world: trusting(file(0o646)) }, ["warn CONF-MODE"]],
  [
    "a journal in a folder that others can change",
    { world: { ...real, env: KEPT, journal: { ...memoryJournal(), path: folder(0o777) } } },
    ["warn CONF-MODE"],
  ],
  [
    "a config that is damaged",
    { world: { env: {}, configStore: { read: () => Promise.reject(damaged) } } },
    ["fail CONF-READ"],
  ],
  ["a version of Node.js without fixes", { world: { runtime: { version: "20.18.1" } } }, ["note NODE-VERSION"]],
  ["a runtime other than Node.js", { world: { runtime: { name: "bun", version: "20.18.1" } } }, []],
  ["a journal that was changed", { world: { env: KEPT, journal: changed } }, ["fail JOURNAL-CHANGED"]],
  ["a write that is not settled", { world: { env: KEPT, journal: unknown } }, ["warn JOURNAL-UNKNOWN"]],
];

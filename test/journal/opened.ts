import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { LockWorld } from "../../src/config/files/lock.ts";
import { markMasked } from "../../src/contract/secret-fields.ts";
import type { Entry, Journal } from "../../src/journal/journal.ts";
import { openJournal } from "../../src/journal/open-journal.ts";
import { redactingJournal } from "../../src/session/journaling/redacting-journal.ts";
import { realSurroundings } from "../config/surroundings.ts";
import { temporaryFolder } from "../config/temporary-folder.ts";

export const MONTH = "2026-11.ndjson";

export function opened(
  path = join(temporaryFolder(), "journal"),
  options: { user?: number | undefined; surroundings?: LockWorld } = {},
) {
  const { user = process.getuid?.(), surroundings = realSurroundings() } = options;
  const notes: string[] = [];
  const note = async (text: string) => void notes.push(text);
  const reopen = (): Journal => redactingJournal(openJournal({ path, user, note, surroundings }), markMasked<string>);
  const file = (name = MONTH) => join(path, name);
  return {
    path,
    notes,
    reopen,
    journal: reopen(),
    file,
    read: (name?: string) => readFileSync(file(name), "utf8"),
    lines: (name?: string) => readFileSync(file(name), "utf8").trimEnd().split("\n"),
    write: (lines: readonly string[], name?: string) =>
      writeFileSync(file(name), lines.map((line) => `${line}\n`).join("")),
    add: (text: string, name?: string) => appendFileSync(file(name), text),
    head: () => JSON.parse(readFileSync(file("head.json"), "utf8")).head,
  };
}

export type Opened = ReturnType<typeof opened>;

/** All entries, newest first. */
export async function all(journal: Journal, since?: number): Promise<Entry[]> {
  const entries: Entry[] = [];
  for await (const entry of journal.newestFirst(since)) entries.push(entry);
  return entries;
}

export async function appendEach(journal: Journal, entries: readonly Entry[]): Promise<void> {
  for (const entry of entries) await journal.append(entry);
}

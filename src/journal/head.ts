import { closeSync, openSync, readFileSync, renameSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { isJsonObject, writeJson } from "../contract/json.ts";
import { count, exactly, flag, listOf, optional, recordOf, text, that } from "../contract/reply/shape.ts";
import type { JournalFolder } from "./folder.ts";
import { jsonOf, newerVersion } from "./line.ts";

/** What is known of one file with lines. Types, not interfaces, so that the compiler accepts them as JSON. */
export type FileHead = {
  lines: number;
  bytes: number;
  /** The digest of the newest line. */
  digest: string;
  /** The lookup files contain the keys of the lines before this position. */
  indexed: number;
};

/** The content of `head.json`: how far the journal reaches. */
export type Head = {
  version: 1;
  files: Record<string, FileHead>;
  /** The sizes of the lookup files; what lies beyond counts for nothing. */
  lookup: number[];
  /** Set once a head was missing or damaged, and had to be worked out from the lines. */
  lost?: true;
};

export const HEAD = "head.json";
const MAX_HEAD_BYTES = 2 ** 20;
const LEFTOVER = /^\.head\.json\..+$/;

const shape = exactly({
  version: that((version) => version === 1),
  files: recordOf(exactly({ lines: count, bytes: count, digest: text, indexed: count })),
  lookup: listOf(count),
  lost: optional(flag),
});

/**
 * Returns the head; undefined if it is missing or damaged.
 * @throws RelayctlError usage if a newer version wrote it, or if it cannot be trusted
 */
export async function readHead(folder: JournalFolder): Promise<Head | undefined> {
  const file = await folder.open(HEAD, "read");
  if (!file) return undefined;
  try {
    const value = file.size > MAX_HEAD_BYTES ? undefined : jsonOf(readFileSync(file.descriptor));
    if (isJsonObject(value) && typeof value.version === "number" && value.version > 1) throw newerVersion(file.path);
    return shape(value) === undefined ? (value as Head) : undefined;
  } finally {
    file.close();
  }
}

/** Replaces the head: a reader sees the old or the new one. */
export function writeHead(folder: JournalFolder, head: Head, unique: string): void {
  const staged = join(folder.path, `.${HEAD}.${unique}`);
  const descriptor = openSync(staged, "wx", 0o600);
  try {
    const bytes = Buffer.from(`${writeJson(head)}\n`);
    if (writeSync(descriptor, bytes) < bytes.length) throw Object.assign(new Error("short"), { code: "ENOSPC" });
    closeSync(descriptor);
    renameSync(staged, join(folder.path, HEAD));
  } catch (error) {
    rmSync(staged, { force: true });
    throw error;
  }
}

/** Removes what killed processes left. */
export function removeLeftovers(folder: JournalFolder): void {
  for (const name of folder.names()) if (LEFTOVER.test(name)) rmSync(join(folder.path, name), { force: true });
}

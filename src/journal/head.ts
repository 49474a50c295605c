import { readFileSync } from "node:fs";
import { isJsonObject, writeJson } from "../contract/json.ts";
import { count, exactly, flag, listOf, optional, recordOf, text, that } from "../contract/reply/shape.ts";
import type { JournalFolder } from "./folder.ts";
import { jsonOf, newerVersion } from "./line.ts";
import { replaceFile } from "./replace-file.ts";

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
  /** The checksums of that much of them. */
  sums: number[];
  /** Set once a head was missing or damaged, and had to be worked out from the lines. */
  lost?: true;
};

export const HEAD = "head.json";
const MAX_HEAD_BYTES = 2 ** 20;

const shape = exactly({
  version: that((version) => version === 1),
  files: recordOf(exactly({ lines: count, bytes: count, digest: text, indexed: count })),
  lookup: listOf(count),
  sums: listOf(count),
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

/** Replaces the head. */
export function writeHead(folder: JournalFolder, head: Head, unique: string): void {
  replaceFile(folder, HEAD, { text: `${writeJson(head)}\n`, unique });
}

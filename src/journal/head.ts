import { fstatSync, futimesSync, lstatSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isJsonObject, type JsonValue, writeJson } from "../contract/json.ts";
import {
  count,
  exactShape,
  flag,
  listShape,
  oneOfShape,
  optionalShape,
  recordShape,
  text,
} from "../contract/reply/shape.ts";
import { type JournalFolder, type OpenFile, withFolderFile } from "./folder.ts";
import { lineJson, newerLineVersion } from "./line.ts";
import { lookupMark } from "./lookup/record.ts";
import { replaceFile } from "./replace-file.ts";

/** Version 0.1 removes this file each time that it takes the lock, and gives up if it is a folder. */
const NAME = "waiting";
const ATTEMPTS = 20;

/** Keeps version 0.1, which does not know the present head, from writing to a journal. Requires the lock. */
export function blockOldJournalWriters(folder: JournalFolder): void {
  const path = join(folder.path, NAME);
  for (let attempt = 0; attempt < ATTEMPTS && !isClosedToOlder(folder); attempt++) {
    // Version 0.1 creates it while it waits for the lock.
    rmSync(path, { force: true });
    mkdirSync(join(path, "a newer relayctl writes here"), { recursive: true, mode: 0o700 });
  }
}

/** Returns whether a head of the present form was ever written here. */
function isClosedToOlder({ path }: JournalFolder): boolean {
  return lstatSync(join(path, NAME), { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Returns whether a journal has more than a salt and locks, so that a missing head was removed. */
export function hasHeadTraces(folder: JournalFolder): boolean {
  return (
    isClosedToOlder(folder) || folder.names().some((name) => /^(?:\d{4}-\d{2}\.ndjson|lookup|torn-.*)$/.test(name))
  );
}

/** A type, not an interface, so that the compiler accepts it as JSON. */
export type FileHead = {
  lines: number;
  bytes: number;
  digest: string;
  /** The lookup files contain the keys of the lines before this position. */
  indexed: number;
  /** The file system's facts when all lines were known to fit. */
  seal?: string;
};

/** The content of `head.json`: how far the journal reaches. */
export type Head = {
  files: Record<string, FileHead>;
  /** The sizes of the lookup files; bytes beyond them don't count. */
  lookup: number[];
  /** The checksums of these bytes. */
  sums: number[];
  /** Set once a head was missing or damaged, and was rebuilt from the lines. */
  lost?: true;
};

export const HEAD = "head.json";
const MAX_HEAD_BYTES = 2 ** 20;
const FORMAT = 2;
const PROTECTED = /^\{"format":2,"sum":"([0-9a-f]{16})","head":(.*)\}\n$/s;

const unprotected = exactShape({
  version: oneOfShape(1),
  files: recordShape(exactShape({ lines: count, bytes: count, digest: text, indexed: count })),
  lookup: listShape(count),
  sums: listShape(count),
  lost: optionalShape(flag),
});

/** Returns the head; undefined if missing or damaged. @throws RelayctlError io if newer; usage if not to be trusted */
export async function readJournalHead(folder: JournalFolder) {
  return await withFolderFile(folder, HEAD, "read", (open) => {
    const bytes = open.size > MAX_HEAD_BYTES ? Buffer.alloc(0) : readFileSync(open.descriptor);
    const [, sum, inside = ""] = PROTECTED.exec(bytes.toString()) ?? [];
    if (sum !== undefined && sum === sumText(inside))
      return { head: lineJson(Buffer.from(inside)) as Head, isProtected: true };
    const value = lineJson(bytes);
    if (isNewer(value)) throw newerLineVersion(open.path).with({ failure: "io" });
    if (unprotected(value) !== undefined || isClosedToOlder(folder)) return undefined;
    return { head: withoutLookup(value as Head), isProtected: false };
  });
}

export function writeJournalHead(folder: JournalFolder, head: Head, unique: string): void {
  const inside = writeJson(head);
  replaceFile(folder, HEAD, { text: `{"format":${FORMAT},"sum":"${sumText(inside)}","head":${inside}}\n`, unique });
}

/** Node's hashes would take longer to load, and any single change shows here as well. */
function sumText(inside: string): string {
  const { high, low } = lookupMark(inside);
  return [high, low].map((half) => half.toString(16).padStart(8, "0")).join("");
}

function isNewer(value: JsonValue | undefined): boolean {
  if (!isJsonObject(value)) return false;
  return Number(value.version) > 1 || Number(value.format) > FORMAT;
}

/** Bytes without a checksum decide nothing: the lines are searched until the lookup files are rebuilt. */
function withoutLookup({ files, lost }: Head): Head {
  const known = Object.entries(files).map(([name, { lines, bytes, digest }]): [string, FileHead] => [
    name,
    { lines, bytes, digest, indexed: 0 },
  ]);
  return { files: Object.fromEntries(known), lookup: [], sums: [], ...(lost && { lost }) };
}

const SECOND = 1_000_000_000n;
const HALF = SECOND / 2n;

export function headFacts({ descriptor }: Pick<OpenFile, "descriptor">): string {
  const { ino, size, mtimeNs, ctimeNs } = fstatSync(descriptor, { bigint: true });
  return [ino, size, mtimeNs, ctimeNs].join(" ");
}

/** Gives the file a time in half seconds, as no write does: its clock may stand still for ms. Undefined without facts. */
export function headSeal(file: OpenFile): string | undefined {
  try {
    const { mtimeNs } = fstatSync(file.descriptor, { bigint: true });
    const time = Number(mtimeNs / SECOND) + 0.5;
    futimesSync(file.descriptor, time, time);
    return fstatSync(file.descriptor, { bigint: true }).mtimeNs % SECOND === HALF ? headFacts(file) : undefined;
  } catch {
    return undefined;
  }
}

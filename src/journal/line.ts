import { strictUtf8 } from "../contract/encoding/utf8.ts";
import { isJsonObject, type JsonValue, parseJson, parseRoundedJson, writeJson } from "../contract/json.ts";
import { fields, objectShape, oneOfShape, optionalShape, text } from "../contract/reply/shape.ts";
import { elseOnError, RelayctlError, usageError } from "../errors.ts";
import { type Entry, journalEntryJson } from "./journal.ts";

/** The longest line without its line break. Longer lines come from other programs. */
export const MAX_LINE_BYTES = 2 ** 20;
export const NO_DIGEST = "0".repeat(64);

const VERSION = 1;
/** The start of every line, to read both without parsing the line. */
const START = /^\{"v":1,"prev":"([0-9a-f]{64})","time":"([^"]*)"/;
const START_BYTES = 150;

/**
 * Returns the bytes of an entry with its line break. An entry that would be too long loses `before`, and then its body:
 * that the write was made matters more.
 * @param prev the digest of the previous line
 * @param json the result of `journalEntryJson`
 */
export function journalLine(entry: Entry, prev: string, json = journalEntryJson(entry)): Buffer {
  const start = writeJson({ v: VERSION, prev }).slice(0, -1);
  let candidate = entry;
  let members = json;
  for (const longest of ["before", "body", undefined]) {
    const line = Buffer.from(`${start},${members.slice(1)}\n`);
    if (line.length <= MAX_LINE_BYTES + 1) return line;
    candidate = Object.fromEntries(Object.entries(candidate).filter(([name]) => name !== longest)) as Entry;
    members = journalEntryJson(candidate);
  }
  throw new RelayctlError("io", "an entry of the journal is too long to be written");
}

/** Returns the previous line's digest, as a line states it; undefined if another program wrote the line. */
export function previousLineDigest(line: Buffer): string | undefined {
  return matchStart(line)?.[1];
}

export function lineTime(line: Buffer): string | undefined {
  return matchStart(line)?.[2];
}

function matchStart(line: Buffer): RegExpExecArray | null {
  return START.exec(line.toString("latin1", 0, START_BYTES));
}

const lineShape = { id: text, run: text, time: text };
const shapes: Readonly<Record<Entry["type"], ReturnType<typeof objectShape>>> = {
  intent: objectShape({
    ...lineShape,
    operation: text,
    kind: text,
    method: text,
    target: text,
    command: text,
    server: text,
    ids: fields,
    before: optionalShape(fields),
  }),
  outcome: objectShape({
    ...lineShape,
    applied: oneOfShape("yes", "no", "unknown"),
    after: optionalShape(fields),
  }),
};

/** Returns the entry of a line, if it has one. @throws RelayctlError usage for a newer version */
export function lineEntry(line: Uint8Array, path: string): Entry | undefined {
  return entryIn(lineJson(line), path);
}

/** Returns the same faster, with numbers that may be rounded. */
export function parseRoundedLine(line: Buffer, path: string): Entry | undefined {
  return entryIn(parseRoundedJson(line.toString()), path);
}

function entryIn(value: JsonValue | undefined, path: string): Entry | undefined {
  if (!isJsonObject(value)) return undefined;
  const { v, prev: _prev, ...entry } = value;
  if (typeof v === "number" && v > VERSION) throw newerLineVersion(path);
  const shape = entry.type === "intent" || entry.type === "outcome" ? shapes[entry.type] : undefined;
  return v === VERSION && shape?.(entry) === undefined && shape ? (entry as Entry) : undefined;
}

export function newerLineVersion(path: string): RelayctlError {
  return usageError([{ where: path, rule: "was written by a newer relayctl" }]);
}

export function lineJson(line: Uint8Array): JsonValue | undefined {
  return elseOnError(() => parseJson(strictUtf8(line) ?? ""));
}

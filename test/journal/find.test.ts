import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Entry } from "../../src/journal/journal.ts";
import { temporaryFolder } from "../config/temporary-folder.ts";
import { memoryJournal } from "../helpers/memory/journal.ts";
import { removeFolder } from "../helpers/remove-folder.ts";
import { intent, outcome } from "./entries.ts";
import { appendEach, type Opened, opened } from "./opened.ts";

const HASH = `0x${"ab".repeat(32)}`;
const send = intent("send", { run: "run-1", operation: "transactions.send", once: 'invoice 7 "ä"' });
const sent = outcome("send", { run: "run-1", applied: "unknown" });
const settled = outcome("send", { run: "run-2", after: { id: "tx-1", hash: HASH }, settledLater: true });
const cancel = intent("cancel", {
  run: "run-3",
  ids: { relayer_id: "eth-1", transaction_id: "tx-1" },
  before: { hash: "0xcd" },
});
const canceled = outcome("cancel", { run: "run-3", after: { id: "tx-1", hash: "0xef" } });
const other = intent("other", { run: "run-1" });
const ENTRIES: readonly Entry[] = [send, sent, settled, cancel, canceled, other];

const FOUND: [string, string, readonly Entry[]][] = [
  ["the ID of a write", "send", [send, sent, settled]],
  ["the ID of a run", "run-1", [send, sent, settled, other]],
  ["the ID of a transaction", "tx-1", [send, sent, settled, cancel, canceled]],
  ["a hash after a write", HASH, [send, sent, settled]],
  ["a hash before a write", "0xcd", [cancel, canceled]],
  ["a key of --once", 'invoice 7 "ä"', [send, sent, settled]],
  ["part of a key", "tx", []],
  ["a text that is not a key", "ops", []],
  ["an unknown key", "tx-2", []],
];

/** Pads the journal, so that the lookup files are written. */
async function padded(world: Opened): Promise<void> {
  const body = { data: "x".repeat(4000) };
  await Promise.all(Array.from({ length: 300 }, (_, index) => world.journal.append(intent(`pad-${index}`, { body }))));
}

let pristine = "";

beforeAll(async () => {
  pristine = mkdtempSync(join(tmpdir(), "relayctl-find-"));
  const world = opened(join(pristine, "journal"));
  await appendEach(world.journal, ENTRIES);
  await padded(world);
  expect(readdirSync(join(world.path, "lookup")).length).toBeGreaterThan(100);
});

afterAll(() => removeFolder(pristine));

/** A copy of a journal with lookup files. */
function indexed(): Opened {
  const folder = temporaryFolder();
  cpSync(pristine, folder, { recursive: true, preserveTimestamps: true });
  return opened(join(folder, "journal"));
}

function rewrite({ path }: Opened, change: (bytes: Buffer) => Buffer): void {
  for (const name of readdirSync(join(path, "lookup"))) {
    const file = join(path, "lookup", name);
    writeFileSync(file, change(readFileSync(file)));
  }
}

test.each(FOUND)("finds %s in a journal without lookup files", async (_, key, entries) => {
  const { journal } = opened();
  await appendEach(journal, ENTRIES);
  expect(await journal.find(key)).toEqual(entries);
});

test.each(FOUND)("finds %s with lookup files", async (_, key, entries) => {
  expect(await opened(join(pristine, "journal")).journal.find(key)).toEqual(entries);
});

test.each(FOUND)("the journal of the tests finds %s too", async (_, key, entries) => {
  const journal = memoryJournal();
  await appendEach(journal, ENTRIES);
  expect(await journal.find(key)).toEqual(entries);
});

test.each<[string, (world: Opened) => void]>([
  ["are missing", ({ path }) => rmSync(join(path, "lookup"), { recursive: true })],
  ["are empty", (world) => rewrite(world, () => Buffer.alloc(0))],
  ["are cut off", (world) => rewrite(world, (bytes) => bytes.subarray(0, -20))],
  ["are zeros", (world) => rewrite(world, (bytes) => Buffer.alloc(bytes.length))],
  ["have a changed digit", (world) => rewrite(world, (bytes) => Buffer.from(bytes.toString().replaceAll(/^./gm, "0")))],
  ["have additional bytes", (world) => rewrite(world, (bytes) => Buffer.concat([bytes, Buffer.from("more")]))],
  ["point to other lines", ({ write, lines }) => write(["{}", ...lines()])],
])("finds everything while lookup files %s, and after further writes", async (_, damage) => {
  const world = indexed();
  damage(world);
  for (const [, key, entries] of FOUND) expect(await world.journal.find(key)).toEqual(entries);
  const more = outcome("cancel", { run: "run-4", after: { id: "tx-1" }, settledLater: true });
  await world.reopen().append(more);
  await padded(world);
  expect(await world.reopen().find("tx-1")).toEqual([send, sent, settled, cancel, canceled, more]);
});

test("writes missing lookup files again", async () => {
  const world = indexed();
  rmSync(join(world.path, "lookup"), { recursive: true });
  await padded(world);
  await padded(world);
  expect(readdirSync(join(world.path, "lookup")).length).toBeGreaterThan(100);
  expect(world.head().lookup.length).toBe(256);
});

test("reads only the lookup file and the lines of a key", async () => {
  const world = indexed();
  const { indexed: reached } = world.head().files["2026-11.ndjson"];
  const end = world.read().length;
  // Lines that the lookup files contain are read only where they point to.
  const [first = ""] = world.lines();
  const text = world.read();
  writeFileSync(
    world.file(),
    text.slice(0, first.length + 1) + " ".repeat(reached - first.length - 2) + text.slice(reached - 1),
  );
  expect(world.read().length).toBe(end);
  expect(await world.journal.find("pad-299")).toEqual(
    reached < end ? [expect.objectContaining({ id: "pad-299" })] : [],
  );
  truncateSync(world.file(), end);
});

import { RelayctlError, usageError } from "../../errors.ts";
import type { Journal } from "../../journal/journal.ts";
import { type RecordedWrite, writesOf } from "../../journal/writes.ts";
import { hasUnicode } from "../../terminal/capabilities.ts";
import type { View } from "../../terminal/view.ts";
import type { Call, CommandFile } from "../command.ts";
import { historyItem } from "./item.ts";
import { nextOf } from "./next.ts";
import { openWholeJournal } from "./open.ts";
import { runLines } from "./run-lines.ts";

/** `relayctl history show <run>`: shows one run with all of its writes, or one write. */
export const historyShow: CommandFile = {
  summary: "Show one run and its writes: who, when, why, and what became of each",
  sends: "journal",
  ends: { not_found: "context or run not found" },
  variables: ["RELAYCTL_JOURNAL"],
  examples: [
    "relayctl history show 3f2a91c0",
    "relayctl history show 3f2a91c0-5d1e-4b7a-9c46-0a1b2c3d4e5f",
    "relayctl history show 3f2a91c0 -o json",
  ],
  args: [
    {
      name: "<run>",
      description: "ID of a run or a write, or the start of one",
      problem: (answer) => (answer === "" ? "is empty" : undefined),
    },
  ],
  define(command) {
    command.description(
      "Show a run of relayctl from the journal: who ran it, where, when, and why, and each write with its target, the values before and after, the outcome, and the command that undoes or follows it. Sends nothing and needs no token.",
    );
  },
  run,
};

async function run(call: Call): Promise<View> {
  const { app, args } = call;
  const writes = await chosenWrites(await openWholeJournal(call), args[0] ?? "");
  const [first] = writes;
  if (!first) throw notFound(args[0] ?? "");
  const drawing = { now: app.clock.now(), isTerminal: app.stdout.isTerminal, hasUnicode: hasUnicode(app.env) };
  const found = writes.map((write) => ({ write, item: historyItem(write), next: nextOf(write, app) }));
  const { run, time, user, host, ci, context, server, command, reason, once } = historyItem(first);
  const value = {
    run,
    time,
    user,
    host,
    ci,
    context,
    server,
    command,
    reason,
    once,
    writes: found.map(({ item, next }) => ({ ...item, next: next?.command ?? null })),
  };
  return { kind: "facts", lines: runLines(found, drawing), value, name: run };
}

/**
 * Returns the writes of the run, or the one write, that an ID or its start identifies, oldest first; none if it is
 * unknown.
 * @throws RelayctlError usage if several begin like it
 */
async function chosenWrites(journal: Journal, typed: string): Promise<readonly RecordedWrite[]> {
  const exact = await writesWith(journal, typed);
  if (exact.length > 0) return exact;
  const found = await idsStarting(journal, typed.toLowerCase());
  const [only, ...more] = [...found];
  if (only === undefined) return [];
  if (more.length > 0) throw ambiguous(typed, [...found.values()]);
  return await writesWith(journal, only[0]);
}

async function writesWith(journal: Journal, id: string): Promise<readonly RecordedWrite[]> {
  const entries = await journal.find(id);
  return writesOf(entries.filter((entry) => entry.run === id || entry.id === id));
}

/** Returns the runs and writes whose ID starts so, newest first, each in words. */
async function idsStarting(journal: Journal, start: string): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for await (const entry of journal.newestFirst()) {
    if (entry.type !== "intent") continue;
    const { id, run, time, operation } = entry;
    if (run.startsWith(start)) found.set(run, `run ${run} of ${time}`);
    if (id.startsWith(start)) found.set(id, `write ${id} of ${time}: ${operation}`);
  }
  return found;
}

const MOST_LISTED = 10;

function ambiguous(typed: string, found: readonly string[]): RelayctlError {
  const listed = found.slice(0, MOST_LISTED).map((words) => ({ where: "<run>", rule: `could be ${words}` }));
  const more = found.length - listed.length;
  const rest = more > 0 ? [{ where: "<run>", rule: `and ${more} more; type more of the ID` }] : [];
  return usageErrorNaming(typed, [...listed, ...rest]);
}

function usageErrorNaming(typed: string, details: { where: string; rule: string }[]): RelayctlError {
  const { message } = usageError([{ where: "<run>", given: typed, rule: "is the start of several IDs" }]);
  return new RelayctlError("usage", message, { details });
}

function notFound(typed: string): RelayctlError {
  return new RelayctlError("not_found", `the journal has no run and no write ${typed}`, { hint: "relayctl history" });
}

import { isRestored } from "../../command-support/journaling/raised-caps.ts";
import { receivedTime } from "../../contract/reply/received-time.ts";
import type { View } from "../../terminal/view.ts";
import type { Call, CommandFile } from "../command.ts";
import { undosSince } from "../undo/undone.ts";
import { chosenRun, chosenWrites, notFound } from "./chosen-writes.ts";
import { historyItem } from "./item.ts";
import { type Next, nextStepsOf } from "./next.ts";
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
  const journal = await openWholeJournal(call);
  const writes = await chosenWrites(journal, args[0] ?? "");
  const [first] = writes;
  if (!first) throw notFound(args[0] ?? "", call);
  const drawing = { now: app.clock.now(), isTerminal: app.stdout.isTerminal };
  const undos = await undosSince(journal, receivedTime(first.intent.time));
  const nextOf = nextStepsOf(await chosenRun(journal, first.intent.run), undos, app);
  const items = await Promise.all(writes.map(async (write) => historyItem(write, await isRestored(journal, write))));
  const found = writes.flatMap((write, index) => {
    const item = items[index];
    return item ? [{ write, item, next: nextOf(write) }] : [];
  });
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
    writes: found.map(({ item, next }) => ({ ...item, next: null, cannot_undo: null, ...membersOf(next) })),
  };
  return { kind: "facts", lines: runLines(found, drawing), value, name: run };
}

function membersOf(next: Next | undefined) {
  if (!next) return {};
  if ("undoneBy" in next) return { cannot_undo: `already undone by run ${next.undoneBy}` };
  return "because" in next ? { cannot_undo: next.because } : { next: next.command };
}

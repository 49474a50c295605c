import { outcomeOf } from "../../command-support/journaling/entries.ts";
import { commandLine } from "../../command-support/shell-words.ts";
import { isShown, showRequests } from "../../command-support/shown.ts";
import { writeJson } from "../../contract/json.ts";
import { type Problem, RelayctlError } from "../../errors.ts";
import type { Journal } from "../../journal/journal.ts";
import type { RecordedWrite } from "../../journal/writes.ts";
import type { View } from "../../terminal/view.ts";
import type { Call, CommandFile } from "../command.ts";
import { withIds } from "../undo-line.ts";
import { historyItem, relayerOf, transactionOf } from "./item.ts";
import { noJournal } from "./open.ts";
import { type RecentTransactions, recentTransactions } from "./settle/recent-transactions.ts";
import { restoreLeftRaised } from "./settle/restore-left-raised.ts";
import { readFor, type Settled, settleWrite } from "./settle/settle-write.ts";
import { unknownWrites } from "./settle/unknown-writes.ts";
import { type SettledItem, settledView, settledViewIn } from "./settle/view.ts";
import { createShortRuns } from "./view.ts";

/** `relayctl history settle`: finds out with reads what became of the writes whose outcome is unknown. */
export const historySettle: CommandFile = {
  summary: "Find out what became of writes whose outcome is unknown",
  sends: "read",
  alsoSends: ["patch"],
  ends: { not_found: "context not found", unmet: "some outcomes are still unknown, or a cap is still raised" },
  variables: ["RELAYCTL_JOURNAL"],
  examples: [
    "relayctl history settle",
    "relayctl history settle -o json",
    "relayctl history settle --fields run,target,applied,why",
  ],
  resource: settledView,
  paginates: true,
  define(command) {
    command.description(
      "Check each write to the selected context's service whose outcome is unknown, by reading the service and the chain; no write is ever sent again. A cap that `tx bump --raise-cap` left raised is restored. What is proven to be applied is recorded. The rest stays unknown and is listed with the reason: a write that does not show may still arrive.",
    );
  },
  run,
};

async function run(call: Call): Promise<View> {
  const { app } = call;
  const session = await call.session();
  const journal = await session.journal();
  if (!journal) throw noJournal(app.env);
  const { writes, leftRaised } = await unknownWrites(journal, session.origin);
  if (isShown(call))
    return await showRequests(
      call,
      [...writes, ...leftRaised.map(({ write }) => write)].flatMap((write) => readFor(write) ?? []),
    );
  const recent = recentTransactions(session.client, writes);
  await readLists(writes, recent);
  // In this order: a transaction that another process sends just now is in no list, or its intent is in the journal.
  const { writes: open, created } = await unknownWrites(journal, session.origin);
  const settling = { session, journal, recent, created, open, now: app.clock.now() };
  const items: SettledItem[] = [];
  // One whose outcome its own run has recorded by now is not unknown anymore.
  const stillOpen = new Set(open.map(({ intent }) => intent.id));
  for (const write of writes.filter(({ intent }) => stillOpen.has(intent.id))) {
    const settled = await settleWrite(write, settling);
    const next = "because" in settled ? lookAt(write, session.flags) : null;
    items.push(itemOf(await kept(write, settled, journal, call), settled, next));
  }
  for (const raised of leftRaised) {
    const item = items.find(({ id }) => id === raised.write.intent.id);
    const left = await restoreLeftRaised(call, journal, raised);
    if (item) Object.assign(item, left);
    else items.push({ ...historyItem(raised.write), why: null, next: null, ...left });
  }
  const drawing = { now: app.clock.now(), isTerminal: app.stdout.isTerminal };
  const runs = createShortRuns();
  runs.add(items.map(({ run }) => run));
  const body = new TextEncoder().encode(writeJson(items));
  const failure = failureOf(items);
  return {
    kind: "list",
    resource: settledViewIn(drawing, drawing.isTerminal ? runs.prefixOf : (run) => run),
    pages: (async function* () {
      yield { items, total: items.length, body };
    })(),
    where: session.name,
    inOrder: true,
    nothing: `no outcome is unknown in the journal of ${session.name}`,
    ending: async () => (failure ? { failure } : {}),
  };
}

/** Reads the lists in which sent transactions are searched for. A failure is reported with each write that needs it. */
async function readLists(writes: readonly RecordedWrite[], recent: RecentTransactions): Promise<void> {
  const sends = writes.filter(({ intent }) => intent.operation === "tx.send");
  for (const { intent } of sends) await recent.of(intent.ids.relayer_id ?? "").catch(() => {});
}

/** Records what was found out, and returns the write with it. */
async function kept(write: RecordedWrite, settled: Settled, journal: Journal, { app }: Call): Promise<RecordedWrite> {
  if ("because" in settled) return write;
  const { id, run } = write.intent;
  const time = new Date(app.clock.now()).toISOString();
  const outcome = {
    ...outcomeOf(settled.request, { data: settled.data }, { id, run, time }),
    settledLater: true as const,
  };
  await journal.append(outcome);
  return { ...write, outcome };
}

function itemOf(write: RecordedWrite, settled: Settled, next: string | null): SettledItem {
  return { ...historyItem(write), why: "because" in settled ? settled.because : null, next };
}

/** Returns the command that shows what a write was about. */
function lookAt(write: RecordedWrite, flags: readonly string[]): string | null {
  const [relayer, transaction] = [relayerOf(write), transactionOf(write)];
  const [noun = ""] = write.intent.operation.split(".");
  if (noun === "tx" && relayer !== undefined) {
    const words = transaction === undefined ? ["list", relayer] : ["get", ...withIds([], [relayer, transaction])];
    return commandLine(...flags, "tx", ...words);
  }
  const id = relayer ?? Object.values(write.intent.ids)[0];
  const hasGet = ["relayers", "notifications", "signers", "networks", "plugins"].includes(noun);
  return hasGet && typeof id === "string" ? commandLine(...flags, noun, "get", id) : null;
}

function failureOf(items: readonly SettledItem[]): RelayctlError | undefined {
  const rest = items.filter(({ why }) => why !== null);
  if (rest.length === 0) return undefined;
  const details = rest.map(
    ({ run, operation, why, next }): Problem => ({
      where: `run ${run}`,
      given: operation,
      rule: `${why}${next === null ? "" : `; check it: ${next}`}`,
    }),
  );
  const raised = rest.filter(({ restored }) => restored === false).length;
  const message = stillOpen(rest.length - raised, raised);
  const [only] = details;
  const because = only && details.length === 1 ? [`${only.where}: ${only.given}: ${only.rule}`] : [];
  return new RelayctlError("unmet", message, { details, because });
}

function stillOpen(unknown: number, raised: number): string {
  const outcomes = unknown === 1 ? "1 outcome is still unknown" : `${unknown} outcomes are still unknown`;
  const caps = raised === 1 ? "1 cap is still raised" : `${raised} caps are still raised`;
  return [...(unknown > 0 ? [outcomes] : []), ...(raised > 0 ? [caps] : [])].join(", ");
}

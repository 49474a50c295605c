import { appliedInBulk, type Completed } from "../client/bulk/run-all.ts";
import { collectItems } from "../client/pagination/collect.ts";
import type { ApiResult } from "../client/request.ts";
import type { Shortfall, WriteThrottle } from "../command-support/bulk/writes.ts";
import { acceptLostLines } from "../command-support/journaling/lost-lines.ts";
import { type PlannedWrite, runWrite } from "../command-support/prepared-write.ts";
import { type DiffFlag, isDryRun } from "../command-support/shown.ts";
import { firstLines, groupDigits } from "../contract/decimal.ts";
import { type JsonObject, writeJson } from "../contract/json.ts";
import type { Relayer } from "../contract/resources/relayer.ts";
import { RelayctlError, rescue, unsentError, usageError } from "../errors.ts";
import {
  appliedOf,
  isInProgress,
  type Journal,
  type RecordedWrite,
  readRunWrites,
  walkWrites,
} from "../journal/journal.ts";
import { isWriteInEffect } from "../recovery/unknown-writes.ts";
import { LOST_LINES } from "../session/journaling/lost-lines-flag.ts";
import type { Session } from "../session/session.ts";
import { commandLine } from "../shell/shell-words.ts";
import type { View } from "../terminal/view.ts";
import { bulkThrottleFlags, defineBulkThrottleFlags } from "./bulk/flags.ts";
import { type Call, createCommand, DIFF } from "./command.ts";
import { chosenRun } from "./history/chosen-writes.ts";
import { noHistory } from "./history/open.ts";
import { networkChange } from "./networks/send-change.ts";
import { notificationChange } from "./notifications/send-change.ts";
import { pluginChange } from "./plugins/send-change.ts";
import { relayerUpdate } from "./relayers/change/send-update.ts";
import { requireConsentForMany } from "./relayers/many/consent.ts";
import type { Target } from "./relayers/many/targets.ts";
import {
  changedSinceReversal,
  type Irreversible,
  type Reversal,
  reversalPlan,
  reversalRefusal,
  reversibleWrites,
  SETTLE,
  type UndoRefusal,
} from "./undo/reversal.ts";

export const undo = createCommand({
  summary: "Undo the changes of a run, if nothing changed since",
  sends: "patch",
  ends: {
    ok: "undone, or already as before the run",
    not_found: "context or run not found",
    conflict: "changed since, or cannot be undone",
    unknown: "unknown whether the run or the undo was applied",
    partial: "some failed",
    io: "the journal lost lines",
  },
  variables: ["RELAYCTL_JOURNAL"],
  examples: ["relayctl undo", "relayctl undo 3f2a91c0 --dry-run", "relayctl undo 3f2a91c0 --partly --yes"],
  args: [
    {
      name: "[run]",
      description: "ID of a run, or the start of one (default: the newest run that is not undone)",
      problem: (answer) => (answer === "" ? "is empty" : undefined),
    },
  ],
  paginates: true,
  readsFirst: true,
  description:
    "Undo the changes of a recorded run, all of them if it changed several resources. Each resource is read first: if a member that the run changed now has another value, the command shows both values, sends nothing, and exits with 6. It does the same if a part of the run cannot be undone exactly: a transaction, a deletion, a secret, or a value that was not read before. A write whose outcome is unknown is not undone, and the command exits with 11.",
  define: (command) =>
    command
      .optionsGroup("Request")
      .option("--partly", "Undo the rest of a bulk run if a part of it cannot be undone, and exit with 12")
      .option(...DIFF)
      .option(...LOST_LINES)
      .optionsGroup("Bulk")
      .include(defineBulkThrottleFlags),
  prepare: async ({ args, flags }, problems) => {
    if (args[0] === "") problems.add("[run]", "is empty");
    return bulkThrottleFlags(flags, problems);
  },
  run: runUndo,
});

async function runUndo(call: Call<DiffFlag & { partly?: true }>, throttle: WriteThrottle): Promise<View> {
  const session = await call.session();
  const writes = await runToUndo(call, session);
  const { run, time, command } = writes[0].intent;
  const refusal = reversalRefusal(run, session);
  const { reversals, refused, stayingCanceled } = reversalPlan(writes);
  const partly = call.flags.partly === true;
  const [only, ...more] = reversals;
  const isMany = more.length > 0 || refused.length > 0;
  if (!only || (refused.length > 0 && !partly)) throw refusal(refused, !only);
  const bodies = reversals.map(({ body }) => body);
  if (isMany && !isDryRun(call)) requireConsentForMany(call, session, bodies);
  session.recordUndoOf(run);
  await call.say(`run ${run} of ${time}: ${command}`);
  if (stayingCanceled > 0)
    await call.say({ note: `the run requested cancellations, which an undo does not restore: ${stayingCanceled}` });
  if (isMany)
    return await undoMany(call, { reversals, refused, check: changedSinceReversal, partly, refusal, throttle });
  const check = (live: Parameters<typeof changedSinceReversal>[1]) => {
    const problem = changedSinceReversal(only, live);
    if (problem) throw refusal([problem], true);
  };
  // A user who does not type the run has not seen what is undone.
  return await undoOne(call, only, check, call.args[0] === undefined);
}

type Check = (resource: JsonObject | undefined) => void;

async function undoOne(call: Call, reversal: Reversal, check: Check, confirms: boolean): Promise<View> {
  const { noun, id, body } = reversal;
  const { client } = await call.session();
  const shown = { ...call, flags: { ...call.flags, diff: true as const } };
  const change = <T extends JsonObject>(resources: { get(id: string): Promise<ApiResult<T>> }) => ({
    ...{ id, body, read: () => readChecked(resources.get(id), check) },
  });
  const send = <T extends JsonObject>(write: PlannedWrite<T>) =>
    runWrite(shown, {
      ...write,
      title: `undo the change to ${noun.slice(0, -1)} ${id}`,
      ...(confirms && { confirms }),
    });
  switch (noun) {
    case "relayers":
      return await send(relayerUpdate(shown, change(client.relayers)));
    case "notifications":
      return await send(notificationChange(shown, change(client.notifications)));
    case "networks":
      return await send(networkChange(shown, change(client.networks)));
    case "plugins":
      return await send(pluginChange(shown, change(client.plugins)));
  }
}

async function readChecked<T extends JsonObject>(reading: Promise<ApiResult<T>>, check: Check): Promise<ApiResult<T>> {
  const result = await rescue(reading, (error) => {
    if (error.failure === "not_found") check(undefined);
    throw error;
  });
  check(result.data);
  return result;
}

async function runToUndo(call: Call, session: Session): Promise<readonly [RecordedWrite, ...RecordedWrite[]]> {
  const journal = await session.journal();
  if (!journal) throw noHistory(call.app.env);
  await acceptLostLines(call, journal, "the undo");
  const [typed] = call.args;
  const writes = typed === undefined ? await newestRun(journal, session.origin) : await chosenRun(journal, typed);
  const [first, ...others] = writes;
  if (!first) {
    const none =
      typed === undefined ? `nothing to undo: no run in ${session.name} is left to undo` : `unknown run "${typed}"`;
    throw new RelayctlError("not_found", none, { hint: commandLine(...session.flags, "history") });
  }
  const { server, context } = first.intent;
  if (server !== session.origin) {
    const where = context === undefined ? server : `${server} (context ${context})`;
    throw usageError([{ where: "[run]", rule: `is a run at ${where}, not in ${session.name}` }]);
  }
  if (isInProgress(writes, journal)) {
    const { run, pid, host } = first.intent;
    const because = [`process ${pid} on ${host} sends it`, "nothing was sent now"];
    throw new RelayctlError("conflict", `run ${run} is still in progress`, { because, retryable: true });
  }
  return [first, ...others];
}

/** An undo's run is only undone by its ID: otherwise a second undo would restore what the first undid. */
async function newestRun(journal: Journal, server: string): Promise<readonly RecordedWrite[]> {
  const undos: RecordedWrite[] = [];
  const seen = new Set<string>();
  for await (const write of walkWrites(journal)) {
    const { run, undoes, server: origin } = write.intent;
    if (origin !== server || appliedOf(write) === "no") continue;
    if (undoes !== undefined) undos.push(write);
    else if (!seen.has(run)) {
      seen.add(run);
      const writes = await readRunWrites(journal, run);
      const applied = writes.filter((each) => appliedOf(each) !== "no");
      if (reversibleWrites(applied).some((each) => isWriteInEffect(each, undos))) return writes;
    }
  }
  return [];
}

interface Undoing {
  reversals: readonly Reversal[];
  /** The targets of the run that cannot be undone, which were found before anything was read. */
  refused: readonly Irreversible[];
  check(reversal: Reversal, live: JsonObject | undefined): Irreversible | undefined;
  partly: boolean;
  refusal: UndoRefusal;
  throttle: WriteThrottle;
}

async function undoMany(call: Call<DiffFlag>, undoing: Undoing): Promise<View> {
  const { reversals, check, partly, refusal, throttle } = undoing;
  const { client, flags } = await call.session();
  const ids = new Set(reversals.map(({ id }) => id));
  const relayers = await collectItems<Relayer>(client.relayers.list(), ({ id }) => ids.has(id));
  const live = new Map(relayers.map((relayer) => [relayer.id, relayer]));
  const problems = new Map(reversals.map((reversal) => [reversal, check(reversal, live.get(reversal.id))]));
  const refused = [...undoing.refused, ...[...problems.values()].filter((problem) => problem !== undefined)];
  const left = reversals.filter((reversal) => problems.get(reversal) === undefined);
  if (refused.length > 0 && (!partly || left.length === 0)) throw refusal(refused, partly || left.length === 0);
  const targets = left.map((reversal): Target => {
    const refuseMoved = (now: JsonObject | undefined) => {
      const problem = check(reversal, now);
      if (problem) throw unsentError("conflict", problem.because);
    };
    const { id, body } = reversal;
    return { id, body, before: live.get(id), refuseMoved };
  });
  const shortfall = refused.length === 0 ? undefined : buildShortfall(refused, refused.length + left.length, flags);
  const { updateManyTargets } = await import("./relayers/many/update-many.ts");
  return await updateManyTargets(call, {
    targets: withSharedBodies(targets),
    shortfall,
    throttle,
    reads: true,
    isUndo: true,
  });
}

/** Gives targets with equal patches the same object, for grouping. */
function withSharedBodies(targets: readonly Target[]): Target[] {
  const bodies = new Map<string, JsonObject>();
  return targets.map((target) => {
    const text = writeJson(target.body);
    const body = bodies.get(text) ?? target.body;
    bodies.set(text, body);
    return { ...target, body };
  });
}

const MOST_NAMED = 20;

function buildShortfall(refused: readonly Irreversible[], all: number, flags: readonly string[]): Shortfall {
  const reasons = refused.map(({ id, because }) => `${id}: ${because}`);
  const words = `${groupDigits(refused.length)} of ${groupDigits(all)} changes cannot be undone`;
  return {
    words: `${words}: ${firstLines(reasons, MOST_NAMED).join("; ")}`,
    failure: (_, completed: readonly Completed<unknown>[]) =>
      new RelayctlError("partial", words, {
        applied: appliedInBulk(completed),
        details: refused.map(({ id, because }) => ({ where: id, rule: because })),
        because: refused.length === 1 ? reasons : [],
        ...(refused.some(({ isUnknown }) => isUnknown) && { hint: commandLine(...flags, ...SETTLE) }),
      }),
  };
}

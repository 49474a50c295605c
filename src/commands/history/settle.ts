import { openChain } from "../../chain/open-chain.ts";
import { acceptLostLines } from "../../command-support/journaling/lost-lines.ts";
import { isDryRun, showRequests } from "../../command-support/shown.ts";
import { writeJson } from "../../contract/json.ts";
import { receivedTime } from "../../contract/reply/received-time.ts";
import { type Problem, RelayctlError, rescue, rescueUnlessInterrupted } from "../../errors.ts";
import {
  appliedOf,
  isUnsettled,
  type Journal,
  type RecordedWrite,
  shortRuns,
  type WriteOutcome,
} from "../../journal/journal.ts";
import { findSends } from "../../recovery/find-sends.ts";
import { lostSendOf, type SendFate, unknownSend } from "../../recovery/lost-send.ts";
import { recalledOutcome } from "../../recovery/recall.ts";
import { gasCapText, restoreCap, restoringCommand } from "../../recovery/restore-cap.ts";
import {
  requestToSettle,
  type Settled,
  type Settling,
  settleWrite,
  settlingRequest,
} from "../../recovery/settle-write.ts";
import { unknownWrites } from "../../recovery/unknown-writes.ts";
import { entryOutcome } from "../../session/journaling/entries.ts";
import { LOST_LINES } from "../../session/journaling/lost-lines-flag.ts";
import { closeRaisedCaps, leftRaisedCaps, type RaisedCap, raisedCapKey } from "../../session/journaling/raised-caps.ts";
import { wordsWithIds } from "../../session/receipt-words.ts";
import { commandLine } from "../../shell/shell-words.ts";
import { listFrom, onePageView, type View } from "../../terminal/view.ts";
import { LONGEST_ON_THE_WAY } from "../../timing.ts";
import { historyItem, historyItemRelayer, historyItemTransaction } from "../../views/history/item.ts";
import { historySettledView, type SettledItem, settledView } from "../../views/history/write.ts";
import type { Call, CommandFile, CommandSyntax } from "../command.ts";
import { noHistory } from "./open.ts";

/** The state of a cap that was not restored; `not yet` if the request that raises it may still arrive. */
type CapState = "raised" | "unknown" | "not yet";

function capTexts(caps: readonly CapState[]): string[] {
  const texts = {
    raised: caps.filter((each) => each === "raised").length === 1 ? "is still raised" : "are still raised",
    unknown: "may still be raised",
    "not yet": "may yet be raised",
  };
  return Object.entries(texts).flatMap(([state, words]) => {
    const count = caps.filter((each) => each === state).length;
    return count === 0 ? [] : [`${count} ${count === 1 ? "cap" : "caps"} ${words}`];
  });
}

interface Restoring {
  item: Pick<SettledItem, "restored"> & Partial<Pick<SettledItem, "why" | "next">>;
  left?: CapState | undefined;
}

/**
 * Restores a cap that a run left raised, unless somebody changed it in the meantime: the user agreed to that before it
 * was raised. A cap that a running command has raised, or that was to stay raised, stays: for the latter, the command
 * that restores it is shown, since the run did not get to show it.
 */
async function restoreLeftRaised(call: Call, journal: Journal, raised: RaisedCap): Promise<Restoring> {
  const { flags, origin } = await call.session();
  const next = restoringCommand(flags, raised);
  try {
    const open = await journal.exclusively(raisedCapKey(origin, raised.relayerId), () =>
      restoreAlone(call, journal, raised),
    );
    return open ? { item: { restored: false, why: open.why, next }, left: open.left } : { item: { restored: true } };
  } catch (error) {
    if (!(error instanceof RelayctlError) || call.app.interrupt.aborted) throw error;
    const why = error.failure === "conflict" ? "a running command may have raised it" : error.message;
    return { item: { restored: false, why, next }, left: "unknown" };
  }
}

async function restoreAlone(
  call: Call,
  journal: Journal,
  { write, relayerId, from, to }: RaisedCap,
): Promise<{ why: string; left: CapState } | undefined> {
  const { temporary: key = write.intent.keeps ?? "", keeps } = write.intent;
  const isLeft = (await leftRaisedCaps(journal, key)).some((left) => left.write.intent.id === write.intent.id);
  if (!isLeft) return undefined;
  const { client, protected: isProtected } = await call.session();
  const { clock } = call.app;
  const update = createRefusal(keeps !== undefined, isProtected);
  const relayers = { ...client.relayers, ...(update && { update }) };
  const restored = await restoreCap({ relayers }, { relayerId, from, to, key }, clock);
  if (restored.state === "failed") {
    const words = `gas_price_cap ${restored.isRaised ? "is still" : "may still be"} ${gasCapText(to)}`;
    const why = `${words}: ${restored.error.message}`;
    if (!restored.isRaised) return { why, left: "unknown" };
    if (keeps !== undefined) await closeCap(call, journal, key);
    return { why, left: "raised" };
  }
  const age = clock.now() - receivedTime(write.intent.time);
  const wasSent = restored.state === "restored" && restored.wasSent;
  if (appliedOf(write) === "unknown" && !wasSent && age < LONGEST_ON_THE_WAY)
    return { why: "the request that raises it may still arrive", left: "not yet" };
  if (restored.state === "changed")
    await call.say({
      note: `gas_price_cap of ${relayerId} was changed to ${gasCapText(restored.cap)} in the meantime, and relayctl does not change it; it was ${gasCapText(from)} before`,
    });
  else if (wasSent) await call.say(`gas_price_cap of ${relayerId} is ${gasCapText(from)} again`);
  await closeCap(call, journal, key);
  return undefined;
}

function createRefusal(isKept: boolean, isProtected: boolean): (() => Promise<never>) | undefined {
  if (!isKept && !isProtected) return undefined;
  return async () => {
    throw new RelayctlError("declined", isKept ? KEPT : PROTECTED);
  };
}

const KEPT = "its run was to leave it so (--keep-raised)";
const PROTECTED = "restoring it in a protected context needs confirmation";

/** Records that nothing is left to restore. An unrecorded end is found again by the next run. */
async function closeCap({ app, say }: Call, journal: Journal, key: string): Promise<void> {
  await rescue(closeRaisedCaps(journal, key, new Date(app.clock.now()).toISOString()), ({ message }) =>
    say({ warning: `the journal does not show that the cap is settled: ${message}` }),
  );
}

export const historySettle: CommandFile = {
  summary: "Resolve writes whose outcome is unknown",
  sends: "read",
  mayOnlyAsk: true,
  alsoSends: ["patch"],
  ends: {
    not_found: "context not found",
    unmet: "some outcomes are still unknown, or a cap may be raised",
    io: "the journal lost lines",
  },
  variables: ["RELAYCTL_JOURNAL"],
  examples: [
    "relayctl history settle",
    "relayctl history settle -o json",
    "relayctl history settle --fields run,target,applied,why",
  ],
  resource: settledView,
  paginates: true,
  description:
    "Check each write to the selected context's service whose outcome is unknown, by reading the service and the chain; no write is ever sent again. A cap that `tx bump --raise-cap` left raised is restored. What is proven to be applied is recorded. The rest stays unknown and is listed with the reason: a write that does not show may still arrive.",
  define: defineHistorySettle,
  run: runHistorySettle,
};

function defineHistorySettle(command: CommandSyntax) {
  return command.optionsGroup("Journal").option(...LOST_LINES);
}

async function runHistorySettle(call: Call): Promise<View> {
  const { app } = call;
  const session = await call.session();
  const journal = await session.journal();
  if (!journal) throw noHistory(app.env);
  await acceptLostLines(call, journal, "settling");
  const { writes, leftRaised } = await unknownWrites(journal, session.origin);
  if (isDryRun(call))
    return await showRequests(
      call,
      [...writes, ...leftRaised.map(({ write }) => write)].flatMap((write) => settlingRequest(write) ?? []),
    );
  const sends = await findLostSends(call, journal, writes);
  const { writes: open } = await unknownWrites(journal, session.origin);
  const settling = { session, journal, sends, now: app.clock.now() };
  // A write is known once its own run has recorded its outcome.
  const stillOpen = new Set(open.map(({ intent }) => intent.id));
  const unknown = writes.filter(({ intent }) => stillOpen.has(intent.id));
  const { items, unrecorded } = await settleAll(call, unknown, settling);
  const caps: CapState[] = [];
  for (const raised of leftRaised) {
    const item = items.find(({ id }) => id === raised.write.intent.id);
    const restoring = await restoreLeftRaised(call, journal, raised);
    if (restoring.left) caps.push(restoring.left);
    if (item) Object.assign(item, restoring.item);
    else items.push({ ...historyItem(raised.write), why: null, next: null, ...restoring.item });
  }
  const drawing = { now: app.clock.now(), isTerminal: app.stdout.isTerminal };
  const runs = items.map((item) => item.run);
  const shortened = drawing.isTerminal ? await shortRuns(journal, runs) : (run: string) => run;
  const body = new TextEncoder().encode(writeJson(items));
  const failure = settleFailure(items, caps) ?? unrecorded;
  return listFrom({ name: session.name }, historySettledView(drawing, shortened), onePageView(items, body), {
    nothing: `no outcome is unknown in the journal of ${session.name}`,
    ending: async () => ({ failure }),
  });
}

interface SettledAll {
  items: SettledItem[];
  /** Why an outcome could not be recorded, which must not keep a cap raised. */
  unrecorded: RelayctlError | undefined;
}

async function settleAll(call: Call, writes: readonly RecordedWrite[], settling: Settling): Promise<SettledAll> {
  const all: SettledAll = { items: [], unrecorded: undefined };
  const shown = new Set<string>();
  for (const write of writes) {
    const settled = await settleWrite(write, settling);
    if ("because" in settled) {
      const next = readCommand(write, settling.session.flags);
      all.items.push({ ...historyItem(write), why: settled.because, next });
      continue;
    }
    if ("data" in settled && !write.intent.ownId) shown.add(write.intent.run);
    const outcome = laterOutcome(write, settled, call.app.clock.now());
    all.unrecorded = (await recordIn(settling.journal, outcome, call)) ?? all.unrecorded;
    all.items.push({ ...historyItem({ ...write, outcome }), why: null, next: null });
  }
  if (shown.size > 0) {
    const runs = `${shown.size === 1 ? "run" : "runs"} ${[...shown].join(", ")}`;
    await call.say({ note: `what ${runs} requested is there; another client may have requested the same` });
  }
  return all;
}

function laterOutcome(
  { intent: { id, run } }: RecordedWrite,
  settled: Exclude<Settled, { because: string }>,
  now: number,
): WriteOutcome {
  const of = { id, run, time: new Date(now).toISOString() };
  if ("finding" in settled) return recalledOutcome(settled.finding, of);
  return { ...entryOutcome(settled.request, { data: settled.data }, of), settledLater: true };
}

async function recordIn(journal: Journal, outcome: WriteOutcome, { say }: Call): Promise<RelayctlError | undefined> {
  const failure = await rescue(journal.append(outcome), (error) => error);
  if (failure) await say({ warning: `the outcome of run ${outcome.run} is not recorded: ${failure.message}` });
  return failure ?? undefined;
}

function readCommand(write: RecordedWrite, flags: readonly string[]): string | null {
  const [relayer, transaction] = [historyItemRelayer(write), historyItemTransaction(write)];
  const [noun = ""] = write.intent.operation.split(".");
  if (noun === "tx" && relayer !== undefined) {
    const words = transaction === undefined ? ["list", relayer] : ["get", ...wordsWithIds([], [relayer, transaction])];
    return commandLine(...flags, "tx", ...words);
  }
  const id = relayer ?? Object.values(write.intent.ids)[0];
  const hasGet = ["relayers", "notifications", "signers", "networks", "plugins"].includes(noun);
  return hasGet && typeof id === "string" ? commandLine(...flags, noun, "get", id) : null;
}

function settleFailure(items: readonly SettledItem[], caps: readonly CapState[]): RelayctlError | undefined {
  const rest = items.filter(({ why }) => why !== null);
  if (rest.length === 0) return undefined;
  const details = rest.map(
    ({ run, operation, why, next, restored }): Problem => ({
      where: `run ${run}`,
      given: operation,
      rule: `${why}${next === null ? "" : `; ${restored === false ? "restore" : "check"} it: ${next}`}`,
    }),
  );
  const message = stillOpen(rest.length - caps.length, caps);
  const [only] = details;
  const because = only && details.length === 1 ? [`${only.where}: ${only.given}: ${only.rule}`] : [];
  return new RelayctlError("unmet", message, { details, because });
}

function stillOpen(unknown: number, caps: readonly CapState[]): string {
  const outcomes = unknown === 1 ? "1 outcome is still unknown" : `${unknown} outcomes are still unknown`;
  return [...(unknown > 0 ? [outcomes] : []), ...capTexts(caps)].join(", ");
}

async function findLostSends(call: Call, journal: Journal, writes: readonly RecordedWrite[]) {
  const { client, origin: server, ownNode } = await call.session();
  const isLostSend = (write: RecordedWrite) =>
    write.intent.operation === "tx.send" &&
    !("because" in requestToSettle(write.intent)) &&
    isUnsettled(write, journal);
  const intents = writes.filter(isLostSend).map(({ intent }) => intent);
  const findings = new Map<string, SendFate>();
  for (const relayerId of new Set(intents.map(({ ids }) => ids.relayer_id ?? ""))) {
    const sends = intents.filter(({ ids }) => ids.relayer_id === relayerId).map(lostSendOf);
    const chain = () => openChain({ client, relayerId, ownNode });
    const world = { server, relayerId, client, journal, now: () => call.app.clock.now(), chain };
    const found = await rescueUnlessInterrupted(findSends(world, sends), (error) => {
      const words = [error.message, ...error.because].join("; ");
      return new Map(sends.map(({ id }) => [id, unknownSend(`it could not be checked: ${words}`)]));
    });
    for (const [id, finding] of found) findings.set(id, finding);
  }
  return findings;
}

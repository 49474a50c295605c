import { SPEND_FIELDS } from "../../../audit/spend-windows.ts";
import { apiRequest } from "../../../client/request.ts";
import { firstSetQuestion } from "../../../command-support/bulk/writes.ts";
import { askConsentQuestion } from "../../../command-support/consent/consent.ts";
import { endedByCtrlC, liveForm, writeLiveEvent } from "../../../command-support/live.ts";
import { writeWithHint } from "../../../command-support/prepared-write.ts";
import { isDryRun, showRequests } from "../../../command-support/shown.ts";
import { pluralize } from "../../../contract/decimal.ts";
import { writeJson } from "../../../contract/json.ts";
import { ifReadable, RelayctlError, rescue, usageError } from "../../../errors.ts";
import type { Message } from "../../../message.ts";
import { statusFailure } from "../../../relayer-state/read-status-routes.ts";
import { collectPending } from "../../../session/collect.ts";
import type { Session } from "../../../session/session.ts";
import { commandLine } from "../../../shell/shell-words.ts";
import type { View } from "../../../terminal/view.ts";
import { GUARD_INTERVAL, REFUSED_TIME, SHORTEST_WATCH, UNREAD_TIME } from "../../../timing.ts";
import type { Measured, Measurement } from "../../../views/relayer-status/table.ts";
import type { Threshold } from "../../../views/relayer-status/thresholds.ts";
import type { Call } from "../../command.ts";
import { createOnChangeQueue } from "../../watch/on-change/on-change.ts";
import { manyCount, typedManyCount } from "../many/consent.ts";
import { createMonitor, monitoredText } from "../monitor/create-monitor.ts";
import type { Erc20Use } from "../status/erc20-use.ts";

export interface TypedGuard {
  ids: readonly string[] | undefined;
  conditions: readonly Threshold[];
  erc20: Erc20Use | undefined;
  /** Milliseconds between two measurements. */
  every: number;
  onChange: readonly string[] | undefined;
}

export async function runGuard(call: Call<{ keep?: true }>, typed: TypedGuard): Promise<View> {
  const session = await call.session();
  const { conditions } = typed;
  const windows = SPEND_FIELDS.filter((name) => conditions.some(({ field }) => field === name));
  const reads = { windows, erc20: typed.erc20 };
  const first = await createMonitor(call, session, typed.ids, reads)();
  refuseUnguarded(first.relayers, conditions);
  const ids = first.relayers.map(({ id }) => id);
  if (isDryRun(call)) return await showPauses(call, first, conditions);
  const asked = call.app.clock.elapsed();
  await agreeToGuard(call, session, ids, conditions);
  // A relayer that no longer matches stays guarded.
  const everyOne = { ...call, output: { ...call.output, where: [] } };
  const measure = createMonitor(everyOne, session, ids, { ...reads, mayMiss: true });
  // What was measured before a question may be minutes old after it.
  const isFresh = call.app.clock.elapsed() - asked < SHORTEST_WATCH;
  return await guardRelayers(call, { session, ids, measure, typed }, isFresh ? first : await measure());
}

function refuseUnguarded(relayers: readonly Measurement[], conditions: readonly Threshold[]): void {
  if (relayers.length === 0) throw usageError([{ where: "<ids>", rule: "select no relayer" }]);
  const unguarded = relayers.filter((relayer) => !conditions.some((condition) => appliesToKind(condition, relayer)));
  const rule = "no condition applies to this relayer: it has another coin, or no such value";
  if (unguarded.length > 0) throw usageError(unguarded.map(({ id }) => ({ where: "--pause-if", rule, given: id })));
}

const OF_CHAIN: readonly string[] = ["nonce_drift", ...SPEND_FIELDS];

function appliesToKind({ field, isCrossed }: Threshold, relayer: Measurement): boolean {
  return isCrossed(relayer) !== "other coin" && (!OF_CHAIN.includes(field) || relayer.coin?.base === "wei");
}

function metIn({ relayers }: Measured, conditions: readonly Threshold[]): { id: string; why: string }[] {
  return relayers.flatMap((relayer) => {
    const met = conditions.find(({ isCrossed }) => isCrossed(relayer) === true);
    if (!met || relayer.isPaused) return [];
    return { id: relayer.id, why: `${met.text} (${monitoredText(met.field, relayer)})` };
  });
}

async function showPauses(call: Call, first: Measured, conditions: readonly Threshold[]): Promise<View> {
  const met = metIn(first, conditions);
  const unread = findUnread(first, conditions);
  for (const [id, { message }] of unread) await call.say({ note: `${id} could not be measured: ${message}` });
  for (const { id, why } of met) await call.say(`would pause ${id}: ${why}`);
  if (met.length > 0)
    return await showRequests(
      call,
      met.map(({ id }) => apiRequest("relayers.update", { relayer_id: id }, { paused: true })),
      true,
    );
  const failure = statusFailure(unread.keys(), unread, call.app.interrupt);
  if (failure) throw failure;
  await call.say("dry run: no relayer meets a condition now, and nothing was sent");
  return { kind: "nothing" };
}

async function agreeToGuard(call: Call, session: Session, ids: readonly string[], conditions: readonly Threshold[]) {
  await session.requireReason();
  const texts = conditions.map(({ text }) => text).join(" or ");
  const set = {
    title: `guard ${ids.length === 1 ? ids[0] : manyCount(ids)}, and pause each that meets ${texts},`,
    act: "guarding relayers",
    sort: ids.length > 1 ? { type: typedManyCount(ids) } : ("yes" as const),
  };
  const question = firstSetQuestion(call, session, set);
  if (!question) return;
  await askConsentQuestion(call, question, [`guard ${manyCount(ids)} in ${session.name}: ${ids.join(", ")}`]);
}

/** A signal ends a guard with its own exit code, after its pauses, too. */
function withUndo(error: unknown, { flags }: Session, { paused }: { paused: readonly string[] }): unknown {
  if (!(error instanceof RelayctlError) || paused.length === 0) return error;
  return error.with({ applied: "yes", because: [`paused: ${paused.join(", ")}`], next: [resumeLine(flags, paused)] });
}

interface Guarded {
  session: Session;
  ids: readonly string[];
  measure(): Promise<Measured>;
  typed: TypedGuard;
}

async function guardRelayers(call: Call<{ keep?: true }>, guarded: Guarded, first: Measured): Promise<View> {
  const { session, typed } = guarded;
  const pausing = createPausing(call, session, typed.onChange);
  await pausing.begin(guarded.ids);
  const unread = createUnread(call, typed.conditions, pausing.note);
  const failure = await guardOn(call, guarded, first, { pausing, unread })
    .then(() => unread.failure(pausing.paused))
    .catch((error) => {
      if (endedByCtrlC(call, error)) return unread.failure(pausing.paused);
      if (!(error instanceof RelayctlError) || call.app.interrupt.aborted) throw withUndo(error, session, pausing);
      return error;
    })
    .finally(pausing.end);
  return endOfGuard(session, pausing, failure);
}

async function guardOn(
  call: Call<{ keep?: true }>,
  { session: { remaining = () => Number.POSITIVE_INFINITY }, ids, measure, typed }: Guarded,
  first: Measured,
  { pausing, unread }: { pausing: ReturnType<typeof createPausing>; unread: ReturnType<typeof createUnread> },
): Promise<void> {
  const { clock, interrupt } = call.app;
  const pauseMet = async (seen: Measured) => {
    await pausing.see(seen);
    for (const { id, why } of metIn(seen, typed.conditions)) await pausing.pause(id, why);
  };
  let took = 0;
  let measured: Measured | undefined = first;
  while (!interrupt.aborted && (measured === first || remaining() > 0)) {
    if (await unread.see(ids, measured)) return;
    if (measured) await pauseMet(measured);
    if (pausing.paused.length > 0 && !call.flags.keep) return;
    const isOwed = !measured || pausing.refused.size > 0;
    await clock.sleep(Math.min(timeBetween(typed.every, took, isOwed), remaining()), interrupt);
    if (interrupt.aborted || remaining() <= 0) return;
    const began = clock.elapsed();
    measured = await ifReadable(measure(), undefined, unread.failed);
    took = clock.elapsed() - began;
  }
}

const SHARE = 3;

function timeBetween(every: number, took: number, isOwed: boolean): number {
  if (isOwed) return Math.min(every, GUARD_INTERVAL);
  // Reading a day of many transactions repeatedly would exhaust the node.
  return Math.max(every, SHARE * took);
}

/** Returns the missing relayers, and the active ones with a condition that could not be compared, and why. */
function findUnread({ relayers, failures, seen: { missing } }: Measured, conditions: readonly Threshold[]) {
  const open = relayers.filter(
    (relayer) => relayer.state === "active" && conditions.some(({ isCrossed }) => isCrossed(relayer) === undefined),
  );
  const ids = [...open.map(({ id }) => id), ...missing];
  return new Map(ids.map((id) => [id, failures.get(id) ?? new RelayctlError("server", "a value is missing")]));
}

/** Reports relayers whose measurement is refused, or fails for minutes, and their recovery. */
function createUnread(
  call: Pick<Call, "app">,
  conditions: readonly Threshold[],
  note: (text: Message, event: GuardEvent) => Promise<void>,
) {
  const { clock } = call.app;
  /** Since when each relayer was not measured. */
  const gaps = new Map<string, { since: number; isTold: boolean }>();
  let open: ReadonlyMap<string, RelayctlError> = new Map();
  let away = new RelayctlError("network", "it was not measured");

  let refusedSince: number | undefined;

  const miss = async (relayer: string, { message, retryable }: RelayctlError) => {
    const gap = gaps.get(relayer) ?? { since: clock.elapsed(), isTold: false };
    gaps.set(relayer, gap);
    if (gap.isTold || (retryable && clock.elapsed() - gap.since < UNREAD_TIME)) return;
    gap.isTold = true;
    const time = retryable ? `not measured for ${UNREAD_TIME / 60_000} minutes: ` : "";
    const end =
      refusedSince === undefined ? "" : `; the guard ends in ${REFUSED_TIME / 60_000} minutes unless that changes`;
    await note({ warning: `${relayer} is not guarded: ${time}${message}${end}` }, { event: "unread", relayer });
  };
  const end = async (relayer: string) => {
    const gap = gaps.get(relayer);
    gaps.set(relayer, { since: clock.elapsed(), isTold: false });
    if (gap?.isTold) await note({ note: `${relayer} is measured again` }, { event: "read", relayer });
  };

  return {
    failed(error: RelayctlError) {
      away = error;
    },
    /** Returns whether the guard ends. @param measured undefined if the service could not be read */
    async see(ids: readonly string[], measured: Measured | undefined) {
      open = measured ? findUnread(measured, conditions) : new Map(ids.map((id) => [id, away]));
      const isRefused = ids.every((id) => open.get(id)?.retryable === false);
      refusedSince = isRefused ? (refusedSince ?? clock.elapsed()) : undefined;
      for (const id of ids) {
        const why = open.get(id);
        await (why ? miss(id, why) : end(id));
      }
      return clock.elapsed() - (refusedSince ?? clock.elapsed()) >= REFUSED_TIME;
    },
    failure(paused: readonly string[]): RelayctlError | undefined {
      const ids = [...open.keys()].filter((id) => !paused.includes(id));
      // Ctrl-C is how a guard ends, and not why a relayer was not measured.
      return statusFailure(ids, open, new AbortController().signal);
    },
  };
}

/** `condition` and `pending` are null where they don't apply. */
export interface GuardEvent {
  event: "guarding" | "paused" | "not_paused" | "unread" | "read";
  relayer: string;
  condition?: string | null;
  pending?: number | null;
}

function createEvents(call: Call, session: Session, onChange: readonly string[] | undefined) {
  const { app } = call;
  const queue = onChange && createOnChangeQueue(app, onChange, call.say);
  let printsEvents = liveForm(call) === "events";
  const lineFor = (event: GuardEvent) => eventLine(event, session.name, app.clock.now());

  async function note(text: Message, event: GuardEvent): Promise<void> {
    queue?.add(lineFor(event));
    await call.say(text);
    await print(event);
  }

  async function print(event: GuardEvent): Promise<void> {
    if (!printsEvents) return;
    // The guard must not end with the reader of its events.
    await writeLiveEvent(app.stdout, lineFor(event)).catch(async ({ message }: Error) => {
      printsEvents = false;
      await call.say({ warning: `${message}; the guard continues without printing events` });
    });
  }

  async function end(): Promise<void> {
    await queue?.idle();
    await queue?.end();
  }

  return { note, print, end };
}

function createPausing(call: Call, session: Session, onChange: readonly string[] | undefined) {
  const { note, print, end } = createEvents(call, session, onChange);
  const paused: string[] = [];
  const refused = new Map<string, RelayctlError>();
  const remember = (id: string) => void (paused.includes(id) || paused.push(id));
  return {
    paused,
    refused,
    note,
    end,
    async begin(ids: readonly string[]): Promise<void> {
      await call.say(`guarding ${manyCount(ids)} in ${session.name} until Ctrl-C`);
      for (const relayer of ids) await print({ event: "guarding", relayer });
    },
    /** Pauses a relayer, or tries again after the next measurement. */
    async pause(id: string, why: string): Promise<void> {
      try {
        const readAgain = commandLine(...session.flags, "relayers", "get", id);
        const before = { id, paused: false };
        await writeWithHint(session.client.relayers.update(id, { paused: true }, { before }), readAgain);
      } catch (error) {
        if (!(error instanceof RelayctlError) || call.app.interrupt.aborted) throw error;
        // A request of unknown outcome may be applied, whatever the next one ends with.
        if (refused.get(id)?.applied !== "unknown") refused.set(id, error);
        const result = error.applied === "unknown" ? "may not be paused" : "could not be paused";
        const text = { warning: `${id} meets ${why}, and ${result}: ${error.message}` };
        return await note(text, { event: "not_paused", relayer: id, condition: why });
      }
      refused.delete(id);
      remember(id);
      const pending = await countPending(session, id);
      const open = pending === null ? "pending transactions" : pluralize(pending, "pending transaction");
      const text = `paused ${id}: ${why}; ${open} can still be mined`;
      await note(text, { event: "paused", relayer: id, condition: why, pending });
    },
    async see({ relayers }: Measured): Promise<void> {
      for (const { id, isPaused } of relayers) {
        if (!isPaused || !refused.delete(id)) continue;
        remember(id);
        await note({ note: `${id} is paused now` }, { event: "paused", relayer: id });
      }
    },
  };
}

function resumeLine(flags: readonly string[], paused: readonly string[]): Message {
  return { undo: commandLine(...flags, "relayers", "resume", ...paused) };
}

function endOfGuard(
  { flags }: Session,
  { paused, refused }: Pick<ReturnType<typeof createPausing>, "paused" | "refused">,
  unguarded: RelayctlError | undefined,
): View {
  const errors = [...refused.values()];
  const failure = errors.find(({ applied }) => applied === "unknown") ?? errors[0] ?? unguarded;
  if (paused.length === 0 && failure) throw failure;
  if (paused.length === 0) return { kind: "nothing" };
  const open = refused.size > 0 ? `; not known to be paused: ${[...refused.keys()].join(", ")}` : "";
  throw new RelayctlError("unmet", `paused: ${paused.join(", ")}${open}`, {
    applied: "yes",
    ...(unguarded && {
      because: [`at the end, not all relayers were measured: ${unguarded.message}`, ...unguarded.because],
      details: unguarded.details,
    }),
    hint: commandLine(...flags, "audit", ...paused),
    retryable: false,
    next: [resumeLine(flags, paused)],
  });
}

function eventLine({ event, relayer, condition = null, pending = null }: GuardEvent, context: string, now: number) {
  return `${writeJson({ time: new Date(now).toISOString(), context, event, relayer, condition, pending })}\n`;
}

async function countPending({ client }: Session, id: string): Promise<number | null> {
  return (await rescue(collectPending(client, id), () => undefined))?.length ?? null;
}

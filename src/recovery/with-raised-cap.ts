import { wireAmount } from "../contract/amount.ts";
import { capIn } from "../contract/policy/cap-change.ts";
import { RelayctlError, unsentError } from "../errors.ts";
import { closeRaisedCaps, keptRaisedCapKey, raisedCapKey } from "../session/journaling/raised-caps.ts";
import type { Session } from "../session/session.ts";
import { commandLine } from "../shell/shell-words.ts";
import { RESTORE_TIMEOUT } from "../timing.ts";
import { withCapLock } from "./cap-lock.ts";
import { gasCapText, type Raised, type Restored, restoreCap, restoringCommand, setCap } from "./restore-cap.ts";

export interface CapRaise {
  relayerId: string;
  /** The cap that was predicted with. */
  from: bigint;
  to: bigint;
  isKept: boolean;
}

export interface RaisedWork<T> {
  run(): Promise<T>;
  /** Returns the result in words, for the error if the cap is not restored. */
  wordsOf(value: T): string;
}

/**
 * Raises a relayer's cap, does the work, and always restores the cap, unless it changed since. The old cap is in the
 * synced journal before the first request, so `history settle` restores it after a kill. Only one process at a time
 * raises the cap of a relayer.
 * @throws RelayctlError conflict if another run is raising it, left it raised, or the cap has changed since the
 *   prediction; partial if the cap may still be raised, or was changed by somebody else; errors of the work
 */
export async function runWithRaisedCap<T>(session: Session, raise: CapRaise, work: RaisedWork<T>): Promise<T> {
  const { relayerId, from, to, isKept } = raise;
  const raised: Raised = { relayerId, from, to, key: raisedCapKey(session.origin, relayerId) };
  return await withCapLock(session, raised, async () => {
    if (!isKept) return await raiseForWork(session, raised, work);
    const keeps = keptRaisedCapKey(session.origin, relayerId);
    await raiseCap(session, raised, { keeps }).catch((error: unknown) => {
      throw isRefused(error)
        ? error
        : errorWithCap(error, undefined, openFacts(raised, restoringCommand(session.flags, raised)));
    });
    await session.say({ undo: restoringCommand(session.flags, raised) });
    await closeCap(session, keeps);
    return await work.run().catch((error: unknown) => {
      throw keptError(raised, error, session.flags);
    });
  });
}

type Ended<T> = { value: T } | { error: unknown; wasRaised: boolean };

async function raiseForWork<T>(session: Session, raised: Raised, work: RaisedWork<T>): Promise<T> {
  const ended = await runRaised(session, raised, work);
  if ("error" in ended && !ended.wasRaised && isRefused(ended.error)) throw ended.error;
  const restored = await restoreCap(session.atTheEnd(RESTORE_TIMEOUT), raised, session.clock);
  // A request to raise it whose response was lost may still arrive.
  const mayArrive = "error" in ended && !ended.wasRaised && !(restored.state === "restored" && restored.wasSent);
  if (restored.state !== "failed" && !mayArrive) await closeCap(session, raised.key);
  const failure = mayArrive ? undefined : restoreFailure(raised, restored, session.flags);
  const again = `gas_price_cap of ${raised.relayerId} is ${gasCapText(raised.from)} again`;
  if ("value" in ended) {
    if (failure) throw failure.with({ because: [work.wordsOf(ended.value)] });
    await session.say(again);
    return ended.value;
  }
  const settles = (await session.journal()) !== undefined;
  const hint = settles ? commandLine(...session.flags, "history", "settle") : restoringCommand(session.flags, raised);
  throw errorWithCap(
    ended.error,
    failure,
    mayArrive ? openFacts(raised, hint) : { because: [again], leavesNothing: true },
  );
}

async function runRaised<T>(session: Session, raised: Raised, { run }: RaisedWork<T>): Promise<Ended<T>> {
  let wasRaised = false;
  try {
    await raiseCap(session, raised, { temporary: raised.key });
    wasRaised = true;
    const words = `gas_price_cap of ${raised.relayerId} is ${gasCapText(raised.to)} until the bump is on its way`;
    await session.say(words);
    return { value: await run() };
  } catch (error) {
    return { error, wasRaised };
  }
}

async function raiseCap({ client }: Session, { relayerId, from, to }: Raised, facts: Parameters<typeof setCap>[3]) {
  const { data: relayer } = await client.relayers.get(relayerId);
  const cap = wireAmount(capIn(relayer));
  if (cap !== from) throw changedCapError(relayerId, from, cap);
  await setCap(client, relayer, to, facts);
}

function isRefused(error: unknown): boolean {
  return error instanceof RelayctlError && error.applied === "no";
}

/** Records that nothing is left to restore. An unrecorded end is found again by `history settle`. */
async function closeCap(session: Session, key: string): Promise<void> {
  const journal = await session.journal();
  const time = new Date(session.clock.now()).toISOString();
  if (journal) await closeRaisedCaps(journal, key, time).catch(() => {});
}

function changedCapError(relayerId: string, from: bigint, cap: bigint | undefined): RelayctlError {
  const words = `gas_price_cap of ${relayerId} is ${gasCapText(cap)} now, not ${gasCapText(from)}`;
  return unsentError("conflict", words, { retryable: true });
}

function restoreFailure(raised: Raised, restored: Restored, session: readonly string[]): RelayctlError | undefined {
  if (restored.state === "restored") return undefined;
  const { relayerId, from, to } = raised;
  const words =
    restored.state === "changed"
      ? `gas_price_cap of ${relayerId} was changed to ${gasCapText(restored.cap)} meanwhile, and was kept; it was ${gasCapText(from)} before`
      : `gas_price_cap of ${relayerId} may still be ${gasCapText(to)}; it was ${gasCapText(from)} before`;
  const because = restored.state === "failed" ? [restored.error.message] : [];
  const hint = restoringCommand(session, raised);
  return new RelayctlError("partial", words, { applied: "yes", because, hint, retryable: false });
}

/** Returns the error of failed work while the cap stays raised, which must not say that nothing was applied. */
function keptError(raised: Raised, error: unknown, session: readonly string[]): unknown {
  if (!(error instanceof RelayctlError) || error.applied !== "no") return error;
  const because = [`gas_price_cap of ${raised.relayerId} remains ${gasCapText(raised.to)}`];
  const hint = restoringCommand(session, raised);
  if (error.failure === "interrupted") return error.with({ applied: "yes", because, hint });
  return new RelayctlError("partial", error.message, {
    ...{ applied: "yes", because: [...error.because, ...because], hint, retryable: false },
  });
}

type CapFacts = { because: string[]; hint?: string; leavesNothing?: boolean };

function openFacts({ relayerId, from }: Raised, hint: string): CapFacts {
  return {
    because: [`the request to raise gas_price_cap of ${relayerId} may still arrive; it was ${gasCapText(from)} before`],
    hint,
  };
}

function errorWithCap(error: unknown, failure: RelayctlError | undefined, facts: CapFacts): unknown {
  if (!(error instanceof RelayctlError)) return failure ?? error;
  if (!failure) return error.with(facts);
  return failure.with({ because: [error.message, ...error.because] });
}

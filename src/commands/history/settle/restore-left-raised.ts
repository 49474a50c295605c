import { receivedTime } from "../../../contract/reply/received-time.ts";
import { RelayctlError } from "../../../errors.ts";
import type { Journal } from "../../../journal/journal.ts";
import { appliedOf } from "../../../journal/writes.ts";
import { capText, restoringCommand } from "../../../recovery/cap-text.ts";
import { restoreCap } from "../../../recovery/restore-cap.ts";
import { closeRaised, leftRaised, type RaisedCap, raisedCapKey } from "../../../session/journaling/raised-caps.ts";
import { LONGEST_ON_THE_WAY } from "../../../timing.ts";
import type { SettledItem } from "../../../views/history/write.ts";
import type { Call } from "../../command.ts";

/** What is known about a cap that was not restored; `not yet` if the request that raises it may still arrive. */
export type CapState = "raised" | "unknown" | "not yet";

export function capTexts(caps: readonly CapState[]): string[] {
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
  /** Undefined if nothing is left to do. */
  left?: CapState | undefined;
}

/**
 * Restores a cap that a run left raised, if it still is the raised one: the user agreed to that before it was raised.
 * One that somebody changed in the meantime is left as it is, and so is one that a running command has raised. One that
 * was to stay raised does: the command that restores it is shown, which the run itself did not get to.
 */
export async function restoreLeftRaised(call: Call, journal: Journal, raised: RaisedCap): Promise<Restoring> {
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
): Promise<{ why: string; left: CapState | undefined } | undefined> {
  const { temporary: key = write.intent.keeps ?? "", keeps } = write.intent;
  const isLeft = (await leftRaised(journal, key)).some((left) => left.write.intent.id === write.intent.id);
  if (!isLeft) return undefined;
  const { client, protected: isProtected } = await call.session();
  const { clock } = call.app;
  const update = createRefusal(keeps !== undefined, isProtected);
  const relayers = { ...client.relayers, ...(update && { update }) };
  const restored = await restoreCap({ relayers }, { relayerId, from, to, key }, clock);
  if (restored.state === "failed") {
    const words = `gas_price_cap ${restored.isRaised ? "is still" : "may still be"} ${capText(to)}`;
    const why = `${words}: ${restored.error.message}`;
    if (!restored.isRaised) return { why, left: "unknown" };
    if (keeps === undefined) return { why, left: "raised" };
    await close(call, journal, key);
    return { why, left: undefined };
  }
  const age = clock.now() - receivedTime(write.intent.time);
  const wasSent = restored.state === "restored" && restored.wasSent;
  if (appliedOf(write) === "unknown" && !wasSent && age < LONGEST_ON_THE_WAY)
    return { why: "the request that raises it may still arrive", left: "not yet" };
  if (restored.state === "changed")
    await call.say(
      `note: gas_price_cap of ${relayerId} was changed to ${capText(restored.cap)} in the meantime, and relayctl does not change it; it was ${capText(from)} before`,
    );
  else if (wasSent) await call.say(`gas_price_cap of ${relayerId} is ${capText(from)} again`);
  await close(call, journal, key);
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

/** Records that nothing is left to restore. What cannot be recorded is found again by the next run. */
async function close({ app, say }: Call, journal: Journal, key: string): Promise<void> {
  try {
    await closeRaised(journal, key, new Date(app.clock.now()).toISOString());
  } catch (error) {
    if (!(error instanceof RelayctlError)) throw error;
    await say(`warning: the journal does not show that the cap is settled: ${error.message}`);
  }
}

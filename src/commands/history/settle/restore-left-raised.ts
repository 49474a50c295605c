import {
  closeRaised,
  leftRaised,
  type RaisedCap,
  raisedCapKey,
} from "../../../command-support/journaling/raised-caps.ts";
import { receivedTime } from "../../../contract/reply/received-time.ts";
import { RelayctlError } from "../../../errors.ts";
import type { Journal } from "../../../journal/journal.ts";
import { appliedOf } from "../../../journal/writes.ts";
import type { Call } from "../../command.ts";
import { capText, restoringCommand } from "../../tx/raised-cap/cap-text.ts";
import { restoreCap } from "../../tx/raised-cap/restore-cap.ts";
import type { SettledItem } from "./view.ts";

/** Milliseconds after which a request that was lost cannot arrive anymore. */
const LONGEST_ON_THE_WAY = 5 * 60_000;

/**
 * Restores a cap that a run left raised, if it still is the raised one: the user agreed to that before it was raised.
 * One that somebody changed in the meantime is left as it is, and so is one that a running command has raised.
 * @returns what changes in the item of the write that raised it
 */
export async function restoreLeftRaised(
  call: Call,
  journal: Journal,
  raised: RaisedCap,
): Promise<Pick<SettledItem, "restored"> & Partial<Pick<SettledItem, "why" | "next">>> {
  const { flags, origin } = await call.session();
  const key = raisedCapKey(origin, raised.relayerId);
  try {
    const why = await journal.exclusively(key, () => restoreAlone(call, journal, key, raised));
    if (why === undefined) return { restored: true };
    return { restored: false, why, next: restoringCommand(flags, raised) };
  } catch (error) {
    if (!(error instanceof RelayctlError) || call.app.interrupt.aborted) throw error;
    const why = error.failure === "conflict" ? "a command that is running has raised it" : error.message;
    return { restored: false, why, next: restoringCommand(flags, raised) };
  }
}

/** Returns why it may still be raised; undefined if nothing is left to do. */
async function restoreAlone(
  call: Call,
  journal: Journal,
  key: string,
  { write, relayerId, from, to }: RaisedCap,
): Promise<string | undefined> {
  const isLeft = (await leftRaised(journal, key)).some((left) => left.write.intent.id === write.intent.id);
  if (!isLeft) return undefined;
  const session = await call.session();
  if (session.protected) return "restoring it in a protected context needs confirmation";
  const { clock } = call.app;
  const restored = await restoreCap(session.client, { relayerId, from, to, key }, clock);
  if (restored.state === "failed") return `gas_price_cap may still be ${capText(to)}: ${restored.error.message}`;
  const age = clock.now() - receivedTime(write.intent.time);
  const wasSent = restored.state === "restored" && restored.wasSent;
  if (appliedOf(write) === "unknown" && !wasSent && age < LONGEST_ON_THE_WAY)
    return "the request that raises it may still arrive";
  if (restored.state === "changed")
    await call.say(
      `note: gas_price_cap of ${relayerId} was changed to ${capText(restored.cap)} in the meantime, and is left so; it was ${capText(from)} before`,
    );
  else if (wasSent) await call.say(`gas_price_cap of ${relayerId} is ${capText(from)} again`);
  await close(call, journal, key);
  return undefined;
}

/** Records that nothing is left to restore. What cannot be recorded is found again by the next run. */
async function close({ app, say }: Call, journal: Journal, key: string): Promise<void> {
  try {
    await closeRaised(journal, key, new Date(app.clock.now()).toISOString());
  } catch (error) {
    if (!(error instanceof RelayctlError)) throw error;
    await say(`warning: it is not recorded that nothing is left to restore: ${error.message}`);
  }
}

import { unsentError, workUnder } from "../errors.ts";
import { isInProgress, type Journal } from "../journal/journal.ts";
import { keptRaisedCapKey, leftRaisedCaps, type RaisedCap, raisedCapKey } from "../session/journaling/raised-caps.ts";
import type { Session } from "../session/session.ts";
import { commandLine } from "../shell/shell-words.ts";
import { gasCapText, type Raised, restoringCommand } from "./restore-cap.ts";

/**
 * Refuses to raise caps if an earlier run left one raised, or another run raises one; otherwise it warns.
 * @param sends false in a dry run
 * @throws RelayctlError as `withCapLock` does, with nothing sent
 */
export async function checkCapLocks(
  session: Session,
  relayerIds: readonly string[],
  { raises, sends }: { raises: boolean; sends: boolean },
): Promise<void> {
  const journal = await session.journal();
  const caps = [...new Set(relayerIds)].map((relayerId) => ({
    relayerId,
    key: raisedCapKey(session.origin, relayerId),
    kept: keptRaisedCapKey(session.origin, relayerId),
  }));
  if (journal)
    await warnOfLeftRaised(
      session,
      journal,
      caps.flatMap(({ key, kept }) => (raises ? kept : [kept, key])),
    );
  if (!raises) return;
  // Without a journal, a raised cap reports why others can't be kept from raising it.
  const quiet = journal ? session : { ...session, say: async () => {} };
  for (const cap of caps) {
    if (sends) await withCapLock(quiet, cap, async () => {});
    else if (journal) await refuseLeftRaised(journal, cap.key, session.flags);
  }
}

async function warnOfLeftRaised({ flags, say }: Session, journal: Journal, keys: readonly string[]): Promise<void> {
  for (const left of (await Promise.all(keys.map((key) => leftRaisedCaps(journal, key)))).flat()) {
    // A run in progress restores it.
    if (isInProgress([left.write], journal)) continue;
    const settle = commandLine(...flags, "history", "settle");
    const isKept = left.write.intent.keeps !== undefined;
    const next = isKept ? `${restoringCommand(flags, left)}; or keep it raised: ${settle}` : settle;
    await say({ warning: `${leftCapLockText(left)}; it was ${gasCapText(left.from)} before; restore it: ${next}` });
  }
}

/** @throws RelayctlError conflict if another process raises the cap, or left it raised: its old value would be lost */
export async function withCapLock<T>(
  session: Session,
  { key, relayerId }: Pick<Raised, "key" | "relayerId">,
  work: () => Promise<T>,
): Promise<T> {
  const journal = await session.journal();
  const lock = (alone: () => Promise<T>) => session.exclusively(key, alone);
  const started = async () => {
    if (journal) await refuseLeftRaised(journal, key, session.flags);
    return await work();
  };
  return await workUnder(lock, started, async (error) => {
    if (error.failure === "conflict")
      throw unsentError("conflict", `another run is raising gas_price_cap of ${relayerId}`, { retryable: true });
    if (journal) throw error.with({ because: ["nothing was sent"] });
    await session.say({
      note: `relayctl cannot keep other runs from raising the cap at the same time: ${error.message}`,
    });
    return await work();
  });
}

async function refuseLeftRaised(journal: Journal, key: string, flags: readonly string[]): Promise<void> {
  const [left] = await leftRaisedCaps(journal, key);
  if (!left) return;
  throw unsentError("conflict", leftCapLockText(left), {
    because: [`it was ${gasCapText(left.from)} before`],
    hint: commandLine(...flags, "history", "settle"),
    retryable: false,
  });
}

export function leftCapLockText({ write, relayerId }: Pick<RaisedCap, "write" | "relayerId">): string {
  return `run ${write.intent.run} may have left gas_price_cap of ${relayerId} raised`;
}

import type { Stored } from "../model/record.ts";
import type { ModelWorld } from "../model/world.ts";
import type { Ran } from "../program.ts";
import { isOnChain } from "./write.ts";

/** A transaction that is to be sent once, and every run that was to send it. */
export interface Keyed {
  key: string;
  /** The flags of what is sent. */
  body: readonly string[];
  /** The command without what changes from run to run. */
  argv: readonly string[];
  runs: Ran[];
}

/** The IDs that the model's service gives its records. */
const IDS = /00000000-0000-4000-8000-\d{12}/g;

function sentBy({ runs }: Keyed): Stored[] {
  return runs.flatMap(({ attempts }) => attempts.flatMap(({ applied }) => applied?.stored ?? []));
}

/** Returns what the runs with a key did wrong together; `ran` is the newest of them. */
export function keyFaults(world: ModelWorld, keyed: Keyed, ran: Ran): string[] {
  const sent = sentBy(keyed);
  const line = `${ran.argv.join(" ")} (run ${keyed.runs.length})`;
  const shown = [...`${ran.stdout}${ran.stderr}`.matchAll(IDS)].map(([id]) => id);
  const isReported = shown.length > 0 && shown.every((id) => sent.some((stored) => stored.id === id));
  const applied = keyed.runs.flatMap(({ attempts }) => attempts.filter((attempt) => attempt.applied));
  const faults = [
    [sent.length > 1, `${sent.length} transactions with one key`],
    [ran.exitCode === 0 && !isReported, "exit 0, but not with the transaction of its key"],
    [
      ran.exitCode === 0 && ran.argv.includes("--wait") && !isOnChain(world, ran, applied),
      "exit 0, but the chain shows otherwise",
    ],
  ] as const;
  return faults.flatMap(([isFault, words]) => (isFault ? [`${words}: ${line}`] : []));
}

/**
 * Returns whether a run with a key reports less than it could, although its transaction is recorded, and at the
 * service.
 */
export function isSilent({ disk, worker }: ModelWorld, keyed: Keyed, { exitCode }: Ran): boolean {
  const known = sentBy(keyed).find(({ id }) => worker.records.has(id));
  const sends = new Set(
    disk.entries.flatMap((entry) => ("once" in entry && entry.once === keyed.key ? [entry.id] : [])),
  );
  // A cancellation records the same transaction.
  const isRecorded = disk.entries.some(
    (entry) => entry.type === "outcome" && sends.has(entry.id) && known && entry.after?.id === known.id,
  );
  return isRecorded && exitCode !== 0;
}

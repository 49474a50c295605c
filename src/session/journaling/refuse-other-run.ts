import { RelayctlError } from "../../errors.ts";
import type { Intent } from "../../journal/entry.ts";
import type { Journal } from "../../journal/journal.ts";
import { appliedOf, type RecordedWrite, writesOf } from "../../journal/writes.ts";

export async function writesWithKey(journal: Journal, key: string): Promise<RecordedWrite[]> {
  const writes = writesOf(await journal.find(key));
  return writes.filter((write) => write.intent.once === key && appliedOf(write) !== "no");
}

/** Refuses to send if another run has an intent with the same key. @throws RelayctlError conflict */
export async function refuseOtherRun(journal: Journal, { id, run, once = "" }: Intent, time: string): Promise<void> {
  const unsent = { type: "outcome", id, run, time, applied: "no" } as const;
  const writes = await writesWithKey(journal, once).catch(async (error: unknown) => {
    await journal.append({ ...unsent, failure: "io" });
    throw error;
  });
  if (writes.every(({ intent }) => intent.id === id)) return;
  const message = `another run with --once ${once} began at the same time`;
  await journal.append({ ...unsent, failure: "conflict", message });
  throw new RelayctlError("conflict", message, { because: ["nothing was sent"], retryable: true });
}

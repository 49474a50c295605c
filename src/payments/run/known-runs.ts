import { RelayctlError } from "../../errors.ts";
import { type RecordedRun, runsWith } from "./ledger.ts";
import type { PaymentWorld } from "./payment-world.ts";

export interface KnownRun extends RecordedRun {
  /** The folder of the journal that keeps it; undefined if that is the one in use, which alone can continue it. */
  keptIn?: string | undefined;
}

type Journals = Pick<PaymentWorld, "journal" | "usualJournal">;

/** Returns the runs with a key that both journals know: those of the journal in use last, as recorded. */
export async function knownRunsWith({ journal, usualJournal }: Journals, key: string): Promise<KnownRun[]> {
  const own = (await runsWith(journal, key)).map((run): KnownRun => ({ ...run, keptIn: run.payments.keptIn }));
  if (!usualJournal) return own;
  const ids = new Set(own.map(({ run }) => run));
  const others = (await runsWith(usualJournal, key))
    .filter(({ run }) => !ids.has(run))
    .map((run): KnownRun => ({ ...run, keptIn: run.payments.keptIn ?? usualJournal.path }));
  return [...others, ...own];
}

/** Notes in the usual journal that a run of a file begins in another one, unless it does already. */
export async function noteRun(
  { journal, usualJournal, say }: Journals & Pick<PaymentWorld, "say">,
  { run, sha256 }: { run: string; sha256: string },
): Promise<void> {
  if (!usualJournal) return;
  try {
    if ((await runsWith(usualJournal, sha256)).some((each) => each.run === run)) return;
    const entry = (await journal.find(sha256)).find(
      (each) => each.type === "intent" && each.payments !== undefined && each.run === run,
    );
    if (entry?.type !== "intent" || !entry.payments) return;
    const { id, time } = entry;
    await Promise.all([
      usualJournal.append({ ...entry, payments: { ...entry.payments, keptIn: journal.path } }, { isSynced: true }),
      usualJournal.append({ type: "outcome", id, run, time, applied: "no" }, { isSynced: true }),
    ]);
  } catch (error) {
    if (!(error instanceof RelayctlError)) throw error;
    await say(`warning: the journal in ${usualJournal.path} does not note this run: ${error.message}`);
  }
}

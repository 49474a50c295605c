import { commandLine } from "../../../command-support/shell-words.ts";
import { RelayctlError, usageError } from "../../../errors.ts";
import type { Journal } from "../../../journal/journal.ts";
import type { PaymentFile } from "../../../payments/payment.ts";
import { type Payee, type RecordedRun, rowsOf, runsWith } from "./ledger.ts";
import type { TypedRun } from "./typed-run.ts";

/**
 * Returns the run to continue; undefined for a new one.
 * @throws RelayctlError usage if the file changed since the run to resume; conflict if the file was begun before, and
 * the line does not say what is meant
 */
export async function chooseRun(
  journal: Journal,
  payee: Payee,
  { file, path, start, resumeLine }: Pick<TypedRun, "file" | "path" | "start"> & { resumeLine: string },
): Promise<RecordedRun | undefined> {
  const same = await runsWith(journal, file.sha256, payee);
  if (start.run !== undefined) return await typedRunOf(journal, payee, { file, run: start.run, same });
  const newest = same.at(-1);
  if (start.again) return undefined;
  const changed = await unfinished(journal, await changedRuns(journal, payee, { file, path }));
  if (start.resume) {
    if (newest || !changed) return newest;
    throw changedError(file, changed);
  }
  if (newest) throw begunError(`${file.name} was begun before`, newest, resumeLine);
  if (changed) throw begunError(`another version of ${file.name} was begun and is not finished`, changed, resumeLine);
  return undefined;
}

async function typedRunOf(
  journal: Journal,
  payee: Payee,
  { file, run, same }: { file: PaymentFile; run: string; same: readonly RecordedRun[] },
): Promise<RecordedRun> {
  const [found, ...others] = same.filter((each) => each.run.startsWith(run));
  if (found && others.length === 0) return found;
  if (found) throw usageError([{ where: "--run", rule: "is the start of several runs; type more of it", given: run }]);
  const [other] = (await journal.find(run)).flatMap((entry) =>
    entry.type === "intent" &&
    entry.payments &&
    entry.server === payee.server &&
    entry.ids.relayer_id === payee.relayerId
      ? [{ run: entry.run, time: entry.time, payments: entry.payments }]
      : [],
  );
  if (other) throw changedError(file, other);
  throw usageError([
    { where: "--run", rule: `no run of ${file.name} with ${payee.relayerId} begins like it`, given: run },
  ]);
}

/** Returns the runs of a file with the same path, newest last, in which it had other bytes. */
async function changedRuns(
  journal: Journal,
  payee: Payee,
  { file, path }: Pick<TypedRun, "file" | "path">,
): Promise<RecordedRun[]> {
  return (await runsWith(journal, path, payee)).filter(({ payments }) => payments.sha256 !== file.sha256);
}

/** Returns the newest of some runs if a row of it was not sent. The runs before it were left on purpose. */
async function unfinished(journal: Journal, runs: readonly RecordedRun[]): Promise<RecordedRun | undefined> {
  const newest = runs.at(-1);
  if (!newest) return undefined;
  const rows = await rowsOf(journal, newest.run, newest.payments.rows);
  return rows.inState("sent").length < rows.count ? newest : undefined;
}

function changedError({ name, sha256 }: PaymentFile, { run, time, payments }: RecordedRun): RelayctlError {
  return new RelayctlError("usage", `${name}: changed since run ${run} began at ${time}`, {
    because: [
      `its SHA-256 was ${payments.sha256} then, and is ${sha256} now`,
      "nothing was sent: restore the file to resume the run, or use --again to pay all of it as a new run",
    ],
  });
}

function begunError(what: string, { run, time }: RecordedRun, resumeLine: string): RelayctlError {
  return new RelayctlError("conflict", `${what}: run ${run} at ${time}`, {
    because: ["nothing was sent: --resume continues that run, and --again pays the whole file as a new one"],
    hint: resumeLine,
    retryable: false,
  });
}

/** Returns the command that continues a run. */
export function resumeCommand(
  flags: readonly string[],
  { relayerId, name, more }: { relayerId: string; name: string; more: readonly string[] },
): string {
  return commandLine(...flags, "tx", "send-many", relayerId, "--file", name, ...more, "--resume");
}

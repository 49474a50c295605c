import { RelayctlError, usageError } from "../../errors.ts";
import type { Journal } from "../../journal/journal.ts";
import { contentOf } from "../file/content.ts";
import type { PaymentFile } from "../payment.ts";
import type { Spelling } from "../spelling.ts";
import { elsewhereError, refuseKnownRows } from "./known-rows.ts";
import { type KnownRun, knownRunsWith } from "./known-runs.ts";
import { type RecordedRun, rowsOf, runsWith } from "./ledger.ts";
import type { EarlierRunsWorld } from "./payment-world.ts";
import type { PayerId, RunPlan } from "./plan.ts";

/**
 * Returns the run to continue; undefined for a new one.
 * @throws RelayctlError usage if the file changed since the run to resume; conflict if the file was begun before, and
 * the line does not say what is meant
 */
export async function chooseRun(
  world: EarlierRunsWorld,
  payerId: PayerId,
  { file, path, start, resumeLine }: Pick<RunPlan, "file" | "path" | "start"> & { resumeLine: string },
): Promise<RecordedRun | undefined> {
  const { journal, spelling } = world;
  const begun = await knownRunsWith(world, file.sha256);
  const same = begun.filter((each) => isSamePayer(each, payerId));
  if (start.run !== undefined)
    return resumable(file, await runNamed(world, payerId, { file, run: start.run, same }), spelling);
  const newest = same.at(-1);
  if (start.again) return undefined;
  const elsewhere = newest ? undefined : begun.at(-1);
  if (elsewhere) throw elsewhereError(file, elsewhere, world);
  const changed = newest ? undefined : await unfinishedVersion(journal, payerId, { file, path });
  if (start.resume) {
    if (changed) throw changedError(file, changed, spelling);
    if (newest) return resumable(file, newest, spelling);
  }
  if (newest) throw begunError(`${file.name} was begun before`, newest, { resumeLine, spelling });
  if (changed)
    throw begunError(`another version of ${file.name} was begun and is not finished`, changed, {
      resumeLine,
      spelling,
    });
  if (start.assumed.length > 0)
    throw usageError([
      { where: spelling.assumeNotSent, rule: `this journal has no run of ${file.name} from ${payerId.relayerId}` },
    ]);
  await refuseKnownRows(world, file);
  return undefined;
}

/** Returns a run that still pays what it paid when it began. @throws RelayctlError usage */
function resumable({ name, payments }: PaymentFile, recorded: RecordedRun, { again }: Spelling): RecordedRun {
  const { run, time, payments: begun } = recorded;
  if (begun.content === undefined || begun.content === contentOf(payments)) return recorded;
  throw new RelayctlError("usage", `${name}: a label or the ABI changed since run ${run} began at ${time}`, {
    because: [
      "the same rows have other receivers or other data now",
      `nothing was sent: restore the label or the ABI to resume the run, or use ${again} to pay all of it as a new run`,
    ],
  });
}

/** A run that another journal keeps is not continued with this one. */
function isSamePayer({ payerId, payments, keptIn }: KnownRun, { server, relayerId }: PayerId): boolean {
  const isHere = keptIn === undefined && payments.keptIn === undefined;
  return isHere && payerId.server === server && payerId.relayerId === relayerId;
}

/** Returns the run with an ID that was typed, or with the start of one. */
async function runNamed(
  { journal, spelling }: EarlierRunsWorld,
  payerId: PayerId,
  { file, run, same }: { file: PaymentFile; run: string; same: readonly RecordedRun[] },
): Promise<RecordedRun> {
  const [found, ...others] = same.filter((each) => each.run.startsWith(run));
  if (found && others.length === 0) return found;
  if (found)
    throw usageError([{ where: spelling.run, rule: "is the start of several runs; type more of it", given: run }]);
  const [other] = (await runsWith(journal, run)).filter((each) => isSamePayer(each, payerId));
  if (other) throw changedError(file, other, spelling);
  const rule = `no run of ${file.name} from ${payerId.relayerId} has this ID`;
  throw usageError([{ where: spelling.run, rule, given: run }]);
}

/** Returns the newest run of other bytes at the same path, if a row is unsent. Those before were left on purpose. */
async function unfinishedVersion(
  journal: Journal,
  payerId: PayerId,
  { file, path }: Pick<RunPlan, "file" | "path">,
): Promise<RecordedRun | undefined> {
  if (path === "") return undefined;
  const newest = (await runsWith(journal, path)).filter((each) => isSamePayer(each, payerId)).at(-1);
  if (!newest || newest.payments.sha256 === file.sha256) return undefined;
  const rows = await rowsOf(journal, newest.run, newest.payments.rows);
  return rows.inState("sent").length < rows.count ? newest : undefined;
}

function changedError(
  { name, sha256 }: PaymentFile,
  { run, time, payments }: RecordedRun,
  { again }: Spelling,
): RelayctlError {
  return new RelayctlError("usage", `${name}: changed since run ${run} began at ${time}`, {
    because: [
      `its SHA-256 was ${payments.sha256} then, and is ${sha256} now`,
      `nothing was sent: restore the file to resume the run, or use ${again} to pay all of it as a new run`,
    ],
  });
}

function begunError(
  what: string,
  { run, time }: RecordedRun,
  { resumeLine, spelling: { resume, again } }: { resumeLine: string; spelling: Spelling },
): RelayctlError {
  return new RelayctlError("conflict", `${what}: run ${run} at ${time}`, {
    because: [`nothing was sent: ${resume} continues that run, and ${again} pays the whole file as a new one`],
    hint: resumeLine,
    retryable: false,
  });
}

import { isSameVersion, type Version, versionOf } from "../../chain/verdict/verdict.ts";
import { counted, grouped } from "../../contract/decimal.ts";
import { isJsonObject } from "../../contract/json.ts";
import { RelayctlError, usageError } from "../../errors.ts";
import { appliedOf, type Journal, writesNewestFirst } from "../../journal/journal.ts";
import { contentsOfFirst, paymentsDigest } from "../file/content.ts";
import type { PaymentFile } from "../payment.ts";
import { type KnownRun, knownRunsWith, paymentRunsWith, type RecordedRun, rowsOf } from "./ledger.ts";
import type { PayerId, RunPlan, Spelling } from "./plan.ts";
import type { EarlierRunsWorld } from "./running.ts";

/** Returns undefined for a new one. @throws RelayctlError usage if the file changed; conflict if it must be chosen */
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
  if (newest) throw begunError(`${file.name} was already started`, newest, { resumeLine, spelling });
  if (changed)
    throw begunError(`another version of ${file.name} was started and is not finished`, changed, {
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

function resumable({ name, payments }: PaymentFile, recorded: RecordedRun, { again }: Spelling): RecordedRun {
  const { run, time, payments: begun } = recorded;
  if (begun.content === undefined || begun.content === paymentsDigest(payments)) return recorded;
  throw new RelayctlError("usage", `${name}: a label or the ABI changed since run ${run} began at ${time}`, {
    because: [
      "the same rows have other receivers or other data now",
      `nothing was sent: restore the label or the ABI to resume the run, or use ${again} to pay all of it as a new run`,
    ],
  });
}

/** A run that another journal keeps is not continued with this journal. */
function isSamePayer({ payerId, payments, keptIn }: KnownRun, { server, relayerId }: PayerId): boolean {
  const isHere = keptIn === undefined && payments.keptIn === undefined;
  return isHere && payerId.server === server && payerId.relayerId === relayerId;
}

async function runNamed(
  { journal, spelling }: EarlierRunsWorld,
  payerId: PayerId,
  { file, run, same }: { file: PaymentFile; run: string; same: readonly RecordedRun[] },
): Promise<RecordedRun> {
  const [found, ...others] = same.filter((each) => each.run.startsWith(run));
  if (found && others.length === 0) return found;
  if (found)
    throw usageError([{ where: spelling.run, rule: "is the start of several runs; type more of it", given: run }]);
  const [other] = (await paymentRunsWith(journal, run)).filter((each) => isSamePayer(each, payerId));
  if (other) throw changedError(file, other, spelling);
  const rule = `no run of ${file.name} from ${payerId.relayerId} has this ID`;
  throw usageError([{ where: spelling.run, rule, given: run }]);
}

/** Returns the newest run of other bytes at the same path, if a row is unsent. Earlier runs were left on purpose. */
async function unfinishedVersion(journal: Journal, payerId: PayerId, { file, path }: Pick<RunPlan, "file" | "path">) {
  if (path === "") return undefined;
  const newest = (await paymentRunsWith(journal, path)).filter((each) => isSamePayer(each, payerId)).at(-1);
  if (!newest || newest.payments.sha256 === file.sha256) return undefined;
  const rows = await rowsOf(journal, newest.run, newest.payments.rows);
  return rows.inState("sent").length < rows.count ? newest : undefined;
}

function changedError({ name, sha256 }: PaymentFile, { run, time, payments }: RecordedRun, { again }: Spelling) {
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
  return new RelayctlError("conflict", `${what} (run ${run}, at ${time})`, {
    because: [`nothing was sent: ${resume} continues that run, and ${again} pays the whole file as a new one`],
    hint: resumeLine,
    retryable: false,
  });
}

async function refuseKnownRows(world: EarlierRunsWorld, file: PaymentFile): Promise<void> {
  const content = paymentsDigest(file.payments);
  const alike = (await knownRunsWith(world, content)).filter(({ payments }) => payments.content === content).at(-1);
  if (alike) throw alikeError(file, alike, world);
  const first = contentsOfFirst(file.payments, new Set([1])).get(1) ?? "";
  const runs = (await knownRunsWith(world, first)).filter(({ payments }) => payments.first === first).reverse();
  const contents = contentsOfFirst(file.payments, new Set(runs.map(({ payments }) => payments.rows)));
  const begun = runs.find(({ payments }) => payments.content === contents.get(payments.rows));
  if (begun) throw longerError(file, begun, world);
  for (const run of runs.filter(({ payments }) => payments.rows > file.payments.length))
    if (await beginsWith(world, run, file)) throw shorterError(file, run, world);
}

async function beginsWith(
  { journal, usualJournal }: EarlierRunsWorld,
  { run, keptIn }: KnownRun,
  { payments }: PaymentFile,
): Promise<boolean> {
  const keeper = [journal, usualJournal].find((each) => each?.path === (keptIn ?? journal.path));
  if (!keeper) return false;
  const sent = new Map<number, Version | undefined>();
  for await (const write of writesNewestFirst(keeper, undefined, { mayRound: true, runs: new Set([run]) })) {
    const { payment, body } = write.intent;
    if (!payment || payment.row > payments.length || appliedOf(write) === "no") continue;
    sent.set(payment.row, isJsonObject(body) ? versionOf(body) : undefined);
  }
  for (const { row, to, value, data = null } of payments) {
    const before = sent.get(row);
    const now = versionOf({ to, value: String(value), data });
    if (before && now && !isSameVersion(before, now)) return false;
  }
  return [...sent.values()].some((version) => version !== undefined);
}

function elsewhereError({ name }: PaymentFile, recorded: KnownRun, world: EarlierRunsWorld): RelayctlError {
  const { again, state } = world.spelling;
  const folder = recorded.keptIn === undefined ? "" : `, and ${state} ${recorded.keptIn}`;
  return refusal(`${name} was already started in`, recorded, world, [
    `nothing was sent: to continue that run, use its relayer and server${folder}; ${again} pays the whole file here as well`,
  ]);
}

/** A spreadsheet changes a file's bytes when it saves the file, but not the payments. */
function alikeError({ name }: PaymentFile, recorded: KnownRun, world: EarlierRunsWorld): RelayctlError {
  const { file } = recorded.payments;
  const then =
    file === "" ? "they were in no file then, and have" : `the file was ${file} then, and has other bytes now, but`;
  return refusal(`the payments of ${name} were already started in`, recorded, world, [
    `${then} the same receivers, amounts, and data`,
    `nothing was sent: ${world.spelling.again} pays all of them as a new run`,
  ]);
}

function longerError(file: PaymentFile, recorded: KnownRun, world: EarlierRunsWorld): RelayctlError {
  const { rows } = recorded.payments;
  const all = file.payments.length;
  const added = all - rows === 1 ? "the other row" : `the other ${counted(all - rows, "row")}`;
  return refusal(`${file.name} begins with the ${counted(rows, "row")} of`, recorded, world, [
    `nothing was sent: put ${added} into a separate file, or use ${world.spelling.again} to pay all ${grouped(all)} as a new run`,
  ]);
}

function shorterError(file: PaymentFile, recorded: KnownRun, world: EarlierRunsWorld): RelayctlError {
  const part = `the first ${grouped(file.payments.length)} of the ${counted(recorded.payments.rows, "row")}`;
  return refusal(`${file.name} has ${part} of`, recorded, world, [
    `nothing was sent: ${world.spelling.again} pays them as a new run`,
  ]);
}

function refusal(
  what: string,
  { run, time, payerId, keptIn }: KnownRun,
  { historyCommand }: EarlierRunsWorld,
  because: readonly string[],
): RelayctlError {
  const { relayerId, server } = payerId;
  const kept = keptIn === undefined ? [] : [`the run is kept in the journal in ${keptIn}`];
  return new RelayctlError("conflict", `${what} run ${run} at ${time}, from ${relayerId} at ${server}`, {
    because: [...kept, ...because],
    ...(keptIn === undefined && { hint: historyCommand("show", run) }),
    retryable: false,
  });
}

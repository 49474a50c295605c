import { isSameVersion, type Version, versionOf } from "../../chain/verdict/version.ts";
import { counted, grouped } from "../../contract/decimal.ts";
import { isJsonObject } from "../../contract/json.ts";
import { RelayctlError } from "../../errors.ts";
import { appliedOf, writesNewestFirst } from "../../journal/writes.ts";
import { contentOf, contentsOfFirst } from "../file/content.ts";
import type { PaymentFile } from "../payment.ts";
import { type KnownRun, knownRunsWith } from "./known-runs.ts";
import type { EarlierRunsWorld } from "./payment-world.ts";

/**
 * Refuses a file with other bytes than any before, if it pays what a run paid: all of it, all of it and more, or the
 * beginning of it.
 * @throws RelayctlError conflict
 */
export async function refuseKnownRows(world: EarlierRunsWorld, file: PaymentFile): Promise<void> {
  const content = contentOf(file.payments);
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

/** Returns whether a run may have paid a row of a file, and none of these rows otherwise than the file would. */
async function beginsWith(
  { journal, usualJournal }: EarlierRunsWorld,
  { run, keptIn }: KnownRun,
  { payments }: PaymentFile,
): Promise<boolean> {
  const keeper = [journal, usualJournal].find((each) => each?.path === (keptIn ?? journal.path));
  if (!keeper) return false;
  const sent = new Map<number, Version | undefined>();
  for await (const write of writesNewestFirst(keeper, undefined, { mayRound: true, run })) {
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

/** The error for a file that another relayer, another address of the service, or another journal has begun. */
export function elsewhereError({ name }: PaymentFile, recorded: KnownRun, world: EarlierRunsWorld): RelayctlError {
  const { again, state } = world.spelling;
  const folder = recorded.keptIn === undefined ? "" : `, and ${state} ${recorded.keptIn}`;
  return refusal(`${name} was begun before in`, recorded, world, [
    `nothing was sent: to continue that run, use its relayer and server${folder}; ${again} pays the whole file here as well`,
  ]);
}

/** A spreadsheet that saves a file again changes its bytes, but not what it pays. */
function alikeError({ name }: PaymentFile, recorded: KnownRun, world: EarlierRunsWorld): RelayctlError {
  const { file } = recorded.payments;
  const then =
    file === "" ? "they were in no file then, and have" : `the file was ${file} then, and has other bytes now, but`;
  return refusal(`the payments of ${name} were begun before in`, recorded, world, [
    `${then} the same receivers, amounts, and data`,
    `nothing was sent: ${world.spelling.again} pays all of them as a new run`,
  ]);
}

/** Rows were added to a file that was begun before. */
function longerError(file: PaymentFile, recorded: KnownRun, world: EarlierRunsWorld): RelayctlError {
  const { rows } = recorded.payments;
  const all = file.payments.length;
  const added = all - rows === 1 ? "the other row" : `the other ${counted(all - rows, "row")}`;
  return refusal(`${file.name} begins with the ${counted(rows, "row")} of`, recorded, world, [
    `nothing was sent: put ${added} into a separate file, or use ${world.spelling.again} to pay all ${grouped(all)} as a new run`,
  ]);
}

/** Rows were removed from the end of a file that was begun before. */
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

import { openChain } from "../../chain/open-chain.ts";
import { isSameVerdictVersion, type Version, verdictVersion } from "../../chain/verdict/verdict.ts";
import { groupDigits, pluralize } from "../../contract/decimal.ts";
import { isJsonObject } from "../../contract/json.ts";
import { transactionPaysNothing } from "../../contract/transaction/transaction.ts";
import { EXIT_CODES, type Problem, RelayctlError, rescue, unsentError, usageError, workUnder } from "../../errors.ts";
import { appliedOf, type Journal, type Lease, walkWrites } from "../../journal/journal.ts";
import { findSends } from "../../recovery/find-sends.ts";
import type { SendFate } from "../../recovery/lost-send.ts";
import { SEARCH_TIME, SEARCH_WAITS } from "../../timing.ts";
import { firstRowDigests, paymentContents, paymentsDigest } from "../file/content.ts";
import { refuseUnpayableRows } from "../file/file-problems.ts";
import { type Payment, type PaymentFile, type Payments, paymentsOf } from "../payment.ts";
import { readPaymentGas, readPaymentGasOrReasons } from "./gas.ts";
import {
  type KnownRun,
  knownRunsWith,
  mostLedgerOffset,
  type RecordedRun,
  readLedgerRows,
  readLedgerRuns,
  recordAssumption,
} from "./ledger.ts";
import { type Attempt, openRowAttempt, Rows, rowOutcome } from "./rows.ts";
import {
  type AskedPayments,
  duePayments,
  type EarlierRunsWorld,
  type Paid,
  type Payer,
  type PayerId,
  type PaymentWorld,
  type ReadingWorld,
  type Running,
  type RunPlan,
  type Spelling,
  type Start,
  type StopReason,
} from "./running.ts";
import { drawPaymentRequests, sendPaymentRequests } from "./send.ts";

/** Another process may have begun the same payments: one at a time checks and begins. @throws conflict; io */
async function beginRun(running: Running, resumed: string | undefined): Promise<string> {
  const { world, payerId, plan, resumeLine } = running;
  const { file, path } = plan;
  const { sha256, payments, total } = file;
  const { symbol } = (await running.payer()).coin;
  const sum = { rows: payments.length, total: String(total), ...(symbol !== undefined && { coin: symbol }) };
  const record = () => world.begin({ file: path, sha256, ...sum, ...paymentContents(payments) }, resumed);
  if (resumed !== undefined) return await record();
  const { journal, usualJournal } = world;
  return await workAlone(usualJournal, () =>
    journal.exclusively(KEY, async () => {
      await chooseRun(world, payerId, { ...plan, resumeLine });
      return await record();
    }),
  );
}

const KEY = "beginning of payments";

/** A journal that can't be written records and locks no run. */
async function workAlone(journal: Journal | undefined, work: () => Promise<string>): Promise<string> {
  if (!journal) return await work();
  return await workUnder(
    (locked: typeof work) => journal.exclusively(KEY, locked),
    work,
    (error) => {
      if (error.failure !== "io") throw error;
      return work();
    },
  );
}

/** What a run has not sent yet. */
interface Left {
  rows: Rows;
  open: readonly number[];
  /** The rows with unknown outcomes that a user wants to be sent again. */
  assumed: readonly Payment[];
  /** Undefined for a new run. */
  resumed: string | undefined;
}

async function sendDue(running: Running, left: Left): Promise<Paid> {
  const { world, payerId, plan } = running;
  const { file, pace } = plan;
  const { resumed, rows } = left;
  const { asked } = await readDuePayments(running, left);
  if (!asked) return { run: resumed, rows, stop: undefined };
  const { payer, payments, gas, assumed } = asked;
  await world.agree(asked);
  const run = await beginRun(running, resumed);
  await assumeNotSent(running, { run, rows, assumed });
  const requests = await drawPaymentRequests(world, payerId, { payments, gas, rows: file.payments.length });
  const stop = await sendPaymentRequests(world, requests, { lease: running.lease, payer, pace, rows });
  if (!running.lease.isHeld() && (await isLost(world, file, run))) return { run, rows, stop, isLost: true };
  return { run, rows: await settleRows(running, { run, rows, stop }), stop };
}

/** Returns the payable rows of what is left, if any, and why others are not. Of a begun run, only they count. */
export async function readDuePayments(
  running: Pick<Running, "payer" | "plan"> & { world: ReadingWorld },
  left: Left,
): Promise<{ asked?: AskedPayments; refused: ReadonlyMap<number, string> }> {
  const { world, plan } = running;
  const { file } = plan;
  const open = paymentsOf(file.payments, new Set([...left.open, ...left.assumed.map(({ row }) => row)]));
  if (open.length === 0) return { refused: new Map() };
  const payer = await running.payer();
  const all = { ...duePayments(file, open), ...(left.resumed !== undefined && { sum: 0n }) };
  const balance = await refuseUnpayableRows(world, payer, all);
  const { payments, gas, refused } = await withGas({ world, plan, payer }, open, { ...left, balance });
  if (payments.length === 0) return { refused };
  const assumed = left.assumed.filter(({ row }) => !refused.has(row));
  return { asked: { ...duePayments(file, payments), payer, gas, balance, assumed }, refused };
}

/** Returns whether the journal lost a run, or can't be read: resuming it could pay rows again. */
async function isLost({ journal }: PaymentWorld, { sha256 }: PaymentFile, run: string): Promise<boolean> {
  const known = await readLedgerRuns(journal, sha256).catch(() => []);
  return !known.some((each) => each.run === run);
}

async function withGas(
  { world, payer, plan }: { world: ReadingWorld; payer: Payer; plan: RunPlan },
  open: Payments,
  { resumed, rows, balance }: Left & { balance: bigint | undefined },
) {
  const { file, pace } = plan;
  const rules = {
    payer,
    balance,
    concurrency: pace.concurrency,
    stopAfter: pace.stopAfter,
    mostOffset: mostLedgerOffset(file.payments.length),
    placeText: file.placeText,
  };
  const refused = new Map<number, string>();
  if (resumed === undefined) return { payments: open, gas: await readPaymentGas(world, open, rules), refused };
  const found = await readPaymentGasOrReasons(world, open, rules);
  const payable = new Set<number>();
  let index = 0;
  for (const { row } of open) {
    const limit = found[index++];
    if (typeof limit !== "object") payable.add(row);
    else {
      refused.set(row, limit.why);
      rows.refused(row, limit.why);
    }
  }
  const gas = found.filter((limit) => typeof limit === "number");
  return { payments: paymentsOf(open, payable), gas, refused };
}

async function assumeNotSent(
  { world: { journal, clock } }: Running,
  { run, rows, assumed }: { run: string; rows: Rows; assumed: readonly Payment[] },
): Promise<void> {
  const again = new Set(assumed.map(({ row }) => row));
  for (const attempt of rows.unsettled()) {
    if (!again.has(attempt.row) || attempt.outcome !== "open") continue;
    await recordAssumption(journal, attempt, run, new Date(clock.now()).toISOString());
  }
  for (const row of again) rows.assumeNotSent(row);
}

/** Looks for rows with lost responses for some seconds: a request can arrive late. */
async function settleRows(
  { world, payerId, plan }: Running,
  { run, rows, stop }: { run: string; rows: Rows; stop: StopReason | undefined },
): Promise<Rows> {
  if (rows.inState("unknown").length === 0) return rows;
  const known = await readAgain();
  const { clock, interrupt } = world;
  const end = clock.elapsed() + SEARCH_TIME;
  for (const wait of SEARCH_WAITS) {
    if (stop?.stopped === "interrupted" || known.inState("unknown").length === 0 || clock.elapsed() > end) break;
    await clock.sleep(wait, interrupt);
    if (interrupt.aborted) break;
    await searchUnsettled({ world, payerId, run, rows: known });
  }
  return known;

  /** Only the journal knows the fingerprints, and only the rows know what it could not record. */
  async function readAgain(): Promise<Rows> {
    const read = await rescue(readLedgerRows(world.journal, run, plan.file.payments.length), ({ message }) =>
      world.say({ warning: `the journal cannot be read: ${message}` }),
    );
    if (!read) return rows;
    for (const row of rows.inState("sent")) read.sent(row, String(rows.get(row).transactionId));
    for (const row of rows.inState("refused")) read.refused(row, String(rows.get(row).why));
    for (const row of rows.inState("unknown"))
      if (read.get(row).state === "waiting") read.open(openRowAttempt(row, String(rows.get(row).why)));
    return read;
  }
}

/** Runs work while no other process pays the file. @throws RelayctlError conflict otherwise; io for the journal */
export async function withPaymentsLease<T>(
  journal: Journal,
  file: Pick<PaymentFile, "sha256" | "name">,
  work: (lease: Lease) => Promise<T>,
): Promise<T> {
  const lock = (alone: typeof work) => journal.leased(`payments ${file.sha256}`, alone);
  return await workUnder(lock, work, (error) => {
    if (error.failure !== "conflict") throw error.with({ because: ["nothing was sent"] });
    throw unsentError("conflict", `another process is sending the payments of ${file.name}`, { retryable: true });
  });
}

/**
 * Sends a file's unsent payments, under its lease.
 * @throws RelayctlError if none is sent now. Rows may have been sent earlier only if it refuses to begin (usage, declined,
 *   or conflict), is interrupted, or the journal fails.
 */
export async function payRows(running: Running): Promise<Paid> {
  const { world, payerId, plan, resumeLine } = running;
  await world.requireComplete(world.journal);
  const recorded = await chooseRun(world, payerId, { ...plan, resumeLine });
  if (!recorded && world.usualJournal) await world.requireComplete(world.usualJournal);
  if (recorded) await world.say({ note: `resuming run ${recorded.run}, which began at ${recorded.time}` });
  const rows = await readRows(world, recorded, plan);
  const sending = async () => {
    if (recorded) await lookForRows(running, { run: recorded.run, rows });
    await requireFinalBlocks(running);
    return await sendDue(running, await readLeft(world, plan, { rows, resumed: recorded?.run }));
  };
  const paid = await rescue(sending(), (error): Paid => {
    const isSent = rows.inState("sent", "unknown").length > 0;
    if (!isSent || error.exitCode < EXIT_CODES.auth || error.exitCode > EXIT_CODES.network) throw error;
    return { run: recorded?.run, rows, stop: { stopped: "error", error } };
  });
  return { ...paid, symbol: recorded?.payments.coin };
}

/** Returns what a run would send now, as far as the journal shows. @throws RelayctlError as `chooseRun` */
export async function readRecordedLeft(
  world: EarlierRunsWorld & Pick<PaymentWorld, "say">,
  payerId: PayerId,
  plan: RunPlan,
): Promise<Left> {
  const recorded = await chooseRun(world, payerId, { ...plan, resumeLine: "" });
  return await readLeft(world, plan, { rows: await readRows(world, recorded, plan), resumed: recorded?.run });
}

async function readLeft(
  world: Pick<PaymentWorld, "say" | "spelling">,
  { file, start }: RunPlan,
  found: Pick<Left, "rows" | "resumed">,
): Promise<Left> {
  const assumed = await assumedPayments(world, file, found.rows, start.assumed);
  return { ...found, assumed, open: found.rows.inState("waiting", "refused") };
}

async function requireFinalBlocks({ world, payerId: { relayerId }, plan: { wait } }: Running): Promise<void> {
  if (wait?.goal.until !== "final") return;
  const { hasFinalBlock } = await import("../../chain/follow/relayer-chain.ts");
  const chain = await openChain({ client: world.client, relayerId, ownNode: world.ownNode });
  await hasFinalBlock(chain, world.clock.now());
}

async function readRows(
  { journal }: EarlierRunsWorld,
  recorded: RecordedRun | undefined,
  { file: { payments } }: RunPlan,
): Promise<Rows> {
  return recorded ? await readLedgerRows(journal, recorded.run, payments.length) : new Rows(payments.length);
}

async function lookForRows({ world, payerId, plan }: Running, found: Pick<Searched, "run" | "rows">): Promise<void> {
  const failure = await searchUnsettled({ world, payerId, ...found, usesChain: true });
  if (failure && mayAnyBeSent(found.rows, plan.start))
    throw failure.with({
      because: [...failure.because, "a row that may have been sent is looked for before it is sent again"],
    });
}

/** Returns whether a row that would be sent again may have been sent. */
function mayAnyBeSent(rows: Rows, { assumed }: Start): boolean {
  return rows.unsettled().some(({ row, outcome, mayBePassedOn }) => {
    const counts = outcome === "assumed" || mayBePassedOn || (outcome === "open" && assumed.includes(row));
    return counts && rows.get(row).state !== "sent";
  });
}

async function assumedPayments(
  world: Pick<PaymentWorld, "say" | "spelling">,
  { payments }: PaymentFile,
  rows: Rows,
  assumed: readonly number[],
): Promise<readonly Payment[]> {
  const problems: Problem[] = [];
  const found: Payment[] = [];
  const inFile = assumed.filter((row) => row <= payments.length);
  const known = new Map(Array.from(paymentsOf(payments, new Set(inFile)), (payment) => [payment.row, payment]));
  for (const row of assumed) {
    const payment = known.get(row);
    if (!payment) {
      const rule = `the file has ${payments.length} rows`;
      problems.push({ where: world.spelling.assumeNotSent, given: String(row), rule });
      continue;
    }
    const { state, transactionId, hash, held } = rows.get(row);
    if (state === "sent")
      await world.say({ note: `row ${row} was sent, as transaction ${transactionId ?? hash}; it is not sent again` });
    else if (state === "unknown" && held !== undefined)
      await world.say({ note: `row ${row} is not sent again: ${held}` });
    else if (state === "unknown") found.push(payment);
  }
  if (problems.length > 0) throw usageError(problems);
  return found;
}

interface Searched {
  world: PaymentWorld;
  payerId: PayerId;
  run: string;
  rows: Rows;
  /** Whether the chain is asked about rows whose records may have been deleted. */
  usesChain?: boolean;
}

async function searchUnsettled(searched: Searched): Promise<RelayctlError | undefined> {
  const { world, payerId, rows, usesChain = false } = searched;
  const attempts = rows.unsettled();
  if (attempts.length === 0) return undefined;
  const { client, clock, journal, ownNode } = world;
  const isOpen = ({ row, outcome }: Attempt) => outcome !== "refused" && rows.get(row).state !== "sent";
  const chain =
    usesChain && attempts.some(isOpen) ? () => openChain({ client, relayerId: payerId.relayerId, ownNode }) : undefined;
  try {
    const findings = await findSends({ ...payerId, client, journal, now: () => clock.now(), chain }, attempts);
    const failures: RelayctlError[] = [];
    for (const attempt of attempts) {
      const finding = findings.get(attempt.id);
      if (finding) await rescue(noteFate(searched, attempt, finding), (error) => void failures.push(error));
    }
    if (failures[0]) throw failures[0];
  } catch (error) {
    if (!(error instanceof RelayctlError)) throw error;
    const open = rows.inState("unknown").length;
    const words = [error.message, ...error.because].join("; ");
    if (open > 0) await world.say({ note: `${pluralize(open, "unknown row")} could not be looked for: ${words}` });
    return error;
  }
  return undefined;
}

async function noteFate({ world, run, rows }: Searched, attempt: Attempt, finding: SendFate): Promise<void> {
  if (finding.state === "unknown") {
    if (finding.candidates.length > 0) rows.hold(attempt, finding.because);
    return;
  }
  const of = { id: attempt.id, run, time: new Date(world.clock.now()).toISOString() };
  const record = () => world.journal.append(world.foundOutcome(finding, of), { isSynced: true });
  if (finding.state === "unsent") return await record().then(() => rows.unsent(attempt));
  const found = "record" in finding ? { transactionId: finding.record.data.id } : { hash: finding.mined.hash };
  const { transactionId: first } = rows.get(attempt.row);
  const isTwice = rows.found(attempt, found);
  world.noted?.(rowOutcome(rows, attempt.row));
  if (isTwice) {
    const text = twiceText(attempt, [String(first), found.transactionId ?? String(found.hash)]);
    const isPaid = !("record" in finding) || !transactionPaysNothing(finding.record.data);
    await world.say({ warning: isPaid ? text : `${text}; it is ${finding.record.data.status}, and pays nothing` });
  }
  // A row whose transaction was found is not sent again, even if the journal can't be written.
  await record();
}

function twiceText({ row, outcome }: Attempt, [first, second]: readonly [string, string]): string {
  const words =
    outcome === "refused" ? "which was sent although its response was a refusal" : "which was assumed not to be sent";
  return `row ${row} was sent twice: by transaction ${first}, and by ${second}, ${words}`;
}

/** Returns undefined for a new one. @throws RelayctlError usage if the file changed; conflict if it must be chosen */
async function chooseRun(
  world: EarlierRunsWorld,
  payerId: PayerId,
  { file, path, start, resumeLine }: Pick<RunPlan, "file" | "path" | "start"> & { resumeLine: string },
): Promise<RecordedRun | undefined> {
  const { journal, spelling } = world;
  const begun = await knownRunsWith(world, file.sha256);
  const same = begun.filter((each) => isSamePayer(each, payerId));
  if (start.run !== undefined)
    return resumableRun(file, await runNamed(world, payerId, { file, run: start.run, same }), spelling);
  const newest = same.at(-1);
  if (start.again) return undefined;
  const elsewhere = newest ? undefined : begun.at(-1);
  if (elsewhere) throw elsewhereError(file, elsewhere, world);
  const changed = newest ? undefined : await unfinishedVersion(journal, payerId, { file, path });
  if (start.resume) {
    if (changed) throw changedError(file, changed, spelling);
    if (newest) return resumableRun(file, newest, spelling);
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

function resumableRun({ name, payments }: PaymentFile, recorded: RecordedRun, { again }: Spelling): RecordedRun {
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
  const [other] = (await readLedgerRuns(journal, run)).filter((each) => isSamePayer(each, payerId));
  if (other) throw changedError(file, other, spelling);
  const rule = `no run of ${file.name} from ${payerId.relayerId} has this ID`;
  throw usageError([{ where: spelling.run, rule, given: run }]);
}

/** Returns the newest run of other bytes at the same path, if a row is unsent. Earlier runs were left on purpose. */
async function unfinishedVersion(journal: Journal, payerId: PayerId, { file, path }: Pick<RunPlan, "file" | "path">) {
  if (path === "") return undefined;
  const newest = (await readLedgerRuns(journal, path)).filter((each) => isSamePayer(each, payerId)).at(-1);
  if (!newest || newest.payments.sha256 === file.sha256) return undefined;
  const rows = await readLedgerRows(journal, newest.run, newest.payments.rows);
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
  const first = firstRowDigests(file.payments, new Set([1])).get(1) ?? "";
  const runs = (await knownRunsWith(world, first)).filter(({ payments }) => payments.first === first).reverse();
  const contents = firstRowDigests(file.payments, new Set(runs.map(({ payments }) => payments.rows)));
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
  for await (const write of walkWrites(keeper, undefined, { mayRound: true, runs: new Set([run]) })) {
    const { payment, body } = write.intent;
    if (!payment || payment.row > payments.length || appliedOf(write) === "no") continue;
    sent.set(payment.row, isJsonObject(body) ? verdictVersion(body) : undefined);
  }
  for (const { row, to, value, data = null } of payments) {
    const before = sent.get(row);
    const now = verdictVersion({ to, value: String(value), data });
    if (before && now && !isSameVerdictVersion(before, now)) return false;
  }
  return [...sent.values()].some((version) => version !== undefined);
}

function elsewhereError({ name }: PaymentFile, recorded: KnownRun, world: EarlierRunsWorld): RelayctlError {
  const { again, state } = world.spelling;
  const folder = recorded.keptIn === undefined ? "" : `, and ${state} ${recorded.keptIn}`;
  return runConflict(`${name} was already started in`, recorded, world, [
    `nothing was sent: to continue that run, use its relayer and server${folder}; ${again} pays the whole file here as well`,
  ]);
}

/** A spreadsheet changes a file's bytes when it saves the file, but not the payments. */
function alikeError({ name }: PaymentFile, recorded: KnownRun, world: EarlierRunsWorld): RelayctlError {
  const { file } = recorded.payments;
  const then =
    file === "" ? "they were in no file then, and have" : `the file was ${file} then, and has other bytes now, but`;
  return runConflict(`the payments of ${name} were already started in`, recorded, world, [
    `${then} the same receivers, amounts, and data`,
    `nothing was sent: ${world.spelling.again} pays all of them as a new run`,
  ]);
}

function longerError(file: PaymentFile, recorded: KnownRun, world: EarlierRunsWorld): RelayctlError {
  const { rows } = recorded.payments;
  const all = file.payments.length;
  const added = all - rows === 1 ? "the other row" : `the other ${pluralize(all - rows, "row")}`;
  return runConflict(`${file.name} begins with the ${pluralize(rows, "row")} of`, recorded, world, [
    `nothing was sent: put ${added} into a separate file, or use ${world.spelling.again} to pay all ${groupDigits(all)} as a new run`,
  ]);
}

function shorterError(file: PaymentFile, recorded: KnownRun, world: EarlierRunsWorld): RelayctlError {
  const part = `the first ${groupDigits(file.payments.length)} of the ${pluralize(recorded.payments.rows, "row")}`;
  return runConflict(`${file.name} has ${part} of`, recorded, world, [
    `nothing was sent: ${world.spelling.again} pays them as a new run`,
  ]);
}

function runConflict(
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

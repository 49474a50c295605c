import { openChain } from "../../chain/open-chain.ts";
import { type Problem, RelayctlError, usageError } from "../../errors.ts";
import type { Journal, Lease } from "../../journal/journal.ts";
import { type Payment, type PaymentFile, paymentsOf } from "../payment.ts";
import { chooseRun } from "./choose-run.ts";
import { type RecordedRun, rowsOf } from "./ledger.ts";
import type { PaymentWorld } from "./payment-world.ts";
import type { Start } from "./plan.ts";
import { createRows, type Rows } from "./rows.ts";
import type { Paid, Running } from "./running.ts";
import { searchUnsettled } from "./search.ts";
import { sendDue } from "./send-due.ts";

/** Runs work while no other process pays the file. @throws RelayctlError conflict if one does; io for the journal */
export async function payingAlone<T>(
  journal: Journal,
  file: PaymentFile,
  work: (lease: Lease) => Promise<T>,
): Promise<T> {
  let isAlone = false;
  try {
    return await journal.leased(`payments ${file.sha256}`, async (lease) => {
      isAlone = true;
      return await work(lease);
    });
  } catch (error) {
    if (isAlone || !(error instanceof RelayctlError)) throw error;
    if (error.failure !== "conflict") throw error.with({ because: ["nothing was sent"] });
    throw new RelayctlError("conflict", `another process is sending the payments of ${file.name}`, {
      because: ["nothing was sent"],
      retryable: true,
    });
  }
}

/**
 * Sends the payments of a file that were not sent before, under its lease. Nothing is sent if it throws.
 * @throws RelayctlError usage, declined, conflict, or io, before the first payment
 */
export async function pay(running: Running): Promise<Paid> {
  const { world, payerId, plan, resumeLine } = running;
  const { file, start } = plan;
  await world.requireComplete(world.journal);
  await requireFinalBlocks(running);
  const recorded = await chooseRun(world, payerId, { ...plan, resumeLine });
  if (!recorded && world.usualJournal) await world.requireComplete(world.usualJournal);
  if (recorded) await world.say(`note: resuming run ${recorded.run}, which began at ${recorded.time}`);
  const rows = await rowsSoFar(running, recorded);
  const assumed = await assumedPayments(world, file, rows, start.assumed);
  const open = rows.inState("waiting", "refused");
  return await sendDue(running, { rows, open, assumed, resumed: recorded?.run });
}

/** @throws RelayctlError usage if final blocks are awaited, and the node has none */
async function requireFinalBlocks({ world, payerId: { relayerId }, plan: { wait } }: Running): Promise<void> {
  if (wait?.goal.until !== "final") return;
  const { hasFinalBlock } = await import("../../chain/follow/relayer-chain.ts");
  const chain = await openChain({ client: world.client, relayerId, ownNode: (network) => world.ownNode(network) });
  await hasFinalBlock(chain, world.clock.now());
}

/** @throws RelayctlError if rows that are to be sent again could not be looked for */
async function rowsSoFar({ world, payerId, plan }: Running, recorded: RecordedRun | undefined): Promise<Rows> {
  const count = plan.file.payments.length;
  if (!recorded) return createRows(count);
  const { run } = recorded;
  const rows = await rowsOf(world.journal, run, count);
  const failure = await searchUnsettled({ world, payerId, run, rows, usesChain: true });
  if (failure && isAnyAssumed(rows, plan.start)) throw unsearchedError(failure);
  return rows;
}

/** Returns whether a row is sent again that counts as not sent only because a user said so. */
function isAnyAssumed(rows: Rows, { assumed }: Start): boolean {
  return rows.unsettled().some(({ row, outcome }) => {
    const counts = outcome === "assumed" || (outcome === "open" && assumed.includes(row));
    return counts && rows.get(row).state !== "sent";
  });
}

function unsearchedError(failure: RelayctlError): RelayctlError {
  return failure.with({
    because: [
      ...failure.because,
      "nothing was sent: a row that may have been sent is looked for before it is sent again",
    ],
  });
}

/**
 * Lets unknown rows count as not sent, as the user said. A row that was found meanwhile is paid, and is not sent again.
 * @returns the payments of the rows that may be sent twice
 * @throws RelayctlError usage for a row that the file does not have
 */
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
      await world.say(`note: row ${row} was sent, as transaction ${transactionId ?? hash}; it is not sent again`);
    else if (state === "unknown" && held !== undefined) await world.say(`note: row ${row} is not sent again: ${held}`);
    else if (state === "unknown") found.push(payment);
  }
  if (problems.length > 0) throw usageError(problems);
  return found;
}

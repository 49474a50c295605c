import type { Standing } from "../../chain/follow/followed.ts";
import { buildWaitResult, waitResultWithoutChain } from "../../chain/follow/wait-result.ts";
import { EXPIRED_RECORD } from "../../chain/verdict/verdict-of.ts";
import { transactionPaysNothing } from "../../contract/transaction/transaction.ts";
import { RelayctlError, rescue } from "../../errors.ts";
import { DEFAULT_TIMEOUT } from "../../timing.ts";
import type { RowOutcome, RowState } from "../outcome.ts";
import type { Payment, Payments } from "../payment.ts";
import { type Rows, rowOutcome } from "./rows.ts";
import type { Awaited, Ended, Running } from "./running.ts";

export async function awaitPayments({ world, payerId, plan }: Running, rows: Rows): Promise<Ended> {
  const { wait, file } = plan;
  const outcomes = Array.from(file.payments, ({ row }) => rowOutcome(rows, row));
  const ends = new Map<number, Standing["end"]>();
  const awaited = wait ? awaitedOf(file.payments, rows) : [];
  if (!wait || awaited.length === 0 || world.interrupt.aborted) return { outcomes, ends, cutOff: undefined };
  const { awaitRows } = await import("./await-rows.ts");
  const rowsByHash = new Map<string, number>();
  const repeats = new Map<number, string>();
  const settled = ({ row }: Payment, standing: Standing) => {
    const found = resultOfStanding(standing);
    const other = found.state === "confirmed" ? otherRow(rowsByHash, found.hash, row) : undefined;
    ends.set(row, other === undefined ? standing.end : "mismatch");
    const outcome = {
      ...rowOutcome(rows, row),
      ...(other === undefined ? found : { why: `its record has transaction ${found.hash}, which paid row ${other}` }),
    };
    outcomes[row - 1] = outcome;
    world.noted?.(outcome);
  };
  const repeated = ({ row }: Payment, transactionId: string) => void repeats.set(row, transactionId);
  try {
    await awaitRows(world, { payerId, plan: wait, awaited }, { settled, repeated });
    return { outcomes, ends, cutOff: undefined };
  } catch (error) {
    if (!(error instanceof RelayctlError)) throw error;
    return { outcomes, ends, cutOff: error };
  } finally {
    const client = world.briefly(DEFAULT_TIMEOUT);
    for (const [row, transactionId] of repeats) {
      const now = await rescue(client.tx.get(payerId.relayerId, transactionId), () => undefined);
      if (!now || !transactionPaysNothing(now.data)) await world.say(repeatText(outcomes, row, transactionId));
    }
  }
}

function repeatText(outcomes: RowOutcome[], row: number, transactionId: string): { warning: string } {
  const outcome = outcomes[row - 1] as RowOutcome;
  const { state, transactionId: own } = outcome;
  const isUnpaid = state === "canceled" || state === "failed";
  const doubt = isUnpaid ? "may be paid nevertheless" : "may be paid twice";
  const why = `it ${doubt}: transaction ${transactionId} has the same receiver, amount, data, and gas limit`;
  outcomes[row - 1] = { ...outcome, why: outcome.why === undefined ? why : `${outcome.why}; ${why}` };
  return { warning: `row ${row} ${doubt}: by transaction ${isUnpaid ? "" : `${own}, and by `}${transactionId}` };
}

function otherRow(rowsByHash: Map<string, number>, hash: string | undefined, row: number): number | undefined {
  if (hash === undefined) return undefined;
  const key = hash.toLowerCase();
  const first = rowsByHash.get(key) ?? row;
  rowsByHash.set(key, first);
  return first === row ? undefined : first;
}

function awaitedOf(payments: Payments, rows: Rows): Awaited[] {
  const awaited: Awaited[] = [];
  for (const payment of payments) {
    const { state, hash, transactionId = hash } = rows.get(payment.row);
    if (state === "sent" && transactionId) awaited.push({ payment, transactionId });
  }
  return awaited;
}

const STATES: Readonly<Record<string, RowState>> = { canceled: "canceled", reached: "confirmed", unmet: "failed" };

/** The result of record and chain. If they differ, the transaction is neither paid nor failed. */
function resultOfStanding(standing: Standing): Partial<RowOutcome> {
  const { hash, block, fee_paid: fee, verdict, why, by_record: byRecord, end, missing } = buildWaitResult(standing);
  const isConfirmed = verdict === "confirmed";
  if (end === "gone" && verdict === null) return { why: "the service does not have its record any more" };
  const state = verdict === "canceled" ? "canceled" : end === "reached" && !isConfirmed ? "sent" : STATES[end ?? ""];
  return {
    ...(state && { state }),
    ...(hash !== null && { hash }),
    ...(block !== null && block !== undefined && { block: Number(block) }),
    ...(fee !== null && { fee: BigInt(fee) }),
    ...(verdict !== null && { verdict, byRecord }),
    ...(why !== null &&
      (byRecord || !isConfirmed || why.endsWith(EXPIRED_RECORD)) && {
        why: byRecord ? waitResultWithoutChain({ why, missing }) : why,
      }),
  };
}

import { type Completed, runAll } from "../../../command-support/bulk/run.ts";
import type { WriteThrottle } from "../../../command-support/bulk/writes.ts";
import type { Relayer } from "../../../contract/resources/relayer.ts";
import type { Transaction } from "../../../contract/transaction/transaction.ts";
import { CANCELED, RelayctlError } from "../../../errors.ts";
import { COIN_TIMEOUT } from "../../../timing.ts";
import type { Call } from "../../command.ts";
import { pendingNow } from "../../tx/record/pending-now.ts";
import type { Target } from "../many/targets.ts";
import { type Obstacle, obstacleOf } from "./obstacle.ts";
import { createRefused } from "./refused-cancellations.ts";

/** A relayer to freeze, with its pending transactions, oldest first. */
export interface FreezeTarget extends Target {
  cancels: readonly Transaction[];
  /** The others, and why they are not canceled. */
  others: readonly { transaction: Transaction; obstacle: Obstacle }[];
  /** Why its transactions are unknown. */
  unread?: RelayctlError;
}

/**
 * Reads the pending transactions of relayers, several at a time, and decides which of them to cancel. Transactions that
 * cannot be read leave their relayer to be paused.
 */
export async function planFreeze(
  call: Call,
  targets: readonly Target[],
  { concurrency }: WriteThrottle,
): Promise<FreezeTarget[]> {
  const session = await call.session();
  const { interrupt } = call.app;
  const client = session.inBulk();
  const jobs = targets.map(({ id }) => ({ id, run: () => pendingNow(client, id) }));
  const read = await runAll(jobs, { concurrency, interrupt }).done;
  const end = read.find(({ error }) => error?.failure === "auth")?.error;
  if (end) throw end;
  if (interrupt.aborted) throw new RelayctlError("interrupted", CANCELED);
  const found = new Map(read.map((each) => [each.id, each]));
  const refused = await refusedAmong(call, targets, found, concurrency);
  return targets.map((target) => {
    const { value: pending = [], error } = found.get(target.id) ?? {};
    const ids = refused.get(target.id) ?? new Set();
    return { ...target, ...divided(pending, target.before, ids), ...(error && { unread: error }) };
  });
}

/** Returns the transactions whose cancellation nodes would refuse, by relayer. */
async function refusedAmong(
  call: Call,
  targets: readonly Target[],
  found: ReadonlyMap<string, Completed<readonly Transaction[]>>,
  concurrency: number,
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const { clock, interrupt } = call.app;
  const client = (await call.session()).briefly(COIN_TIMEOUT);
  const refusedOf = createRefused(client, () => clock.elapsed());
  const jobs = targets.map(({ id, before }) => ({ id, run: () => refusedOf(before, found.get(id)?.value ?? []) }));
  const completed = await runAll(jobs, { concurrency, interrupt }).done;
  if (interrupt.aborted) throw new RelayctlError("interrupted", CANCELED);
  return new Map(completed.flatMap(({ id, value }) => (value ? [[id, value]] : [])));
}

function divided(
  pending: readonly Transaction[],
  relayer: Relayer | undefined,
  refused: ReadonlySet<string>,
): Pick<FreezeTarget, "cancels" | "others"> {
  const judged = pending.map((transaction) => ({
    transaction,
    obstacle: obstacleOf(transaction, relayer, refused.has(transaction.id)),
  }));
  return {
    cancels: judged.flatMap(({ transaction, obstacle }) => (obstacle === undefined ? transaction : [])),
    others: judged.flatMap(({ transaction, obstacle }) => (obstacle === undefined ? [] : { transaction, obstacle })),
  };
}

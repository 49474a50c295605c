import { readNetworkFacts, replacesUnraised } from "../../../chain/network.ts";
import type { Client } from "../../../client/client.ts";
import { runAll } from "../../../command-support/bulk/run.ts";
import type { WriteThrottle } from "../../../command-support/bulk/writes.ts";
import type { Relayer } from "../../../contract/resources/relayer.ts";
import type { Transaction } from "../../../contract/transaction/transaction.ts";
import { statusOf } from "../../../contract/transaction/transaction-state.ts";
import { CANCELED, RelayctlError } from "../../../errors.ts";
import { COIN_TIMEOUT } from "../../../timing.ts";
import type { Call } from "../../command.ts";
import { pendingNow } from "../../tx/record/pending-now.ts";
import type { Target } from "../many/targets.ts";
import { type Obstacle, obstacleOf } from "./obstacle.ts";

/** A relayer to freeze, with its pending transactions, oldest first. */
export interface FreezeTarget extends Target {
  /** The transactions to cancel. */
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
  const submitted = targets.filter(({ id }) =>
    found.get(id)?.value?.some((transaction) => statusOf(transaction) === "submitted"),
  );
  const unraised = await unraisedNetworks(session.briefly(COIN_TIMEOUT), submitted);
  return targets.map((target) => {
    const { value: pending = [], error } = found.get(target.id) ?? {};
    return { ...target, ...divided(pending, target.before, unraised), ...(error && { unread: error }) };
  });
}

function divided(
  pending: readonly Transaction[],
  relayer: Relayer | undefined,
  unraised: ReadonlySet<string>,
): Pick<FreezeTarget, "cancels" | "others"> {
  const isUnraised = relayer?.network_type === "evm" && unraised.has(relayer.network ?? "");
  const judged = pending.map((transaction) => ({
    transaction,
    obstacle: obstacleOf(transaction, relayer, isUnraised),
  }));
  return {
    cancels: judged.flatMap(({ transaction, obstacle }) => (obstacle === undefined ? transaction : [])),
    others: judged.flatMap(({ transaction, obstacle }) => (obstacle === undefined ? [] : { transaction, obstacle })),
  };
}

/** Returns the networks of EVM relayers on which nodes refuse cancellations. */
async function unraisedNetworks(
  { networks }: Pick<Client, "networks">,
  targets: readonly Target[],
): Promise<ReadonlySet<string>> {
  const names = targets.flatMap(({ before }) => (before?.network_type === "evm" ? (before.network ?? []) : []));
  const read = [...new Set(names)].map(async (name) => {
    const isUnraised = replacesUnraised(await readNetworkFacts(networks, name));
    return isUnraised ? [name] : [];
  });
  return new Set((await Promise.all(read)).flat());
}

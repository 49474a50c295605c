import type { Target } from "../../../chain/follow/followed.ts";
import { createPace } from "../../../chain/follow/pace.ts";
import { readRelayer } from "../../../chain/open-chain.ts";
import { feesOf } from "../../../chain/replacement/fees.ts";
import { readId } from "../../../command-support/ids.ts";
import { grouped } from "../../../contract/decimal.ts";
import { networkKind } from "../../../contract/network-kind.ts";
import type { Problems } from "../../../contract/problems.ts";
import { receivedTime } from "../../../contract/reply/received-time.ts";
import type { Transaction } from "../../../contract/transaction/transaction.ts";
import { isPending, statusOf } from "../../../contract/transaction/transaction-state.ts";
import { RelayctlError } from "../../../errors.ts";
import type { Session } from "../../../session/session.ts";
import { commandLine } from "../../../shell/shell-words.ts";
import type { Call } from "../../command.ts";
import { ageFlag } from "../../history/since.ts";
import { pendingTransactions } from "../cancel-pending/pending.ts";
import { namedTransactions } from "../wait/targets.ts";
import type { BumpFlags } from "./flags.ts";
import type { ReadTarget } from "./planned-bump.ts";

/** The typed transactions, those whose records decided about the bump, or the relayer whose stuck ones are meant. */
export type Named =
  | { targets: readonly Target[] }
  | { records: readonly ReadTarget[] }
  | { stuckOf: string; longerThan: number; typed: string };

export async function namedBumps(call: Call<BumpFlags>, problems: Problems): Promise<Named> {
  const { app, args, flags } = call;
  if (flags.stuck === undefined) {
    const named = await namedTransactions({ app, args, flags: {} }, problems);
    return "targets" in named ? named : { targets: [] };
  }
  const [relayer, ...ids] = args;
  if (ids.length > 0) problems.add("--stuck", "cannot be combined with transaction IDs");
  const longerThan = ageFlag(problems, "--stuck", flags.stuck, app.clock.now()) ?? 0;
  return { stuckOf: await readId(call, problems, "relayer-id", relayer), longerThan, typed: flags.stuck };
}

export async function readNamed(
  call: Call,
  session: Session,
  named: Named,
  isWaiting: boolean,
): Promise<readonly ReadTarget[]> {
  if ("records" in named) return named.records;
  if ("targets" in named) return await readTyped(call, session, named.targets, isWaiting);
  return await readStuck(session, named, call.app.clock.now());
}

async function readTyped(
  call: Call,
  session: Session,
  targets: readonly Target[],
  isWaiting: boolean,
): Promise<ReadTarget[]> {
  const { client } = session;
  const found: ReadTarget[] = [];
  for (const { relayerId, id } of targets) {
    const record = await readRecord(session, relayerId, id);
    const isUnpriced = isWaiting && isPending(record) && feesOf(record) === undefined;
    const isAwaited = isUnpriced && networkKind((await readRelayer({ client, relayerId })).relayer) === "evm";
    found.push({ relayerId, id, record: isAwaited ? await signed(call, session, relayerId, record) : record });
  }
  return found;
}

async function readRecord({ client, flags }: Session, relayerId: string, id: string): Promise<Transaction> {
  try {
    return (await client.tx.get(relayerId, id)).data;
  } catch (error) {
    if (!(error instanceof RelayctlError) || error.subject?.kind !== "other_relayer") throw error;
    const { relayer, transaction } = error.subject;
    const hint = commandLine(...flags, "tx", "bump", relayer, transaction);
    throw new RelayctlError("usage", error.message, { because: ["nothing was sent"], hint });
  }
}

async function signed(call: Call, session: Session, relayerId: string, queued: Transaction): Promise<Transaction> {
  const { clock, interrupt } = call.app;
  const { remaining } = session;
  const pace = createPace(clock);
  await call.say(`note: ${queued.id} has no price yet; waiting until the service has signed it`);
  for (let record = queued; ; ) {
    if (statusOf(record) !== "pending" || feesOf(record) !== undefined) return record;
    if ((remaining?.() ?? 1) <= 0) return record;
    await clock.sleep(pace(false), interrupt);
    if (interrupt.aborted) throw new RelayctlError("interrupted", "interrupted before the transaction was signed");
    record = await readRecord(session, relayerId, queued.id);
  }
}

async function readStuck(
  { client, name, flags }: Session,
  { stuckOf: relayerId, longerThan, typed }: Extract<Named, { stuckOf: string }>,
  now: number,
): Promise<ReadTarget[]> {
  const pending = await pendingTransactions(client, relayerId, isPending);
  const since = now - longerThan;
  const found = pending.filter(({ created_at: created }) => receivedTime(created) < since);
  if (found.length > 0) return found.map((record) => ({ relayerId, id: record.id, record }));
  const words =
    pending.length === 0
      ? `nothing is pending on ${relayerId} in ${name}`
      : `none of the ${grouped(pending.length)} pending transactions of ${relayerId} has been pending for longer than ${typed}`;
  throw new RelayctlError("conflict", words, {
    because: ["nothing was sent"],
    hint: commandLine(...flags, "tx", "list", relayerId),
    retryable: false,
  });
}

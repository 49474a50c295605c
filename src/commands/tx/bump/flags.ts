import type { Speed } from "../../../chain/evm/fee-history.ts";
import type { Target } from "../../../chain/follow/followed.ts";
import { createPace } from "../../../chain/follow/pace.ts";
import { readChainRelayer } from "../../../chain/open-chain.ts";
import { feesOf } from "../../../chain/replacement/fees.ts";
import { type NamedCoin, namedCoinAmount } from "../../../coins/named-coins.ts";
import { readId } from "../../../command-support/ids.ts";
import { ageFlag } from "../../../config/since.ts";
import { GAS_PRICE } from "../../../contract/amount.ts";
import { groupDigits } from "../../../contract/decimal.ts";
import { networkKind } from "../../../contract/network-kind.ts";
import type { Problems } from "../../../contract/problems.ts";
import { receivedTime } from "../../../contract/reply/received-time.ts";
import { SPEEDS } from "../../../contract/transaction/replacement-price.ts";
import { isPending, type Transaction, txStatus } from "../../../contract/transaction/transaction.ts";
import { interruptedError, rescue, unsentError } from "../../../errors.ts";
import type { Session } from "../../../session/session.ts";
import { commandLine } from "../../../shell/shell-words.ts";
import { type Call, type CommandSyntax, commandNumberFlag, type ParsedFlags } from "../../command.ts";
import { parseWatchFlag } from "../../watch/flag.ts";
import { pendingTransactions } from "../cancel-pending/pending.ts";
import type { ForceFlag } from "../replacement/prediction-words.ts";
import type { SimulationFlags } from "../simulation/flags.ts";
import { type WaitPlan, type WriteWaitFlags, waitedTransactions, writeWaitPlan } from "../wait/flags.ts";

export type BumpFlags = ParsedFlags<typeof defineBumpFlags> & ForceFlag & SimulationFlags & WriteWaitFlags;

export interface BumpSchedule {
  /** Milliseconds between two bumps. */
  every: number;
  times: number;
}

export interface BumpPlan {
  speed: Speed;
  /** Wei per gas; undefined for no limit. */
  maxFee: bigint | undefined;
  /** The coin typed as the unit of that limit. */
  coins: readonly NamedCoin[];
  repetition: BumpSchedule | undefined;
  /**
   * Set to raise relayers' caps; `isKept` if they stay raised. `left` holds the caps that this run set, by relayer: other
   * caps are somebody else's, and not raised again.
   */
  raising?: { isKept: boolean; left?: Map<string, bigint> } | undefined;
  wait: WaitPlan | undefined;
}

const EVERY = "2m";
const TIMES = 5;
const MOST_TIMES = 100;

export function bumpRepeats({ flags }: { flags: BumpFlags }): boolean {
  return flags.until !== undefined;
}

export function defineBumpFlags(command: CommandSyntax) {
  return command
    .optionsGroup("Bump")
    .choice("--speed <speed>", "Speed whose market price counts (default: fastest)", SPEEDS)
    .option(
      "--stuck <time>",
      "Bump transactions that have been pending for longer, e.g. 10m or 2d, or since before a date, lowest nonce first",
    )
    .option("--max-price <amount>", "Send nothing that is predicted to pay more per gas, e.g. 200gwei")
    .option("--raise-cap", "Raise the relayer's cap if it is too low, and restore it once the bump is on its way")
    .option("--keep-raised", "With --raise-cap, leave the cap raised")
    .choice("--until <goal>", "Bump again until the transaction is mined", ["mined"])
    .option("--every <duration>", `Time between two bumps with --until (default: ${EVERY})`)
    .option("--times <n>", `Maximum number of bumps with --until (1–${MOST_TIMES}; default: ${TIMES})`);
}

export function typedBumpPlan(call: Call<BumpFlags>, problems: Problems): BumpPlan {
  const { speed = "fastest" } = call.flags;
  const { maxPrice: text = "", raiseCap = false, keepRaised = false } = call.flags;
  const { amount: maxFee, coin } = namedCoinAmount(problems, "--max-price", call.flags.maxPrice, GAS_PRICE) ?? {};
  if (maxFee === 0n) problems.add("--max-price", "must be more than zero", text);
  if (keepRaised && !raiseCap) problems.add("--keep-raised", "has no effect without --raise-cap");
  return {
    raising: raiseCap ? { isKept: keepRaised, left: new Map() } : undefined,
    speed,
    maxFee,
    coins: coin === undefined ? [] : [{ flag: "--max-price", text, coin }],
    repetition: parseSchedule(call.flags, problems),
    wait: writeWaitPlan(call, problems),
  };
}

function parseSchedule({ until, every, times }: BumpFlags, problems: Problems): BumpSchedule | undefined {
  const interval = parseWatchFlag("--every", every ?? EVERY, problems);
  const most = commandNumberFlag(problems, "--times", times, 1, MOST_TIMES) ?? TIMES;
  if (until !== undefined) return { every: interval ?? 0, times: most };
  for (const [flag, value] of Object.entries({ "--every": every, "--times": times }))
    if (value !== undefined && !problems.has(flag)) problems.add(flag, "has no effect without --until mined");
  return undefined;
}

export interface ReadTarget extends Pick<Target, "relayerId" | "id"> {
  record: Transaction;
}

/** The typed transactions, those with read records, or a whole relayer's stuck ones. */
export type BumpTargets =
  | { targets: readonly Target[] }
  | { records: readonly ReadTarget[] }
  | { stuckOf: string; longerThan: number; typed: string };

export async function namedBumps(call: Call<BumpFlags>, problems: Problems): Promise<BumpTargets> {
  const { app, args, flags } = call;
  if (flags.stuck === undefined) {
    const named = await waitedTransactions({ app, args, flags: {} }, problems);
    return "targets" in named ? named : { targets: [] };
  }
  const [relayer, ...ids] = args;
  if (ids.length > 0) problems.add("--stuck", "cannot be combined with transaction IDs");
  const longerThan = ageFlag(problems, "--stuck", flags.stuck, app.clock.now()) ?? 0;
  return { stuckOf: await readId(call, problems, "relayer-id", relayer), longerThan, typed: flags.stuck };
}

export async function readNamedBumps(
  session: Session,
  named: BumpTargets,
  isWaiting: boolean,
): Promise<readonly ReadTarget[]> {
  if ("records" in named) return named.records;
  if ("targets" in named) return await readTyped(session, named.targets, isWaiting);
  return await readStuck(session, named);
}

async function readTyped(session: Session, targets: readonly Target[], isWaiting: boolean) {
  const { client } = session;
  const found: ReadTarget[] = [];
  for (const { relayerId, id } of targets) {
    const record = await readRecord(session, relayerId, id);
    const isUnpriced = isWaiting && isPending(record) && feesOf(record) === undefined;
    const isAwaited = isUnpriced && networkKind((await readChainRelayer({ client, relayerId })).relayer) === "evm";
    found.push({ relayerId, id, record: isAwaited ? await readSigned(session, relayerId, record) : record });
  }
  return found;
}

async function readRecord({ client, flags }: Session, relayerId: string, id: string): Promise<Transaction> {
  const { data } = await rescue(client.tx.get(relayerId, id), (error) => {
    if (error.subject?.kind !== "other_relayer") throw error;
    const { relayer, transaction } = error.subject;
    throw unsentError("usage", error.message, { hint: commandLine(...flags, "tx", "bump", relayer, transaction) });
  });
  return data;
}

async function readSigned(session: Session, relayerId: string, queued: Transaction): Promise<Transaction> {
  const { clock, interrupt, remaining } = session;
  const pace = createPace(clock);
  await session.say({ note: `${queued.id} has no price yet; waiting until the service has signed it` });
  for (let record = queued; ; ) {
    if (txStatus(record) !== "pending" || feesOf(record) !== undefined) return record;
    if ((remaining?.() ?? 1) <= 0) return record;
    await clock.sleep(pace(false), interrupt);
    if (interrupt.aborted) throw interruptedError(" before the transaction was signed");
    record = await readRecord(session, relayerId, queued.id);
  }
}

async function readStuck(
  { client, clock, name, flags }: Session,
  { stuckOf: relayerId, longerThan, typed }: Extract<BumpTargets, { stuckOf: string }>,
): Promise<ReadTarget[]> {
  const pending = await pendingTransactions(client, relayerId, isPending);
  const since = clock.now() - longerThan;
  const found = pending.filter(({ created_at: created }) => receivedTime(created) < since);
  if (found.length > 0) return found.map((record) => ({ relayerId, id: record.id, record }));
  const words =
    pending.length === 0
      ? `nothing is pending on ${relayerId} in ${name}`
      : `none of the ${groupDigits(pending.length)} pending transactions of ${relayerId} has been pending for longer than ${typed}`;
  throw unsentError("conflict", words, { hint: commandLine(...flags, "tx", "list", relayerId), retryable: false });
}

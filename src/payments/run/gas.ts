import { parseQuantity } from "../../chain/evm/quantity.ts";
import { type ChainNode, type NodeFaultKind, nodeFailure, readFromNode, relayerNode } from "../../chain/node/node.ts";
import { formatAmount } from "../../contract/amount.ts";
import { isJsonObject } from "../../contract/json.ts";
import type { Relayer } from "../../contract/resources/relayer.ts";
import { TRANSFER_GAS } from "../../contract/transaction/replacement-price.ts";
import { interruptedError, type RelayctlError } from "../../errors.ts";
import { FileProblems } from "../file/file-problems.ts";
import type { Payment, Payments, PlaceText } from "../payment.ts";
import type { Payer, ReadingWorld } from "./running.ts";

/** The service, too, adds a tenth to an estimate (facts 5.3). */
const [MARGIN, OF] = [11n, 10n];
/** No chain accepts more gas in a transaction since EIP-7825. */
const MOST_GAS = 2n ** 24n;

export interface GasRules {
  payer: Payer;
  /** Undefined if it could not be read. */
  balance: bigint | undefined;
  concurrency: number;
  /** The number of estimates without a response after which no further one is requested. */
  stopAfter: number;
  /** The most that is added to the limit of a row. */
  mostOffset: number;
  placeText: PlaceText;
}

interface NoLimit {
  why: string;
  /** Set if the node may respond later. */
  passing?: RelayctlError | undefined;
}

/**
 * Returns the gas limit of each row without the offset of its fingerprint: its column's, or an estimate of the
 * relayer's node with a margin. Nothing is assumed, not even for a plain transfer: its receiver may be a contract.
 * @throws RelayctlError usage if a row has no limit and can't be estimated, a limit is above the block's, or the balance
 *   can't cover the least fees; network, server, or rate_limited if the node could not be asked
 */
export async function readPaymentGas(
  world: ReadingWorld,
  payments: Payments,
  rules: Omit<GasRules, "stopAfter">,
): Promise<readonly number[]> {
  const problems = new FileProblems(rules.placeText);
  const limits = await readPaymentGasOrReasons(world, payments, { ...rules, stopAfter: 1 });
  let index = 0;
  for (const { row, line } of payments) {
    const limit = limits[index++];
    if (typeof limit !== "object") continue;
    if (limit.passing) throw limit.passing.with({ because: [`row ${row} ${limit.why}`, "nothing was sent"] });
    problems.add({ line, column: 1 }, limit.why, { row, column: "gas_limit" });
  }
  problems.throwIfAny();
  return limits.map(Number);
}

export async function readPaymentGasOrReasons(
  world: ReadingWorld,
  payments: Payments,
  rules: GasRules,
): Promise<readonly (number | NoLimit)[]> {
  if (payments.length === 0) return [];
  const { payer, mostOffset } = rules;
  const node = relayerNode(world.client.relayers, payer.relayer.id);
  const estimates = await estimateGas(world, node, payments, rules);
  const { most, baseFee } = await readLatestBlock(node);
  const limits = Array.from(payments, (payment) => {
    const limit = payment.gasLimit ?? estimates.get(paymentKey(payment)) ?? NOT_ESTIMATED;
    if (typeof limit === "object") return limit;
    if (limit + BigInt(mostOffset) <= most) return Number(limit);
    const why = `${limit}, with up to ${mostOffset} more to distinguish the rows, is above the gas limit of a block, ${most}`;
    return { why };
  });
  refuseUncovered(payments, limits, { ...rules, baseFee });
  return limits;
}

/** Rows with the same receiver and data need the same gas, unless one of them pays nothing. */
function paymentKey({ to, data = "0x", value }: Payment): string {
  return `${to} ${data} ${value === 0n}`.toLowerCase();
}

async function estimateGas(
  { clock, interrupt, count }: ReadingWorld,
  node: ChainNode,
  payments: Payments,
  { payer, concurrency, stopAfter }: GasRules,
): Promise<Map<string, bigint | NoLimit>> {
  const open = new Map<string, Payment>();
  for (const payment of payments) if (payment.gasLimit === undefined) open.set(paymentKey(payment), payment);
  const waiting = [...open].values();
  const counts = { doing: "estimating", of: open.size, done: 0, failed: 0, since: clock.elapsed() };
  const found = new Map<string, bigint | NoLimit>();
  let unanswered = 0;
  const work = async () => {
    for (const [key, payment] of waiting) {
      if (interrupt.aborted || unanswered >= stopAfter) return;
      const limit = await estimateOne(node, payer.relayer, payment);
      if (typeof limit === "object" && limit.passing) unanswered++;
      found.set(key, limit);
      counts.done++;
    }
  };
  if (open.size > 1) count(counts);
  try {
    await Promise.all(Array.from({ length: Math.min(concurrency, open.size) }, work));
  } catch (error) {
    if (!interrupt.aborted) throw error;
  } finally {
    count(undefined);
  }
  if (interrupt.aborted) throw interruptedError("; nothing was sent");
  return found;
}

const ADVICE = "; specify it in the column gas_limit";
const NOT_ESTIMATED: NoLimit = { why: `gas was not estimated${ADVICE}` };
/** Faults that say nothing about the payment. */
const PASSING: readonly NodeFaultKind[] = ["limited", "unreachable", "unreadable"];

async function estimateOne(node: ChainNode, { address }: Relayer, { to, data, value }: Payment) {
  const shown = { from: address ?? null, to, ...(data !== undefined && { data }), value: `0x${value.toString(16)}` };
  const gas = await readFromNode(node, "eth_estimateGas", [shown], parseQuantity);
  if ("value" in gas) return (gas.value * MARGIN + OF - 1n) / OF;
  const { kind, words } = gas.fault;
  if (kind === "reverted") return { why: "would revert" };
  const why = `needs a gas limit, which could not be estimated: ${words}${ADVICE}`;
  return { why, passing: PASSING.includes(kind) ? nodeFailure(gas.fault) : undefined };
}

async function readLatestBlock(node: ChainNode): Promise<{ most: bigint; baseFee: bigint | undefined }> {
  const block = await readFromNode(node, "eth_getBlockByNumber", ["latest", false], (found) =>
    isJsonObject(found)
      ? { limit: parseQuantity(found.gasLimit), baseFee: parseQuantity(found.baseFeePerGas) }
      : undefined,
  );
  const { limit = MOST_GAS, baseFee } = "value" in block ? block.value : {};
  return { most: limit > 0n && limit < MOST_GAS ? limit : MOST_GAS, baseFee };
}

/**
 * A limit may be far above the gas that is used: only what each payment costs at least is a reason to refuse all of them.
 * A row without a limit is not sent, and doesn't count.
 */
function refuseUncovered(
  payments: Payments,
  limits: readonly (number | NoLimit)[],
  { payer, balance, placeText, baseFee = 0n }: GasRules & { baseFee?: bigint | undefined },
): void {
  let [sum, fees, index] = [0n, 0n, 0];
  for (const { value } of payments) {
    if (typeof limits[index++] === "object") continue;
    sum += value;
    fees += TRANSFER_GAS * baseFee;
  }
  if (balance === undefined || sum + fees <= balance) return;
  const [all, least, has] = [sum, fees, balance].map((amount) => formatAmount(amount, payer.coin));
  const problems = new FileProblems(placeText);
  const rule = `the sum and fees of at least ${least} are more than the balance of ${payer.relayer.id}, ${has}`;
  problems.add(undefined, rule, undefined, all);
  problems.throwIfAny();
}

import { addressProblem, hexAddressProblem } from "../../contract/address.ts";
import { currencyOf, formatAmount, priceText, wireAmount } from "../../contract/amount.ts";
import { TRANSFER_GAS } from "../../contract/transaction/replacement-price.ts";
import type { Transaction } from "../../contract/transaction/transaction.ts";
import { feesOf, mostFeePerGas } from "../replacement/fees.ts";
import type { Cause, QueueEvidence } from "./diagnosis.ts";

/** Milliseconds after which the service prepares a pending transaction again (facts 5.1). */
export const PREPARED_AGAIN = 20_000;
/** Milliseconds after which the service has resent a signed transaction twice (facts 5.1). */
const SENT_AGAIN = 60_000;

/** Returns why a transaction can never be signed: a malformed receiver or malformed data (facts 13.3, 16.3). */
export function unsentReason({ to, data }: Transaction): string | undefined {
  const receiver = typeof to === "string" && to !== "" ? addressProblem(to) : undefined;
  if (receiver !== undefined) return `its receiver is malformed: ${receiver}`;
  const bytes = typeof data === "string" && data !== "" ? hexAddressProblem(prefixed(data)) : undefined;
  return bytes === undefined ? undefined : `its data is malformed: it ${bytes}`;
}

/** The service accepts hex without its prefix, and returns it as given (facts 5.2). */
function prefixed(data: string): string {
  return /^0x/i.test(data) ? data : `0x${data}`;
}

/** Returns the cause of a `pending` transaction with the chain's next nonce (facts 16.3). */
export function unsentCauseOfPending(record: Transaction, age: number): Cause {
  const reason = unsentReason(record);
  if (reason !== undefined)
    return { code: "unsignable", message: `it can never be signed: ${reason}`, remedy: "replace" };
  if (age < PREPARED_AGAIN) return inProgressCause("the service is signing it");
  return {
    code: "unsigned",
    message: `it has had a nonce for ${unsentTimeText(age)} and is not signed: its signer may have failed`,
    remedy: "bump",
  };
}

/** Returns the cause of a `sent` transaction without a time: one of three, which only the chain shows (facts 16.4). */
export function unsentCauseOfSent(
  record: Transaction,
  { chain, symbol }: Pick<QueueEvidence, "chain" | "symbol">,
  age: number,
): Cause {
  if (!chain)
    return {
      code: "not_broadcast",
      message:
        "it reads sent without a time: its fee is below the base fee, or the relayer cannot pay for it, or the node has it and its response was lost; only the chain shows which",
      remedy: "none",
      isStuck: "unknown",
    };
  const fees = feesOf(record);
  const most = mostFeePerGas(fees ?? {});
  if (fees && chain.baseFee !== undefined && most < chain.baseFee)
    return {
      code: "below_base_fee",
      message: `the node refused it: max fee ${priceText(most)} is below the base fee, ${priceText(chain.baseFee)}`,
      remedy: "bump",
    };
  const cost = (wireAmount(record.gas_limit) ?? TRANSFER_GAS) * most + (wireAmount(record.value) ?? 0n);
  const inCoin = (amount: bigint) => formatAmount(amount, currencyOf("evm", symbol));
  if (chain.balance !== undefined && chain.balance < cost)
    return {
      code: "unfunded",
      message: `the node refused it: it costs up to ${inCoin(cost)}, and the relayer has ${inCoin(chain.balance)}`,
      remedy: "fund",
      short: cost - chain.balance,
    };
  if (age < SENT_AGAIN) return inProgressCause("the service is sending it");
  const unknown = [
    ...(fees ? [] : ["its price"]),
    ...(chain.baseFee === undefined ? ["the base fee"] : []),
    ...(chain.balance === undefined ? ["the balance"] : []),
  ];
  if (unknown.length > 0)
    return {
      code: "not_broadcast",
      message: `the service has not sent it for ${unsentTimeText(age)}, and why is unknown: ${unknown.join(" and ")} could not be read`,
      remedy: "none",
    };
  return {
    code: "worker_dead",
    message: `the service has not sent it for ${unsentTimeText(age)}, although its fee and the balance suffice: its worker has probably stopped, and only a restart of the service helps`,
    remedy: "restart",
  };
}

/** Returns an age as `45 s`, `12 min`, `3 h`, `5 days`. */
export function unsentTimeText(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7200) return `${Math.floor(seconds / 60)} min`;
  const hours = Math.floor(seconds / 3600);
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} days`;
}

export function inProgressCause(message: string): Cause {
  return { code: "in_progress", message, remedy: "wait", isStuck: false };
}

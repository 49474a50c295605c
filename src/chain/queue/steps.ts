import { wireAmount } from "../../contract/amount.ts";
import type { JsonValue } from "../../contract/json.ts";
import { isServiceRecord } from "../../contract/service-record.ts";
import { SPEEDS } from "../../contract/transaction/replacement.ts";
import type { Transaction } from "../../contract/transaction/transaction.ts";
import { isBeingCanceled, isNoop } from "../../contract/transaction/transaction-state.ts";
import type { Speed } from "../evm/fee-history.ts";
import { predict } from "../replacement/predict.ts";
import type { Prediction, ReplacementQuestion, WayOut } from "../replacement/prediction.ts";
import type { Finding, QueueEvidence, QueueStep } from "./diagnosis.ts";
import { priceText } from "./unsent.ts";

/** What a bump would come to, what helps, and what keeps a bump from working. */
export interface Bump {
  prediction: Prediction;
  steps: readonly QueueStep[];
  obstacle: Pick<Finding, "code" | "message" | "severity"> | undefined;
}

/**
 * Considers a bump of the head: the same transaction at a higher fee. If the cap or the market forbids it at the default
 * speed, the fastest one that works is taken.
 */
export function considerBump(record: Transaction, evidence: QueueEvidence): Bump {
  const speed = evidence.speed ?? "fastest";
  const prediction = predict(bumpOf(record, evidence, speed));
  const cancel = cancelSteps(record, evidence);
  const bump: QueueStep = { action: "bump", id: record.id, speed };
  if (!prediction.obstacle && needsGasLimit(record))
    return { prediction, steps: cancel, obstacle: { code: "no_gas_limit", severity: "fail", message: NO_GAS_LIMIT } };
  if (!prediction.obstacle) return { prediction, steps: [bump], obstacle: undefined };
  const ways = prediction.waysOut.flatMap((way) => stepFor(way, record, evidence));
  const slower = evidence.speed === undefined ? ways.find(({ action }) => action === "bump") : undefined;
  if (slower) return { prediction, steps: [slower], obstacle: undefined };
  // Services other than the real one may price otherwise.
  const isKnown = !evidence.isUndescribed && (evidence.isDemo === true || isServiceRecord(record, "evm"));
  const found = obstacleFinding(prediction);
  return {
    prediction,
    steps: [...(isKnown ? [] : [bump]), ...ways, ...cancel],
    obstacle: found && { ...found, severity: isKnown ? "fail" : "warn" },
  };
}

const NO_GAS_LIMIT = "its record has data and no gas limit: a bump would be signed with 21000 gas, and fail";

/** A cancellation in progress is bumped by a further one, which the service prices again (facts 5.5, 15.12). */
function bumpOf(record: Transaction, evidence: QueueEvidence, speed: Speed): ReplacementQuestion {
  const { to, value, data, gas_limit } = record;
  if (isBeingCanceled(record)) return cancellationOf(record, evidence);
  const body = { to, value: value as JsonValue, data, gas_limit: gas_limit as JsonValue, speed };
  return { ...surroundingsOf(record, evidence), change: "replace", body };
}

function cancellationOf(record: Transaction, evidence: QueueEvidence): ReplacementQuestion {
  return { ...surroundingsOf(record, evidence), change: "cancel" };
}

function surroundingsOf(record: Transaction, { cap, isUnraised, chain }: QueueEvidence) {
  const { market, baseFee, balance, waiting } = chain ?? {};
  const inPool = waiting?.knowsRecord === false ? (waiting.fees ?? null) : undefined;
  return { record, cap, isUnraised, market, baseFee, balance, waiting: inPool };
}

/** A record with data and no gas limit would be signed with 21000 (facts 5.4). */
function needsGasLimit({ data, gas_limit }: Transaction): boolean {
  return ![undefined, null, "", "0x"].includes(data) && wireAmount(gas_limit) === undefined;
}

/** Returns the cancellation, if one works: it is not capped (facts 15.1), and fails on some networks (facts 15.3). */
export function cancelSteps(record: Transaction, evidence: QueueEvidence): QueueStep[] {
  if (isBeingCanceled(record) || predict(cancellationOf(record, evidence)).obstacle) return [];
  return [{ action: "cancel", id: record.id, discards: !isNoop(record) }];
}

function stepFor(way: WayOut, { id }: Transaction, { speed = "fastest" }: QueueEvidence): QueueStep[] {
  switch (way.way) {
    case "raise-cap":
      return [{ action: "raise-cap", id, cap: way.cap, speed }];
    case "speed":
      return SPEEDS.includes(way.speed) ? [{ action: "bump", id, speed: way.speed }] : [];
    case "wait-for-market":
      return [{ action: "wait-for-market", needed: way.needed }];
    case "wait-for-price":
      return [{ action: "wait" }];
    case "fund":
      return [{ action: "fund", amount: way.amount }];
    case "cancel":
      return [];
  }
}

function obstacleFinding({ obstacle, cap }: Prediction): Pick<Finding, "code" | "message"> | undefined {
  switch (obstacle?.kind) {
    case "cap":
      return {
        code: "cap",
        message: `a bump would be accepted and never broadcast: gas_price_cap is ${priceText(cap ?? 0n)}, and ${priceText(obstacle.needed)} is needed`,
      };
    case "market":
      return {
        code: "market",
        message:
          "on this network the service raises no price, so a node refuses a bump until both fees of the market have risen by 10 %",
      };
    case "balance":
      return { code: "balance", message: `the balance does not cover a bump: ${obstacle.short} wei are missing` };
    case "unpriced":
      return { code: "unpriced", message: "the service has no price of its type to raise" };
    default:
      return undefined;
  }
}

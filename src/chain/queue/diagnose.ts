import { currencyOf, formatAmount, priceText, wireAmount } from "../../contract/amount.ts";
import type { JsonValue } from "../../contract/json.ts";
import { isServiceRecord } from "../../contract/service-record.ts";
import { SPEEDS, TRANSFER_GAS } from "../../contract/transaction/replacement-price.ts";
import { isNoopTx, isTxBeingCanceled, type Transaction, txStatus } from "../../contract/transaction/transaction.ts";
import type { Speed } from "../evm/fee-history.ts";
import { predictReplacement } from "../replacement/predict.ts";
import type { Prediction, ReplacementQuestion, WayOut } from "../replacement/prediction.ts";
import type { Cause, Diagnosis, Finding, QueueEvidence, QueueStep } from "./diagnosis.ts";
import { headCause, unsentReason } from "./head-cause.ts";
import { findHeadSlot, type Slots, slotGaps, slotNonce, slotsOf } from "./slots.ts";

interface Bump {
  prediction: Prediction;
  steps: readonly QueueStep[];
  obstacle: Pick<Finding, "code" | "message" | "severity"> | undefined;
}

/** Considers a bump of the head at the default speed, or the fastest if cap or market forbid that. */
function considerBump(record: Transaction, evidence: QueueEvidence): Bump {
  const speed = evidence.speed ?? "fastest";
  const prediction = predictReplacement(buildBump(record, evidence, speed));
  const cancel = cancelSteps(record, evidence);
  const bump: QueueStep = { action: "bump", id: record.id, speed };
  if (!prediction.obstacle && needsGasLimit(record))
    return { prediction, steps: cancel, obstacle: { code: "no_gas_limit", severity: "fail", message: NO_GAS_LIMIT } };
  if (!prediction.obstacle) return { prediction, steps: [bump], obstacle: undefined };
  const ways = prediction.waysOut.flatMap((way) => stepFor(way, record, evidence));
  const slower = evidence.speed === undefined ? ways.find(({ action }) => action === "bump") : undefined;
  if (slower) return { prediction, steps: [slower], obstacle: undefined };
  // Other services may price differently.
  const isKnown = !evidence.isUndescribed && (evidence.isDemo === true || isServiceRecord(record, "evm"));
  const found = obstacleFinding(prediction, evidence);
  return {
    prediction,
    steps: [...(isKnown ? [] : [bump]), ...ways, ...cancel],
    obstacle: found && { ...found, severity: isKnown ? "fail" : "warn" },
  };
}

const NO_GAS_LIMIT = `its record has data and no gas limit: a bump would be signed with ${TRANSFER_GAS} gas, and fail`;

/** A further cancellation bumps a cancellation in progress, since the service prices it again (facts 5.5, 15.12). */
function buildBump(record: Transaction, evidence: QueueEvidence, speed: Speed): ReplacementQuestion {
  const { to, value, data, gas_limit } = record;
  if (isTxBeingCanceled(record)) return buildCancellation(record, evidence);
  const body = { to, value: value as JsonValue, data, gas_limit: gas_limit as JsonValue, speed };
  return { ...conditionsFor(record, evidence), change: "replace", body };
}

function buildCancellation(record: Transaction, evidence: QueueEvidence): ReplacementQuestion {
  return { ...conditionsFor(record, evidence), change: "cancel" };
}

function conditionsFor(record: Transaction, { cap, isUnraised, chain }: QueueEvidence) {
  const { market, baseFee, balance, waiting } = chain ?? {};
  const inPool = waiting?.knowsRecord === false ? (waiting.fees ?? null) : undefined;
  return { record, cap, isUnraised, market, baseFee, balance, waiting: inPool };
}

/** A record with data and no gas limit would be signed with 21000 (facts 5.4). */
function needsGasLimit({ data, gas_limit }: Transaction): boolean {
  return ![undefined, null, "", "0x"].includes(data) && wireAmount(gas_limit) === undefined;
}

/** Returns the cancellation, if one works: it is not capped (facts 15.1), and fails on some networks (facts 15.3). */
function cancelSteps(record: Transaction, evidence: QueueEvidence): QueueStep[] {
  if (isTxBeingCanceled(record) || predictReplacement(buildCancellation(record, evidence)).obstacle) return [];
  return [{ action: "cancel", id: record.id, discards: !isNoopTx(record) }];
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

function obstacleFinding(
  { obstacle, cap }: Prediction,
  { symbol }: QueueEvidence,
): Pick<Finding, "code" | "message"> | undefined {
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
          "on this network the service raises no price, so a node refuses a bump until both fees of the market have risen by 10%",
      };
    case "balance":
      return {
        code: "balance",
        message: `the balance does not cover a bump: ${formatAmount(obstacle.short, currencyOf("evm", symbol))} is missing`,
      };
    case "unpriced":
      return { code: "unpriced", message: "the service has no price of its type to raise" };
    default:
      return undefined;
  }
}

/** Nonces are mined in order, so every step is about the transaction with the chain's next nonce. */
export function diagnoseEvidence(evidence: QueueEvidence): Diagnosis {
  const { chain, relayer } = evidence;
  const slots = slotsOf(evidence);
  const head = findHeadSlot(evidence, slots);
  const facts = { nonce: chain?.nonce, waiting: slots.open.length + slots.unnumbered.length };
  if (!head) {
    const findings = [...relayerFindings(evidence, "note"), ...noteFindings(evidence, slots)];
    return { ...facts, isStuck: false, head: undefined, findings, steps: [] };
  }
  const cause = headCause(head, evidence, slots);
  const { isStuck = true, remedy } = cause;
  const later = laterFindings(evidence, slots, head);
  const bump = remedy === "bump" && head.record ? considerBump(head.record, evidence) : undefined;
  const isRefused = (relayer.isPaused || relayer.isDisabled || !chain) && remedy !== "wait" && remedy !== "other-node";
  return {
    ...facts,
    isStuck: later.length > 0 || (isStuck === "unknown" ? undefined : isStuck),
    head: { ...head, prediction: bump?.prediction },
    findings: [
      ...headFindings(head, cause, bump),
      ...relayerFindings(evidence, isRefused ? "fail" : "note"),
      ...later,
      ...noteFindings(evidence, slots),
    ],
    steps: isRefused
      ? [evidence.relayer.isPaused ? { action: "resume" } : { action: "repair" }]
      : stepsFor(cause, head.record, evidence, bump),
  };
}

function headFindings(
  { nonce, record }: { nonce: bigint | undefined; record: Transaction | undefined },
  { code, message, isStuck = true }: Cause,
  bump: Bump | undefined,
): Finding[] {
  const at = { nonce, id: record?.id };
  const isCanceling = record && isTxBeingCanceled(record);
  return [
    { code, severity: isStuck === true ? "fail" : "note", message, ...at },
    ...(isCanceling ? [{ code: "canceling", severity: "note", message: CANCELING, ...at } as const] : []),
    ...(bump?.obstacle ? [{ ...bump.obstacle, ...at } as const] : []),
  ];
}

const CANCELING = "its cancellation is what waits, and what a bump speeds up";

function stepsFor(
  { remedy, short = 0n }: Cause,
  record: Transaction | undefined,
  evidence: QueueEvidence,
  bump: Bump | undefined,
): readonly QueueStep[] {
  switch (remedy) {
    case "bump":
      return bump?.steps ?? [];
    case "replace":
      return record ? [{ action: "replace-by-nothing", id: record.id }] : [];
    case "wait":
      return [{ action: "wait" }];
    case "fund":
      return [{ action: "fund", amount: short }, ...(record ? cancelSteps(record, evidence) : [])];
    case "restart":
      return [
        { action: "restart-service" },
        // Without a nonce it is canceled at once, and no worker is needed (facts 13.6).
        ...(record && slotNonce(record) === undefined
          ? ([{ action: "cancel", id: record.id, discards: true }] as const)
          : []),
      ];
    case "repair":
      return [{ action: "repair" }];
    case "other-node":
      return [{ action: "other-node", setting: evidence.nodeSetting }];
    case "none":
      return [];
  }
}

function relayerFindings({ relayer, chain }: QueueEvidence, severity: "fail" | "note"): Finding[] {
  const refuses = "and refuses replacements and cancellations";
  const found: Finding[] = [];
  if (relayer.isPaused) found.push({ code: "paused", severity, message: `the relayer is paused, ${refuses}` });
  if (relayer.isDisabled) found.push({ code: "disabled", severity, message: `the relayer is disabled, ${refuses}` });
  if (!chain) found.push({ code: "chain_unread", severity, message: CHAIN_UNREAD });
  return found;
}

const CHAIN_UNREAD = "the chain could not be asked, so that only the records count";

function noteFindings({ chain, counter }: QueueEvidence, { used, open }: Slots): Finding[] {
  const isOther = ({ id }: Transaction) => chain?.usedBy?.get(id) === "other";
  const shared = open.filter((record, index) => slotNonce(record) === slotNonce(open[index - 1] ?? { id: "" }));
  return [
    ...used.map(
      (record): Finding => ({
        ...{ code: "used", severity: "note", ...placeOf(record) },
        message: `the chain used its nonce${isOther(record) ? ", its hash is not in a block" : ""}, and its record still reads ${txStatus(record)}`,
      }),
    ),
    ...shared.map(
      (record): Finding => ({
        ...{ code: "shared_nonce", severity: "note", ...placeOf(record) },
        message: "another record has the same nonce: only one of them can be mined",
      }),
    ),
    ...(chain && counter !== undefined && counter < chain.nonce
      ? [
          {
            code: "counter_behind" as const,
            severity: "warn" as const,
            message: `the chain used nonces up to ${chain.nonce - 1n}, and the relayer assigns ${counter} next: its next transactions will be refused`,
            nonce: counter,
          },
        ]
      : []),
  ];
}

function placeOf(record: Transaction): Pick<Finding, "nonce" | "id"> {
  return { nonce: slotNonce(record), id: record.id };
}

function laterFindings(
  { chain, counter }: QueueEvidence,
  slots: Slots,
  head: { nonce: bigint | undefined },
): Finding[] {
  const first = head.nonce;
  if (first === undefined) return [];
  const last = slotNonce(slots.open.at(-1) ?? { id: "" }) ?? first;
  const gaps = slotGaps(slots, first + 1n, counter).filter((nonce) => nonce < last && isGap(chain, nonce));
  const unsignable = slots.open.filter(
    (record) => slotNonce(record) !== first && txStatus(record) === "pending" && unsentReason(record) !== undefined,
  );
  return [
    ...gaps.map(
      (nonce): Finding => ({ code: "gap", severity: "warn", message: "no open record has this nonce", nonce }),
    ),
    ...unsignable.map(
      (record): Finding => ({
        ...{ code: "unsignable", severity: "warn", ...placeOf(record) },
        message: `it can never be signed: ${unsentReason(record)}`,
      }),
    ),
  ];
}

/** A nonce that the node's pool holds, or that may be mined, is not a gap, whatever the records show. */
function isGap(chain: QueueEvidence["chain"], nonce: bigint): boolean {
  return chain?.delay === undefined && (chain?.pooled === undefined || nonce >= chain.pooled);
}

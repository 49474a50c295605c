import type { ForeseenBump } from "../../../chain/bump/foresee-bump.ts";
import { waitingText } from "../../../chain/queue/stuck-words.ts";
import { mostPerGas } from "../../../chain/replacement/fees.ts";
import { type Currency, priceText, wireAmount } from "../../../contract/amount.ts";
import { grouped } from "../../../contract/decimal.ts";
import { effectTexts } from "../../../contract/effect/texts.ts";
import type { JsonValue } from "../../../contract/json.ts";
import type { Transaction } from "../../../contract/transaction/transaction.ts";
import { aligned } from "../../../terminal/width.ts";
import { shownField } from "../../../views/transaction/body-rows.ts";
import { type ShownCall, withCall } from "../call/shown-call.ts";
import { feesText, newFeeRows } from "../replacement/prediction-words.ts";
import type { BumpPlan } from "./flags.ts";

export interface QuestionContext {
  coinOf(relayerId: string): Currency;
  /** How many pending transactions of the relayer have a higher nonce; undefined if unknown. */
  after(bump: ForeseenBump): number | undefined;
  isOneRelayer: boolean;
  /** The results of simulated bumps, in words. */
  outcomes: ReadonlyMap<ForeseenBump, string>;
}

const MOST_SHOWN = 20;

/** @param called the call of a single bump, if it is described */
export function questionLines(
  bumps: readonly ForeseenBump[],
  plan: BumpPlan,
  context: QuestionContext,
  called: ShownCall | undefined,
): string[] {
  const [first, ...more] = bumps;
  if (!first) return [];
  const shown = more.length === 0 ? oneBump(first, context, called) : manyBumps(bumps, context);
  return [...shown, ...boundLines(bumps, plan), ...effectLines(bumps), ...missingLines(bumps)];
}

function oneBump(bump: ForeseenBump, context: QuestionContext, called: ShownCall | undefined): string[] {
  const { record, prediction, baseFeeThen } = bump;
  const coin = context.coinOf(bump.relayerId);
  const { now, response, broadcast, cap, baseFee } = prediction;
  const kept = KEPT.filter((key) => (record[key] ?? null) !== null);
  const fields = kept.map((key) => [`  ${key.replaceAll("_", " ")}`, shownField(key, record[key], coin)]);
  return aligned([
    ...withCall(fields, called),
    ...(now ? [["  fee now", feesText(now)]] : []),
    ...newFeeRows(response, broadcast, bump.question.market !== undefined || bump.question.change === "cancel"),
    ...capRows(cap, bump),
    ...(baseFee === undefined ? [] : [["  base fee", baseFeeText(baseFee, baseFeeThen)]]),
    ...queueRows(bump, context),
    ...simulatedRows(bump, context),
  ]);
}

const KEPT = ["to", "value", "data", "gas_limit", "nonce"];

function capRows(cap: bigint | undefined, { surroundings, request, raisedCap }: ForeseenBump): string[][] {
  if (raisedCap) return [["  cap", `${priceText(raisedCap.from)}, raised to ${priceText(raisedCap.to)}`]];
  if (!surroundings.chain.relayer) return [];
  if (request.change === "cancel") return [["  cap", "does not apply to a cancellation"]];
  return [["  cap", cap === undefined ? "none" : priceText(cap)]];
}

function baseFeeText(baseFee: bigint, then: bigint | undefined): string {
  return then === undefined ? priceText(baseFee) : `${priceText(baseFee)} (${priceText(then)} when it was sent)`;
}

function queueRows(bump: ForeseenBump, { after }: QuestionContext): string[][] {
  const { ahead } = bump;
  const waiting = after(bump);
  const before = ahead !== undefined && ahead > 0n ? [["  waits for", `${count(ahead)} with a lower nonce`]] : [];
  return [...before, ...(waiting === undefined ? [] : [["  queue", waitingText(BigInt(waiting))]])];
}

function simulatedRows(bump: ForeseenBump, { outcomes }: QuestionContext): string[][] {
  const outcome = outcomes.get(bump);
  return outcome === undefined ? [] : [["  simulated", outcome]];
}

function count(number: number | bigint): string {
  return `${number} ${BigInt(number) === 1n ? "transaction" : "transactions"}`;
}

const HEADERS = ["  nonce", "id", "value", "fee now", "new fee, at least", "base fee then", "wait behind it"];

function manyBumps(bumps: readonly ForeseenBump[], context: QuestionContext): string[] {
  const rows = bumps.slice(0, MOST_SHOWN).map((bump) => listRows(bump, context));
  const more = bumps.length - rows.length;
  return [
    ...aligned([HEADERS, ...rows]),
    ...(more > 0 ? [`  and ${grouped(more)} more`] : []),
    ...relayerLines(bumps, context.isOneRelayer),
  ];
}

function listRows(bump: ForeseenBump, { coinOf, after, isOneRelayer }: QuestionContext): string[] {
  const { relayerId, record, prediction, baseFeeThen } = bump;
  const least = prediction.broadcast ?? prediction.response;
  return [
    `  ${String(record.nonce ?? "–")}`,
    isOneRelayer ? record.id : `${relayerId}/${record.id}`,
    bump.request.change === "cancel" ? "cancellation" : shownField("value", record.value, coinOf(relayerId)),
    prediction.now ? priceText(mostPerGas(prediction.now)) : "–",
    least ? priceText(mostPerGas(least)) : "–",
    baseFeeThen === undefined ? "–" : priceText(baseFeeThen),
    String(after(bump) ?? "–"),
  ];
}

function relayerLines(bumps: readonly ForeseenBump[], isOneRelayer: boolean): string[] {
  const firsts = new Map(bumps.map((bump) => [bump.relayerId, bump]));
  return [...firsts.values()].map(({ relayerId, prediction: { cap, baseFee } }) => {
    const facts = [
      `cap ${cap === undefined ? "none" : priceText(cap)}`,
      ...(baseFee === undefined ? [] : [`base fee ${priceText(baseFee)}`]),
    ];
    return `  ${isOneRelayer ? "" : `${relayerId}: `}${facts.join(", ")}`;
  });
}

function boundLines(bumps: readonly ForeseenBump[], { repetition, maxFee }: BumpPlan): string[] {
  const most = maxFee === undefined ? undefined : priceText(maxFee);
  const guarantee = [`only the relayer's cap can guarantee the highest fee: ${capsText(bumps)}`];
  if (!repetition)
    return most === undefined ? [] : [`no bump is sent that is predicted to pay more than ${most}`, ...guarantee];
  const { every, times } = repetition;
  const often = times === 1 ? "once" : `again every ${secondsText(every)}, ${times} times at most`;
  const limit = most === undefined ? "" : `, while the prediction is ${most} or less`;
  return [`${times === 1 ? "bumped" : "bumped now, and"} ${often}, until mined${limit}`, ...guarantee];
}

function capsText(bumps: readonly ForeseenBump[]): string {
  const caps = new Set(bumps.map(({ prediction: { cap } }) => (cap === undefined ? "none is set" : priceText(cap))));
  return [...caps].join(", ");
}

function secondsText(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  return seconds >= 60 && seconds % 60 === 0 ? `${seconds / 60}m` : `${seconds}s`;
}

function effectLines(bumps: readonly ForeseenBump[]): string[] {
  const cancellations = bumps.filter(({ request }) => request.change === "cancel").length;
  const all = bumps.length;
  const which = all === 1 ? "the transaction is" : `${cancellations} of ${all} are`;
  return [
    ...(cancellations === 0 ? [] : [`${which} being canceled: the cancellation is bumped, not the transfer`]),
    ...(cancellations === all ? [effectTexts.mayBeMined] : [`the earlier version ${effectTexts.staysValid}`]),
  ];
}

function missingLines(bumps: readonly ForeseenBump[]): string[] {
  const missing = new Set(bumps.flatMap(({ surroundings }) => surroundings.missing));
  return [...missing].map((words) => `not all of the chain could be read: ${words}`);
}

/** Sorts by nonce, lowest first; transactions without one come last. */
export function byNonce(one: Transaction, other: Transaction): number {
  const [a, b] = [getNonce(one.nonce), getNonce(other.nonce)];
  return a < b ? -1 : a > b ? 1 : 0;
}

const LAST = 2n ** 64n;

function getNonce(nonce: JsonValue | undefined): bigint {
  return wireAmount(nonce) ?? LAST;
}

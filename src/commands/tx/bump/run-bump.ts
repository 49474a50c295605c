import type { ForeseenBump } from "../../../chain/bump/foresee-bump.ts";
import { bumpWithRaisedCap } from "../../../chain/bump/send-bump.ts";
import { stuckWaitingText } from "../../../chain/queue/stuck-words.ts";
import { mostFeePerGas } from "../../../chain/replacement/fees.ts";
import { bulkFailure, type Completed, runAll } from "../../../client/bulk/run-all.ts";
import { type ApiRequest, apiRequest } from "../../../client/request.ts";
import { respellForRecord } from "../../../client/respell.ts";
import { relayerCoinSymbol, symbolFor } from "../../../coins/coin-symbol.ts";
import { agreeToWrites, firstSetQuestion } from "../../../command-support/bulk/writes.ts";
import { type DiffFlag, isDryRun } from "../../../command-support/shown.ts";
import { type Currency, currencyOf, isPositive, priceText, wireAmount } from "../../../contract/amount.ts";
import { groupDigits } from "../../../contract/decimal.ts";
import { effectTexts } from "../../../contract/effect/texts.ts";
import type { JsonValue } from "../../../contract/json.ts";
import { operations } from "../../../contract/operations.ts";
import { isPending, type Transaction } from "../../../contract/transaction/transaction.ts";
import type { RelayctlError } from "../../../errors.ts";
import { exceededLimits } from "../../../limits/exceeded-limits.ts";
import type { Message, Row } from "../../../message.ts";
import { gasCapText, restoringCommand } from "../../../recovery/restore-cap.ts";
import { receiptWords } from "../../../session/receipt-words.ts";
import type { Session } from "../../../session/session.ts";
import { commandLine } from "../../../shell/shell-words.ts";
import { type Ending, type ListView, listFrom, type Page, type View } from "../../../terminal/view.ts";
import { alignWidths } from "../../../terminal/width.ts";
import { labelOf, shownBodyField } from "../../../views/transaction/body-rows.ts";
import { newestTransactions } from "../../../views/transaction/newest.ts";
import { transactionViewIn } from "../../../views/transaction/record.ts";
import { drawsSymbol } from "../../coins/drawn-symbol.ts";
import type { Call } from "../../command.ts";
import { type ShownCall, shownCall, withShownCall } from "../call/shown-call.ts";
import { type Manner, typedManner } from "../manner.ts";
import { checkByRelayer, checkRelayerCoin } from "../relayer-check.ts";
import { predictedFeeRows, predictedFeesText } from "../replacement/prediction-words.ts";
import type { WaitPlan } from "../wait/flags.ts";
import { type BumpFlags, type BumpPlan, type BumpTargets, type ReadTarget, readNamedBumps } from "./flags.ts";
import { bumpHeadFirst, chooseBumps, foreseeBumps, isBumpForeseen } from "./refusal.ts";
import { type Bumped, type BumpSending, bumpOne, bumpView, followedBump } from "./send-bump.ts";

/** The newest transactions of a relayer among which those after a bump are counted. */
const COUNTED = 100;

async function questionContext(
  session: Session,
  bumps: readonly ForeseenBump[],
): Promise<Omit<QuestionContext, "outcomes">> {
  const symbols = new Map<string, string | undefined>();
  const pending = new Map<string, bigint[] | undefined>();
  for (const bump of bumps) {
    const { relayerId, record } = bump;
    const { relayer } = bump.surroundings.chain;
    if (relayer && isPositive(record.value) && !symbols.has(relayerId))
      symbols.set(relayerId, await symbolFor(session, relayer));
    if (pending.has(relayerId)) continue;
    const newest = await newestTransactions(session.client, relayerId, COUNTED);
    pending.set(
      relayerId,
      newest?.filter(isPending).flatMap(({ nonce }) => wireAmount(nonce) ?? []),
    );
  }
  return {
    coinOf: (relayerId) => currencyOf("evm", symbols.get(relayerId)),
    after({ relayerId, record }) {
      const nonce = wireAmount(record.nonce);
      return nonce === undefined ? undefined : pending.get(relayerId)?.filter((each) => each > nonce).length;
    },
    isOneRelayer: new Set(bumps.map(({ relayerId }) => relayerId)).size === 1,
  };
}

export interface Bumping extends BumpPlan {
  named: BumpTargets;
}

export async function runBump(call: Call<BumpFlags & DiffFlag>, bumping: Bumping): Promise<View> {
  const session = await call.session();
  const manner = typedManner(call);
  const isShownOnly = isDryRun(call);
  const act = actWords(bumping);
  if (!isShownOnly) firstSetQuestion(call, session, { act, title: "" });
  const targets = await readTargets(session, bumping, !isShownOnly);
  const plan = await planBumps(session, bumping, targets, manner);
  const asked = { title: bumpTitle(plan.bumps), act, exceeded: await beyondLimits(session, plan.bumps, bumping) };
  const isAsked = !isShownOnly && firstSetQuestion(call, session, asked) !== undefined;
  const isDiff = call.flags.diff === true;
  const heads = headLines(plan.bumps, session.flags);
  const described =
    isShownOnly || isAsked || isDiff
      ? await describeBumps(session, bumping, { ...plan, ...asked }, manner.isDescribed)
      : [];
  const lines = [...heads, ...described];
  const view = await agreeToWrites(call, session, {
    ...asked,
    requests: plan.bumps.flatMap((bump) => requestsFor(bump, bumping.raising?.isKept)),
    lines,
    preview: lines,
    unasked: isDiff ? lines : heads,
  });
  return view ?? (await sendBumps(call, { ...bumping, session, isOneOfMany: plan.bumps.length > 1 }, plan.bumps));
}

/** Returns the transactions, lowest nonce first. @param sends whether a wait that follows must be possible */
async function readTargets(session: Session, { named, wait }: Bumping, sends: boolean): Promise<readonly ReadTarget[]> {
  const read = await readNamedBumps(session, named, wait !== undefined);
  const targets = [...read].sort((one, other) => byNonce(one.record, other.record));
  if (!wait || !sends) return targets;
  const { requireWaitable } = await import("../wait/wait-for.ts");
  for (const relayerId of new Set(targets.map((target) => target.relayerId)))
    await requireWaitable(session, relayerId, wait);
  return targets;
}

/** Predicts, chooses, and simulates the bumps, and notes what is left out. @throws RelayctlError of a refusal */
async function planBumps(
  session: Session,
  { named, raising, maxFee, ...bumping }: Bumping,
  targets: readonly ReadTarget[],
  { isForced, simulating }: Manner,
): Promise<{ bumps: readonly ForeseenBump[]; outcomes: QuestionContext["outcomes"] }> {
  const foreseen = await foreseeBumps(session, bumping, targets);
  const raised = raising
    ? foreseen.map((each) => (isBumpForeseen(each) ? bumpWithRaisedCap(each, maxFee) : each))
    : foreseen;
  const isStuck = "stuckOf" in named;
  const { bumps } = await sayingLines(
    session,
    chooseBumps(raised, { session: session.flags, maxFee }, { isStuck, isForced }),
  );
  if (!simulating) return { bumps, outcomes: new Map() };
  const { simulateBumps } = await import("../simulation/simulate-call.ts");
  return await sayingLines(session, await simulateBumps(session, bumps, { simulating, isStuck }));
}

async function sayingLines<T extends { lines: readonly Message[]; refusal?: RelayctlError | undefined }>(
  { say }: Session,
  result: T,
): Promise<T> {
  for (const line of result.lines) await say(line);
  if (result.refusal) throw result.refusal;
  return result;
}

/** Returns a note about each relayer whose next transaction in line is not bumped. The bumps are sorted by nonce. */
function headLines(bumps: readonly ForeseenBump[], flags: readonly string[]): { note: string }[] {
  const firsts = new Map([...bumps].reverse().map((bump) => [bump.relayerId, bump]));
  return [...firsts.values()].flatMap((bump) => bumpHeadFirst(bump, flags)).map((words) => ({ note: words }));
}

interface Described extends Pick<QuestionContext, "outcomes"> {
  bumps: readonly ForeseenBump[];
  title: string;
  exceeded: readonly string[];
}

async function describeBumps(
  session: Session,
  bumping: Bumping,
  { bumps, outcomes, title, exceeded }: Described,
  showsCall: boolean,
): Promise<Message[]> {
  const context = { ...(await questionContext(session, bumps)), outcomes };
  const [first, ...more] = bumps;
  const called = showsCall && first && more.length === 0 ? await shownCall(session, first.record) : undefined;
  const isRecorded = bumping.raising !== undefined && (await session.journal()) !== undefined;
  return [
    `${title} in ${session.name}`,
    ...questionLines(bumps, bumping, context, called),
    ...raisedCapLines(bumps, bumping, { flags: session.flags, isRecorded }),
    ...exceeded,
  ];
}

function actWords({ named }: Bumping): string {
  if ("stuckOf" in named) return "bumping stuck transactions";
  const count = "records" in named ? named.records.length : named.targets.length;
  return count === 1 ? "bumping a transaction" : `bumping ${groupDigits(count)} transactions`;
}

function bumpTitle(bumps: readonly ForeseenBump[]): string {
  const relayers = [...new Set(bumps.map(({ relayerId }) => relayerId))];
  const of = relayers.length === 1 ? relayers[0] : `${groupDigits(relayers.length)} relayers`;
  const [first] = bumps;
  return bumps.length === 1
    ? `bump transaction ${first?.record.id} of ${of}`
    : `bump ${groupDigits(bumps.length)} transactions of ${of}`;
}

async function beyondLimits(session: Session, bumps: readonly ForeseenBump[], { coins }: BumpPlan): Promise<string[]> {
  const lines: string[] = [];
  for (const { relayerId, record, request, surroundings } of bumps) {
    const { relayer } = surroundings.chain;
    if (relayer) await checkRelayerCoin(session, relayer, { coins, relayerId });
    if (request.change === "cancel") continue;
    const sending = {
      relayerId,
      kind: "evm" as const,
      body: request.body,
      coins: [],
      sourceOf: (path: string) => `the transaction's ${path}`,
    };
    if (relayer) checkByRelayer(relayer, sending, session.flags);
    const replaces = { id: record.id, before: record };
    lines.push(...(await exceededLimits(session, { ...sending, relayer, replaces })));
  }
  return [...new Set(lines)];
}

function requestsFor(bump: ForeseenBump, isKept = false): ApiRequest[] {
  const { relayerId, raisedCap } = bump;
  if (!raisedCap) return [requestFor(bump)];
  const capRequest = (cap: bigint) =>
    apiRequest("relayers.update", { relayer_id: relayerId }, { policies: { gas_price_cap: cap } });
  const restoring = isKept ? [] : [capRequest(raisedCap.from)];
  return [capRequest(raisedCap.to), requestFor(bump), ...restoring];
}

function requestFor({ relayerId, record, request }: ForeseenBump): ApiRequest {
  const parameters = { relayer_id: relayerId, transaction_id: record.id };
  if (request.change === "cancel") return { operation: operations["tx.cancel"], parameters };
  return respellForRecord({ operation: operations["tx.replace"], parameters, body: request.body }, record);
}

function raisedCapLines(
  bumps: readonly ForeseenBump[],
  { raising, repetition, maxFee }: BumpPlan,
  { flags, isRecorded }: { flags: readonly string[]; isRecorded: boolean },
): string[] {
  const caps = new Map<string, { from: bigint; to: bigint }>();
  for (const { relayerId, raisedCap } of bumps) {
    const to = caps.get(relayerId)?.to ?? 0n;
    if (raisedCap && raisedCap.to > to) caps.set(relayerId, raisedCap);
  }
  if (!raising || caps.size === 0) return [];
  const most = maxFee === undefined ? "" : `, to ${gasCapText(maxFee)} at most`;
  return [...caps].flatMap(([relayerId, { from, to }]) => [
    `gas_price_cap of ${relayerId} is raised from ${gasCapText(from)} to ${gasCapText(to)}${raising.isKept ? ", and stays raised" : ` until the bump is on its way`}`,
    `other transactions of ${relayerId} may pay up to ${gasCapText(to)}${raising.isKept ? "" : " meanwhile"}`,
    ...(repetition && repetition.times > 1 ? [`further bumps raise it as far as they need${most}`] : []),
    ...(raising.isKept || isRecorded
      ? []
      : [
          `no journal is kept: if this process is killed, the cap stays raised; restore it with: ${restoringCommand(flags, { relayerId, from })}`,
        ]),
  ]);
}

async function sendBumps(call: Call, sending: BumpSending, bumps: readonly ForeseenBump[]): Promise<View> {
  const { session, wait, repetition } = sending;
  if (repetition) {
    const { bumpUntilMined } = await import("./until-mined.ts");
    return await bumpUntilMined(call, { ...sending, repetition }, bumps);
  }
  const draws = drawsSymbol(call);
  const [first, ...more] = bumps;
  if (first && more.length === 0) {
    const bumped = await bumpOne(first, sending);
    const view = await bumpView(session, bumped, { isFollowed: wait !== undefined, drawsAmounts: draws });
    return wait ? await followOne(call, view, bumped, wait) : view;
  }
  const jobs = bumps.map((bump) => ({ id: bump.record.id, run: () => bumpOne(bump, sending) }));
  const endsAll = ({ failure }: { failure: string }) => failure === "rate_limited";
  const completed = await runAll(jobs, { concurrency: 1, interrupt: session.interrupt, endsAll }).done;
  const view = await manyView(bumps, completed, sending, draws);
  if (!wait) return view;
  const targets = completed.flatMap(({ value }) => (value ? [followedBump(value)] : []));
  const { waitForMany } = await import("../wait/wait-for.ts");
  return await waitForMany(call, view, { targets, plan: wait });
}

async function followOne(call: Call, view: View, { bump, data }: Bumped, plan: WaitPlan): Promise<View> {
  const { relayerId, record: before, request } = bump;
  const { waitForWrite } = await import("../wait/wait-for.ts");
  const wanted = request.change === "cancel" ? "cancellation" : "version";
  // Another command may have replaced or canceled it since: then the newest record shows that version.
  return await waitForWrite(call, view, { relayerId, plan, before, wanted, requested: data });
}

async function manyView(
  bumps: readonly ForeseenBump[],
  completed: readonly Completed<Bumped>[],
  { session, wait }: BumpSending,
  drawsAmounts: boolean,
): Promise<ListView> {
  const { name, flags, interrupt } = session;
  const [only = "", ...others] = new Set(bumps.map(({ relayerId }) => relayerId));
  const isOne = others.length === 0;
  const isDrawn = drawsAmounts && isOne && bumps.some(({ record }) => isPositive(record.value));
  const symbol = isDrawn ? await relayerCoinSymbol(session, only, undefined) : undefined;
  const accepted = completed.flatMap(({ value }) => value ?? []);
  const next = commandLine(...flags, "tx", "wait", only, ...accepted.map(({ bump }) => bump.record.id));
  const judged = completed.map((each) => (each.value?.failure ? { id: each.id, error: each.value.failure } : each));
  const failure = bulkFailure(wait ? completed : judged, "transactions", interrupt, { isRepeatable: false });
  const sent = accepted.filter(({ broadcast: { state } }) => state === "on_its_way" || state === "over").length;
  const ending: Ending = {
    ...(accepted.length > 0 && { receipt: [receiptWords.bumps(name, [accepted.length, bumps.length, sent])] }),
    ...(isOne && accepted.length > 0 && !wait && { next: [{ follow: next }] }),
    failure,
  };
  const pages = onePage(accepted);
  const more = { nothing: null, isChange: true, ending: async () => ending } as const;
  return listFrom(
    { name, flags },
    transactionViewIn(() => symbol),
    pages,
    more,
  );
}

async function* onePage(accepted: readonly Bumped[]): AsyncGenerator<Page> {
  for (const { broadcast, body } of accepted) yield { items: [broadcast.record], total: undefined, body };
}

interface QuestionContext {
  coinOf(relayerId: string): Currency;
  /** How many pending transactions of the relayer have a higher nonce; undefined if unknown. */
  after(bump: ForeseenBump): number | undefined;
  isOneRelayer: boolean;
  /** The results of simulated bumps, in words. */
  outcomes: ReadonlyMap<ForeseenBump, string>;
}

const MOST_SHOWN = 20;

/** @param called the call of a single bump, if it is described */
function questionLines(
  bumps: readonly ForeseenBump[],
  plan: BumpPlan,
  context: QuestionContext,
  called: ShownCall | undefined,
): Message[] {
  const [first, ...more] = bumps;
  if (!first) return [];
  const shown = more.length === 0 ? oneBump(first, context, called) : manyBumps(bumps, context);
  return [...shown, ...boundLines(bumps, plan), ...effectLines(bumps), ...missingLines(bumps)];
}

function oneBump(bump: ForeseenBump, context: QuestionContext, called: ShownCall | undefined): Row[] {
  const { record, prediction, baseFeeThen } = bump;
  const coin = context.coinOf(bump.relayerId);
  const { now, response, broadcast, cap, baseFee } = prediction;
  const kept = KEPT.filter((key) => (record[key] ?? null) !== null);
  const fields = kept.map((key) => [labelOf(key), shownBodyField(key, record[key], coin)]);
  return alignWidths([
    ...withShownCall(fields, called),
    ...(now ? [["fee now", predictedFeesText(now)]] : []),
    ...predictedFeeRows(response, broadcast, bump.question.market !== undefined || bump.question.change === "cancel"),
    ...capRows(cap, bump),
    ...(baseFee === undefined ? [] : [["base fee", baseFeeText(baseFee, baseFeeThen)]]),
    ...queueRows(bump, context),
    ...simulatedRows(bump, context),
  ]);
}

const KEPT = ["to", "value", "data", "gas_limit", "nonce"];

function capRows(cap: bigint | undefined, { surroundings, request, raisedCap }: ForeseenBump): string[][] {
  if (raisedCap) return [["cap", `${priceText(raisedCap.from)}, raised to ${priceText(raisedCap.to)}`]];
  if (!surroundings.chain.relayer) return [];
  if (request.change === "cancel") return [["cap", "does not apply to a cancellation"]];
  return [["cap", cap === undefined ? "none" : priceText(cap)]];
}

function baseFeeText(baseFee: bigint, then: bigint | undefined): string {
  return then === undefined ? priceText(baseFee) : `${priceText(baseFee)} (${priceText(then)} when it was sent)`;
}

function queueRows(bump: ForeseenBump, { after }: QuestionContext): string[][] {
  const { ahead } = bump;
  const waiting = after(bump);
  const before =
    ahead !== undefined && ahead > 0n ? [["waits for", `${countTransactions(ahead)} with a lower nonce`]] : [];
  return [...before, ...(waiting === undefined ? [] : [["queue", stuckWaitingText(BigInt(waiting))]])];
}

function simulatedRows(bump: ForeseenBump, { outcomes }: QuestionContext): string[][] {
  const outcome = outcomes.get(bump);
  return outcome === undefined ? [] : [["simulated", outcome]];
}

function countTransactions(number: number | bigint): string {
  return `${number} ${BigInt(number) === 1n ? "transaction" : "transactions"}`;
}

const HEADERS = ["nonce", "id", "value", "fee now", "new fee, at least", "base fee then", "wait behind it"];

function manyBumps(bumps: readonly ForeseenBump[], context: QuestionContext): Message[] {
  const rows = bumps.slice(0, MOST_SHOWN).map((bump) => bumpCells(bump, context));
  const more = bumps.length - rows.length;
  return [
    ...alignWidths([HEADERS, ...rows]),
    ...(more > 0 ? [`  and ${groupDigits(more)} more`] : []),
    ...relayerLines(bumps, context.isOneRelayer),
  ];
}

function bumpCells(bump: ForeseenBump, { coinOf, after, isOneRelayer }: QuestionContext): string[] {
  const { relayerId, record, prediction, baseFeeThen } = bump;
  const least = prediction.broadcast ?? prediction.response;
  return [
    String(record.nonce ?? "–"),
    isOneRelayer ? record.id : `${relayerId}/${record.id}`,
    bump.request.change === "cancel" ? "cancellation" : shownBodyField("value", record.value, coinOf(relayerId)),
    prediction.now ? priceText(mostFeePerGas(prediction.now)) : "–",
    least ? priceText(mostFeePerGas(least)) : "–",
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
function byNonce(one: Transaction, other: Transaction): number {
  const [a, b] = [nonceOrder(one.nonce), nonceOrder(other.nonce)];
  return a < b ? -1 : a > b ? 1 : 0;
}

const LAST = 2n ** 64n;

function nonceOrder(nonce: JsonValue | undefined): bigint {
  return wireAmount(nonce) ?? LAST;
}

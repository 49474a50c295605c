import type { ForeseenBump } from "../../../chain/bump/foresee-bump.ts";
import { withRaisedCap } from "../../../chain/bump/send-bump.ts";
import { failureOfMany } from "../../../client/bulk/failure.ts";
import { type Completed, runAll } from "../../../client/bulk/run-all.ts";
import { type ApiRequest, apiRequest } from "../../../client/request.ts";
import { spelledFor } from "../../../client/respell.ts";
import { symbolFor } from "../../../coins/symbol-for.ts";
import { agreeToWrites, setQuestion } from "../../../command-support/bulk/writes.ts";
import { checkConsent } from "../../../command-support/consent/consent.ts";
import { type DiffFlag, isShown } from "../../../command-support/shown.ts";
import { currencyOf, isPositive, wireAmount } from "../../../contract/amount.ts";
import { grouped } from "../../../contract/decimal.ts";
import { operations } from "../../../contract/operations.ts";
import { isPending } from "../../../contract/transaction/transaction.ts";
import { capText, restoringCommand } from "../../../recovery/restore-cap.ts";
import { receiptWords } from "../../../session/receipt-words.ts";
import type { Session } from "../../../session/session.ts";
import { commandLine } from "../../../shell/shell-words.ts";
import { type Ending, type ListView, listFrom, type Page, type View } from "../../../terminal/view.ts";
import { newestTransactions } from "../../../views/transaction/newest.ts";
import { transactionViewIn } from "../../../views/transaction/record.ts";
import { drawnSymbol } from "../../coins/drawn-symbol.ts";
import type { Call } from "../../command.ts";
import { shownCall } from "../call/shown-call.ts";
import { exceededLimits } from "../limits.ts";
import { refuseOtherCoin, validateByRelayer } from "../relayer-check.ts";
import { isBumpSimulated } from "../simulation/flags.ts";
import type { WaitPlan } from "../wait/flags.ts";
import { type BumpFlags, type BumpPlan, type BumpTargets, type ReadTarget, readNamed } from "./flags.ts";
import { byNonce, type QuestionContext, questionLines } from "./question.ts";
import { chooseBumps, headFirst, isForeseen, planBumps } from "./refusal.ts";
import { type Bumped, type BumpSending, bumpOne, followedBump, oneView } from "./send-bump.ts";

/** The newest transactions of a relayer among which those after a bump are counted. */
const COUNTED = 100;

async function questionContext(
  call: Call,
  { client }: Session,
  bumps: readonly ForeseenBump[],
): Promise<Omit<QuestionContext, "outcomes">> {
  const symbols = new Map<string, string | undefined>();
  const pending = new Map<string, bigint[] | undefined>();
  for (const bump of bumps) {
    const { relayerId, record } = bump;
    const { relayer } = bump.surroundings.chain;
    if (relayer && isPositive(record.value) && !symbols.has(relayerId))
      symbols.set(relayerId, await symbolFor(call, relayer));
    if (pending.has(relayerId)) continue;
    const newest = await newestTransactions(client, relayerId, COUNTED);
    pending.set(
      relayerId,
      newest?.filter(isPending).flatMap(({ nonce }) => wireAmount(nonce) ?? []),
    );
  }
  const [first] = bumps.length === 1 ? bumps : [];
  return {
    calls: await shownCall(call, first?.record ?? {}),
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
  const { named, wait, raising, maxFee } = bumping;
  const act = getAct(bumping);
  if (!isShown(call)) checkConsent(call, setQuestion(session, { act, title: "" }));
  const read = await readNamed(call, session, named, wait !== undefined);
  const targets = [...read].sort((one, other) => byNonce(one.record, other.record));
  if (wait && !isShown(call)) await requireReachable(call, wait, targets);
  const planned = await planBumps(call, session, bumping, targets);
  const raised = raising ? planned.map((each) => (isForeseen(each) ? withRaisedCap(each, maxFee) : each)) : planned;
  const isStuck = "stuckOf" in named;
  const chosen = await chooseBumps(call, session, raised, { maxFee, isStuck });
  const { bumps, outcomes } = await simulated(call, chosen, isStuck);
  const asked = { title: formatTitle(bumps), act, exceeded: await beyondLimits(call, session, bumps, bumping) };
  const isAsked = !isShown(call) && checkConsent(call, setQuestion(session, asked)) === "to ask";
  const isDescribed = isShown(call) || isAsked || call.flags.diff === true;
  const heads = headLines(bumps, session.flags);
  const described = isDescribed ? await describe(call, session, { bumping, bumps, outcomes, ...asked }) : [];
  const lines = [...heads, ...described];
  const view = await agreeToWrites(call, session, {
    ...asked,
    requests: bumps.flatMap((bump) => requestsFor(bump, raising?.isKept)),
    lines,
    preview: lines,
    unasked: call.flags.diff ? lines : heads,
  });
  return view ?? (await sendBumps(call, session, bumping, bumps));
}

/** Returns a note about each relayer whose next transaction in line is not bumped. The bumps are sorted by nonce. */
function headLines(bumps: readonly ForeseenBump[], flags: readonly string[]): { note: string }[] {
  const firsts = new Map([...bumps].reverse().map((bump) => [bump.relayerId, bump]));
  return [...firsts.values()].flatMap((bump) => headFirst(bump, flags)).map((words) => ({ note: words }));
}

interface Described extends Pick<QuestionContext, "outcomes"> {
  bumping: Bumping;
  bumps: readonly ForeseenBump[];
  title: string;
  exceeded: readonly string[];
}

async function describe(call: Call, session: Session, { bumping, bumps, outcomes, title, exceeded }: Described) {
  const isRecorded = bumping.raising !== undefined && (await session.journal()) !== undefined;
  return [
    `${title} in ${session.name}`,
    ...questionLines(bumps, bumping, { ...(await questionContext(call, session, bumps)), outcomes }),
    ...raisedCapLines(bumps, bumping, { flags: session.flags, isRecorded }),
    ...exceeded,
  ];
}

async function simulated(call: Call<BumpFlags>, bumps: readonly ForeseenBump[], isStuck: boolean) {
  if (!bumps.some(({ request: { body } }) => body && isBumpSimulated(call, body.data)))
    return { bumps, outcomes: new Map<ForeseenBump, string>() };
  const { simulateBumps } = await import("../simulation/simulate-call.ts");
  return await simulateBumps(call, bumps, isStuck);
}

function getAct({ named }: Bumping): string {
  if ("stuckOf" in named) return "bumping stuck transactions";
  const count = "records" in named ? named.records.length : named.targets.length;
  return count === 1 ? "bumping a transaction" : `bumping ${grouped(count)} transactions`;
}

function formatTitle(bumps: readonly ForeseenBump[]): string {
  const relayers = [...new Set(bumps.map(({ relayerId }) => relayerId))];
  const of = relayers.length === 1 ? relayers[0] : `${grouped(relayers.length)} relayers`;
  const [first] = bumps;
  return bumps.length === 1
    ? `bump transaction ${first?.record.id} of ${of}`
    : `bump ${grouped(bumps.length)} transactions of ${of}`;
}

async function requireReachable(call: Call, wait: WaitPlan, targets: readonly ReadTarget[]): Promise<void> {
  const afterWrite = await import("../wait/wait-for.ts");
  for (const relayerId of new Set(targets.map((target) => target.relayerId)))
    await afterWrite.requireReachable(call, relayerId, wait);
}

async function beyondLimits(
  call: Call,
  { flags }: Session,
  bumps: readonly ForeseenBump[],
  { coins }: BumpPlan,
): Promise<string[]> {
  const lines: string[] = [];
  for (const { relayerId, record, request, surroundings } of bumps) {
    const { relayer } = surroundings.chain;
    if (relayer) await refuseOtherCoin(call, relayer, { coins, relayerId });
    if (request.change === "cancel") continue;
    const sending = {
      relayerId,
      kind: "evm" as const,
      body: request.body,
      coins: [],
      sourceOf: (path: string) => `the transaction's ${path}`,
    };
    if (relayer) validateByRelayer(relayer, sending, flags);
    const replaces = { id: record.id, before: record };
    lines.push(...(await exceededLimits(call, { ...sending, relayer, replaces })));
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
  return spelledFor({ operation: operations["tx.replace"], parameters, body: request.body }, record);
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
  const most = maxFee === undefined ? "" : `, to ${capText(maxFee)} at most`;
  return [...caps].flatMap(([relayerId, { from, to }]) => [
    `gas_price_cap of ${relayerId} is raised from ${capText(from)} to ${capText(to)}${raising.isKept ? ", and stays raised" : ` until the bump is on its way`}`,
    `other transactions of ${relayerId} may pay up to ${capText(to)}${raising.isKept ? "" : " meanwhile"}`,
    ...(repetition && repetition.times > 1 ? [`further bumps raise it as far as they need${most}`] : []),
    ...(raising.isKept || isRecorded
      ? []
      : [
          `no journal is kept: if this process is killed, the cap stays raised; restore it with: ${restoringCommand(flags, { relayerId, from })}`,
        ]),
  ]);
}

async function sendBumps(call: Call, session: Session, plan: BumpPlan, bumps: readonly ForeseenBump[]): Promise<View> {
  const { wait, repetition } = plan;
  const sending: BumpSending = { ...plan, session, isOneOfMany: bumps.length > 1 };
  if (repetition) {
    const { bumpUntilMined } = await import("./until-mined.ts");
    return await bumpUntilMined(call, { ...plan, repetition, sending }, bumps);
  }
  const [first, ...more] = bumps;
  if (first && more.length === 0) return await sendOne(call, first, sending);
  const { interrupt } = call.app;
  const jobs = bumps.map((bump) => ({ id: bump.record.id, run: () => bumpOne(call, bump, sending) }));
  const endsAll = ({ failure }: { failure: string }) => failure === "rate_limited";
  const completed = await runAll(jobs, { concurrency: 1, interrupt, endsAll }).done;
  const view = await manyView(call, bumps, completed, sending);
  if (!wait) return view;
  const targets = completed.flatMap(({ value }) => (value ? [followedBump(value)] : []));
  const { followMany } = await import("../wait/wait-for.ts");
  return await followMany(call, view, { targets, plan: wait });
}

async function sendOne(call: Call, bump: ForeseenBump, sending: BumpSending): Promise<View> {
  const { relayerId, record: before, request } = bump;
  const bumped = await bumpOne(call, bump, sending);
  const { wait, session } = sending;
  const view = await oneView(call, session, bumped, wait !== undefined);
  if (!wait) return view;
  const { followWrite } = await import("../wait/wait-for.ts");
  const wanted = request.change === "cancel" ? "cancellation" : "version";
  // Another command may have replaced or canceled it since: then the newest record shows that version.
  return await followWrite(call, view, { relayerId, plan: wait, before, wanted, requested: bumped.data });
}

async function manyView(
  call: Call,
  bumps: readonly ForeseenBump[],
  completed: readonly Completed<Bumped>[],
  { session: { name, flags }, wait }: BumpSending,
): Promise<ListView> {
  const [only = "", ...others] = new Set(bumps.map(({ relayerId }) => relayerId));
  const isOne = others.length === 0;
  const isDrawn = isOne && bumps.some(({ record }) => isPositive(record.value));
  const symbol = isDrawn ? await drawnSymbol(call, only) : undefined;
  const accepted = completed.flatMap(({ value }) => value ?? []);
  const next = commandLine(...flags, "tx", "wait", only, ...accepted.map(({ bump }) => bump.record.id));
  const judged = completed.map((each) => (each.value?.failure ? { id: each.id, error: each.value.failure } : each));
  const failure = failureOfMany(wait ? completed : judged, "transactions", call.app.interrupt, { isRepeatable: false });
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

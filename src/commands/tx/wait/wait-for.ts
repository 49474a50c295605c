import { followTransactions } from "../../../chain/follow/follow.ts";
import type { FollowRequest } from "../../../chain/follow/follow-request.ts";
import { createFollowed, followedNeedsChain, type Standing, type Target } from "../../../chain/follow/followed.ts";
import { hasFinalBlock } from "../../../chain/follow/relayer-chain.ts";
import { buildWaitResult, type WaitResult, worstResultsFirst } from "../../../chain/follow/wait-result.ts";
import { openChain } from "../../../chain/open-chain.ts";
import { verdictVersion } from "../../../chain/verdict/verdict.ts";
import { relayerCoinSymbol } from "../../../coins/coin-symbol.ts";
import { type LiveForm, liveForm, outageNotes, writeLiveEvent } from "../../../command-support/live.ts";
import { sayReceipt } from "../../../command-support/printing.ts";
import { type JsonObject, writeJson } from "../../../contract/json.ts";
import type { Transaction } from "../../../contract/transaction/transaction.ts";
import { RelayctlError, usageError } from "../../../errors.ts";
import { createSessionRecall } from "../../../recovery/recall.ts";
import { knownHashes } from "../../../session/journaling/known-hashes.ts";
import type { Session } from "../../../session/session.ts";
import { createStopwatch } from "../../../session/stopwatch.ts";
import { ndjsonLine } from "../../../terminal/formats/ndjson.ts";
import { ignoreUnreadOutput } from "../../../terminal/streams/output.ts";
import { type ListView, listFrom, type OneView, onePageView, type View } from "../../../terminal/view.ts";
import { DEFAULT_TIMEOUT, FOLLOW_DEADLINE } from "../../../timing.ts";
import { transactionEndFailure, unfinishedWaitError, type Waited } from "../../../views/transaction/ending.ts";
import { waitEndSummary, waitViewIn } from "../../../views/transaction/wait.ts";
import { drawsSymbol } from "../../coins/drawn-symbol.ts";
import type { Call } from "../../command.ts";
import type { Wait, WaitPlan, WaitReporter } from "./flags.ts";

/** How a wait and its end are shown. */
export interface WaitForm {
  form: LiveForm;
  /** Whether the result is the record, in a requested form. Otherwise a user reads how the wait ended. */
  printsRecord: boolean;
  drawsAmounts: boolean;
}

export function chooseWaitForm(call: Call): WaitForm {
  const { format, fields, query } = call.output;
  const draws = drawsSymbol(call);
  const form = fields !== undefined || query !== undefined ? "lines" : liveForm(call);
  const isTyped = [format, fields, query].some((typed) => typed !== undefined);
  return { form, printsRecord: form === "lines" && isTyped, drawsAmounts: draws };
}

async function createReporter(call: Call, session: Session, wait: Wait, form: LiveForm): Promise<WaitReporter> {
  switch (form) {
    case "screen":
      return (await import("./live/live-reporter.ts")).liveReporter(call, session, wait);
    case "events":
      return reportChanges(session, async (event, result) => {
        const { clock, stdout } = call.app;
        const line = ndjsonLine({ time: new Date(clock.now()).toISOString(), event, ...result });
        await writeLiveEvent(stdout, line);
      });
    case "lines":
      return reportChanges(session, (_, result) =>
        session.say(`${result.relayer_id}/${result.id}: ${stateText(result)}`),
      );
  }
}

type Report = (event: "seen" | "changed" | "ended", result: WaitResult) => Promise<void>;

function reportChanges(session: Session, report: Report): WaitReporter {
  const before = new Map<string, string>();
  const noteOutage = outageNotes(session, "retrying");
  const reportChange = async (standing: Standing) => {
    const result = buildWaitResult(standing);
    const key = `${standing.relayerId}/${standing.id}`;
    const text = writeJson(result);
    const last = before.get(key);
    before.set(key, text);
    const event = last === undefined ? "seen" : "changed";
    if (last !== text) await report(standing.end === undefined ? event : "ended", result).catch(ignoreUnreadOutput);
  };
  return {
    async seen(standings) {
      await noteOutage(standings.find(({ trouble, end }) => trouble && end === undefined)?.trouble);
      for (const standing of standings) if (standing.record || standing.end) await reportChange(standing);
    },
    end: async () => {},
  };
}

function stateText({ verdict, status, why }: WaitResult): string {
  const state = verdict === null || verdict === "pending" ? (status ?? "not read yet") : verdict.replaceAll("_", " ");
  return why === null ? state : `${state}: ${why}`;
}

interface WaitEnding {
  standings: readonly Standing[];
  failure: RelayctlError | undefined;
  /** The coins of the relayers, by ID, if amounts are drawn. */
  symbols: ReadonlyMap<string, string | undefined>;
  took?: number;
}

export async function waitFor(call: Call, wait: Wait): Promise<WaitEnding> {
  const session = await call.session();
  const { clock } = session;
  const form = chooseWaitForm(call);
  const began = clock.elapsed();
  const waited: Waited = { wrote: wait.wrote, flags: session.flags, goal: wait.plan.goal.until };
  const symbols = form.drawsAmounts ? await waitedSymbols(session, wait.targets) : new Map();
  const reporter = await createReporter(call, session, wait, form.form);
  const request = await readRequest(session, wait, form.form === "screen");
  let standings: readonly Standing[] = wait.targets.map((target) => createFollowed(target).standing);
  try {
    for await (const found of followTransactions(request)) {
      standings = found;
      await reporter.seen(found);
    }
  } catch (error) {
    throw unfinishedWaitError(error, standings, waited);
  } finally {
    await reporter.end();
  }
  return {
    standings: worstResultsFirst(standings),
    failure: transactionEndFailure(standings, waited),
    symbols,
    took: clock.elapsed() - began,
  };
}

export async function waitedSymbols(
  session: Session,
  targets: readonly Pick<Target, "relayerId">[],
): Promise<WaitEnding["symbols"]> {
  const symbols = new Map<string, string | undefined>();
  for (const id of new Set(targets.map(({ relayerId }) => relayerId)))
    symbols.set(id, await relayerCoinSymbol(session, id, undefined));
  return symbols;
}

async function readRequest(
  session: Session,
  { targets, plan, atMost }: Wait,
  readsFees: boolean,
): Promise<FollowRequest> {
  const { clock, interrupt } = session;
  const own = createStopwatch(clock, atMost ?? FOLLOW_DEADLINE).remaining ?? (() => 0);
  const whole = session.remaining;
  const isBoth = whole !== undefined && atMost !== undefined;
  const remaining = isBoth ? () => Math.min(whole(), own()) : (whole ?? own);
  const { goal, usesChain, nodeUrl: url } = plan;
  return {
    client: session.briefly(DEFAULT_TIMEOUT),
    targets: usesChain ? await Promise.all(targets.map((target) => withKnownHashes(session, target))) : targets,
    goal,
    usesChain,
    recall: createSessionRecall(session, () => clock.now(), usesChain),
    readsFees,
    ownNode: (network) => session.ownNode(network, { url }),
    abis: () => session.abis(),
    clock,
    interrupt,
    remaining,
  };
}

async function withKnownHashes(session: Session, target: Target): Promise<Target> {
  const { all } = await knownHashes(session, target.id);
  return all.length > 0 ? { ...target, hashes: all } : target;
}

export function waitEndingView(
  session: Session,
  { standings, failure, symbols, took }: WaitEnding,
  { form, printsRecord }: WaitForm,
): ListView {
  const results = form === "events" ? [] : standings.map(buildWaitResult);
  const symbolOf = (relayerId: string) => symbols.get(relayerId);
  const notes = results.length > 1 && !printsRecord ? [waitEndSummary(results, symbolOf, took)] : [];
  const ending = async () => ({ notes, failure });
  return listFrom(session, waitViewIn(symbolOf, took), onePageView(results), { nothing: null, ending });
}

export interface Written {
  relayerId: string;
  plan: WaitPlan;
  before: Transaction | undefined;
  /** The awaited result: the written version, its cancellation, or what the newest record shows. */
  wanted: "version" | "cancellation" | "newest";
  requested?: JsonObject | undefined;
}

export async function waitForWrite(call: Call, view: View, written: Written): Promise<View> {
  if (view.kind !== "one") return view;
  const session = await call.session();
  const { receipt, next, ...shown } = view;
  const wrote = receipt !== undefined;
  await sayReceipt(session.say, receipt);
  const ended = await waitFor(call, { targets: [targetFor(shown, written)], plan: written.plan, wrote });
  const { standings, failure } = ended;
  const form = chooseWaitForm(call);
  if (!form.printsRecord) return waitEndingView(session, ended, form);
  const record = standings[0]?.record ?? shown.value;
  // An empty receipt keeps an output that fails from hiding that the write was applied.
  return { ...shown, value: record, ...(wrote && { receipt: [] }), failure };
}

function targetFor({ value }: OneView, { relayerId, before, wanted, requested = {} }: Written): Target {
  const shown = value as Transaction;
  const after = { ...shown, id: shown.id ?? shown.hash };
  const records = before && before.id === after.id ? [before, after] : [after];
  if (wanted === "newest") return { relayerId, id: after.id, records };
  const version = verdictVersion(requested) ?? verdictVersion(after);
  return { relayerId, id: after.id, records, wanted: wanted === "cancellation" ? wanted : version };
}

export async function waitForMany(
  call: Call,
  view: ListView,
  { targets, plan }: { targets: readonly Target[]; plan: WaitPlan },
): Promise<ListView> {
  if (targets.length === 0) return view;
  const session = await call.session();
  const ending = (await view.ending?.()) ?? {};
  const { receipt = [], failure: refused } = ending;
  // Otherwise the wait ends with the signal, and shows each transaction's state.
  if (session.interrupt.aborted && refused) return { ...view, ending: async () => ending };
  await sayReceipt(session.say, receipt);
  const ended = await waitFor(call, { targets, plan, wrote: true });
  const failure = worseError(ended.failure, refused);
  const form = chooseWaitForm(call);
  const shown = waitEndingView(session, ended, form);
  // An empty receipt keeps an output that fails from hiding that something was applied.
  const lastEnding = async () => ({ receipt: [], failure });
  if (!form.printsRecord) return { ...shown, ending: lastEnding };
  const items = ended.standings.flatMap(({ record }) => (record ? [record] : []));
  return { ...view, pages: onePageView(items), ending: lastEnding };
}

function worseError(waited: RelayctlError | undefined, refused: RelayctlError | undefined): RelayctlError | undefined {
  if (!refused || waited?.failure === "mismatch" || waited?.failure === "unmet") return waited;
  const { message, details, because, hint } = refused;
  const facts = { applied: "yes", retryable: false, details, because, hint, cause: refused } as const;
  return new RelayctlError("unmet", message, facts);
}

/** @throws RelayctlError usage if a wait's goal can't be reached, before anything is sent */
export async function requireWaitable(
  { client, ownNode, clock }: Session,
  relayerId: string,
  { goal, nodeUrl: url }: WaitPlan,
): Promise<void> {
  if (!followedNeedsChain(goal) && url === undefined) return;
  const chain = await openChain({ client, relayerId, ownNode, own: { url } });
  const kind = chain.relayer?.network_type;
  const where = goal.until === "final" ? "--for" : followedNeedsChain(goal) ? "--confirmations" : "--node";
  if (kind !== undefined && kind !== "evm")
    throw usageError([{ where, rule: `${relayerId} is not an EVM relayer: only its records count` }]);
  if (goal.until === "final") await hasFinalBlock(chain, clock.now());
}

import type { ForeseenBump } from "../../../chain/bump/foresee-bump.ts";
import { bumpWithRaisedCap } from "../../../chain/bump/send-bump.ts";
import type { Standing, Target } from "../../../chain/follow/followed.ts";
import { worstResultsFirst } from "../../../chain/follow/wait-result.ts";
import { isSameVerdictVersion, verdictVersion } from "../../../chain/verdict/verdict.ts";
import { groupDigits } from "../../../contract/decimal.ts";
import { isPending } from "../../../contract/transaction/transaction.ts";
import { RelayctlError } from "../../../errors.ts";
import type { Session } from "../../../session/session.ts";
import type { View } from "../../../terminal/view.ts";
import { CHAIN_TIMEOUT } from "../../../timing.ts";
import { transactionEndFailure } from "../../../views/transaction/ending.ts";
import type { Call } from "../../command.ts";
import type { WaitPlan } from "../wait/flags.ts";
import { chooseWaitForm, type WaitForm } from "../wait/wait-for.ts";
import type { BumpSchedule } from "./flags.ts";
import { firstBumpRefusal, foreseeBumpAgain } from "./refusal.ts";
import { type Bumped, type BumpSending, bumpOne, bumpView, followedBump } from "./send-bump.ts";

interface Repeating extends BumpSending {
  repetition: BumpSchedule;
}

interface Raised {
  first: ForeseenBump;
  last: Bumped | undefined;
  /** Undefined before a bump was accepted. */
  target: Target | undefined;
  standing: Standing | undefined;
  /** Why the first bump failed: nothing of it is followed. */
  error: RelayctlError | undefined;
}

/** What is beyond the bounds is only followed. @throws RelayctlError unknown once a response is lost */
export async function bumpUntilMined(call: Call, repeating: Repeating, bumps: readonly ForeseenBump[]): Promise<View> {
  const { every, times } = repeating.repetition;
  const { clock } = repeating.session;
  const all = bumps.map(
    (first): Raised => ({ first, last: undefined, target: undefined, standing: undefined, error: undefined }),
  );
  for (let round = 1; round <= times && all.some(isOpen); round++) {
    const started = clock.elapsed();
    for (const raised of all.filter(isOpen))
      await raiseFee(repeating, raised, round).catch((error: unknown) => {
        const isApplied = error instanceof RelayctlError && all.some(({ last }) => last);
        throw isApplied ? error.with({ applied: "yes" }) : error;
      });
    await followAll(call, all, { ...repeating, atMost: Math.max(CHAIN_TIMEOUT, every - (clock.elapsed() - started)) });
  }
  if (repeating.wait) await followAll(call, all, { wait: repeating.wait }, "reached");
  return await endView(repeating.session, all, chooseWaitForm(call));
}

function isOpen({ standing, error }: Raised): boolean {
  return error === undefined && (standing?.end ?? "pending") === "pending";
}

async function raiseFee(repeating: Repeating, raised: Raised, round: number): Promise<void> {
  const { id } = raised.first.record;
  try {
    const bump = round === 1 ? raised.first : await nextBump(repeating, raised);
    const isBump = typeof bump !== "string";
    const line = isBump ? `bump ${round} of ${id}` : { note: `${id} is not bumped again: ${bump}` };
    if (round > 1 || !isBump) await repeating.session.say(line);
    if (!isBump) return;
    const bumped = await bumpOne(bump, repeating);
    raised.last = bumped;
    const { records = [], ...target } = followedBump(bumped);
    raised.target = { ...target, records: [...(raised.target?.records ?? []), ...records] };
  } catch (error) {
    if (!(error instanceof RelayctlError) || error.applied !== "no" || error.failure === "interrupted") throw error;
    if (round === 1 && !repeating.isOneOfMany) throw error;
    if (round === 1) raised.error = error;
    await repeating.session.say({ note: `${id} was not bumped: ${error.message}` });
  }
}

async function nextBump(plan: Repeating, { first }: Raised): Promise<ForeseenBump | string> {
  const { relayerId, record } = first;
  const { session } = plan;
  const { data: newest } = await session.client.tx.get(relayerId, record.id);
  if (!isPending(newest)) return "it is not pending anymore";
  const [agreed, now] = [verdictVersion(record), verdictVersion(newest)];
  if (!agreed || !now || !isSameVerdictVersion(agreed, now)) return "it was replaced or canceled by another command";
  const found = await foreseeBumpAgain(session, plan, { relayerId, id: record.id, record: newest });
  if (!found) return "it cannot be bumped anymore";
  const planned = plan.raising ? bumpWithRaisedCap(found, plan.maxFee) : found;
  return firstBumpRefusal(planned, { session: session.flags, maxFee: plan.maxFee })?.words ?? planned;
}

async function followAll(
  call: Call,
  all: readonly Raised[],
  { wait, atMost }: { wait: WaitPlan | undefined; atMost?: number },
  which: "open" | "reached" = "open",
): Promise<void> {
  const chosen = all.filter((raised) => (which === "open" ? isOpen(raised) : raised.standing?.end === "reached"));
  const targets = chosen.flatMap(({ target }) => target ?? []);
  if (targets.length === 0) return;
  const { usesChain = true, nodeUrl } = wait ?? {};
  const goal = which === "open" || !wait ? { until: "mined" as const } : wait.goal;
  const { waitFor } = await import("../wait/wait-for.ts");
  const { standings } = await waitFor(call, {
    targets,
    plan: { goal, usesChain, nodeUrl },
    wrote: true,
    ...(atMost !== undefined && { atMost }),
  });
  for (const raised of chosen)
    raised.standing = standings.find(({ id }) => id === raised.target?.id) ?? raised.standing;
}

async function endView(session: Session, all: readonly Raised[], form: WaitForm): Promise<View> {
  const { flags } = session;
  const standings = worstResultsFirst(all.flatMap(({ standing }) => standing ?? []));
  const failure = withRefused(transactionEndFailure(standings, { wrote: true, flags }), all);
  const [only, ...more] = all;
  if (!form.printsRecord || !only?.last || more.length > 0) {
    const { waitEndingView, waitedSymbols } = await import("../wait/wait-for.ts");
    const targets = all.flatMap(({ target }) => target ?? []);
    const symbols = form.drawsAmounts ? await waitedSymbols(session, targets) : new Map();
    return waitEndingView(session, { standings, failure, symbols }, form);
  }
  const view = await bumpView(session, only.last, { isFollowed: true, drawsAmounts: form.drawsAmounts });
  return { ...view, value: only.standing?.record ?? view.value, failure };
}

function withRefused(waited: RelayctlError | undefined, all: readonly Raised[]): RelayctlError | undefined {
  const refused = all.filter(({ error }) => error !== undefined);
  if (refused.length === 0 || waited) return waited;
  return new RelayctlError(
    "partial",
    `${groupDigits(refused.length)} of ${groupDigits(all.length)} transactions failed`,
    {
      applied: "yes",
      retryable: false,
      details: refused.map(({ first, error }) => ({
        where: first.record.id,
        given: error?.failure ?? "",
        rule: error?.message ?? "",
      })),
    },
  );
}

import { follow } from "../../../chain/follow/follow.ts";
import type { FollowRequest } from "../../../chain/follow/follow-request.ts";
import { createFollowed, type Standing, type Target } from "../../../chain/follow/followed.ts";
import { resultOf, worstFirst } from "../../../chain/follow/wait-result.ts";
import type { RelayctlError } from "../../../errors.ts";
import { recallIn } from "../../../recovery/recall.ts";
import { knownHashes } from "../../../session/journaling/known-hashes.ts";
import type { Session } from "../../../session/session.ts";
import { createStopwatch } from "../../../session/stopwatch.ts";
import type { ListView, Page } from "../../../terminal/view.ts";
import { DEFAULT_TIMEOUT, FOLLOW_DEADLINE } from "../../../timing.ts";
import { cutOff, failureOf, type Waited } from "../../../views/transaction/ending.ts";
import { endSummary, waitViewIn } from "../../../views/transaction/wait.ts";
import { drawnSymbol } from "../../coins/drawn-symbol.ts";
import type { Call } from "../../command.ts";
import { abiSource } from "../call/abi-source.ts";
import { formOf, reporterOf } from "./reporters.ts";
import type { Wait } from "./wait.ts";

export interface WaitEnding {
  standings: readonly Standing[];
  failure: RelayctlError | undefined;
  /** The coins of the relayers, by ID, if amounts are drawn. */
  symbols: ReadonlyMap<string, string | undefined>;
  /** How long the wait took, in milliseconds. */
  took?: number;
}

/** Follows transactions. @throws RelayctlError if the wait was cut off; after a write it says that it was applied */
export async function waitFor(call: Call, wait: Wait): Promise<WaitEnding> {
  const session = await call.session();
  const { clock } = call.app;
  const began = clock.elapsed();
  const waited: Waited = { wrote: wait.wrote, flags: session.flags };
  const symbols = await symbolsByRelayer(call, wait.targets);
  const reporter = await reporterOf(call, session, wait);
  const request = await readRequest(call, session, wait);
  let standings: readonly Standing[] = wait.targets.map((target) => createFollowed(target).standing);
  try {
    for await (const found of follow(request)) {
      standings = found;
      await reporter.seen(found);
    }
  } catch (error) {
    throw cutOff(error, standings, waited);
  } finally {
    await reporter.end();
  }
  return {
    standings: worstFirst(standings),
    failure: failureOf(standings, waited),
    symbols,
    took: clock.elapsed() - began,
  };
}

/** Reads the coins of relayers if amounts are drawn: before a wait, since no time may be left after it. */
export async function symbolsByRelayer(call: Call, targets: readonly Pick<Target, "relayerId">[]) {
  const symbols = new Map<string, string | undefined>();
  for (const id of new Set(targets.map(({ relayerId }) => relayerId))) symbols.set(id, await drawnSymbol(call, id));
  return symbols;
}

async function readRequest(call: Call, session: Session, { targets, plan, atMost }: Wait): Promise<FollowRequest> {
  const { clock, interrupt } = call.app;
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
    recall: recallIn(session, () => clock.now(), usesChain),
    readsFees: formOf(call) === "screen",
    ownNode: (network) => session.ownNode(network, { url }),
    abis: abiSource(call),
    clock,
    interrupt,
    remaining,
  };
}

async function withKnownHashes(session: Session, target: Target): Promise<Target> {
  const { all } = await knownHashes(session, target.id);
  return all.length > 0 ? { ...target, hashes: all } : target;
}

/** Returns what to print once a wait has ended: nothing after events, which said it all. */
export async function endingView(call: Call, { standings, failure, symbols, took }: WaitEnding): Promise<ListView> {
  const session = await call.session();
  const results = formOf(call) === "events" ? [] : standings.map(resultOf);
  const symbolOf = (relayerId: string) => symbols.get(relayerId);
  const isShownAsMany = formOf(call) === "screen" && results.length > 1;
  const notes = isShownAsMany ? [endSummary(results, symbolOf, took)] : [];
  return {
    kind: "list",
    resource: waitViewIn(symbolOf, took),
    pages: onePage(results),
    where: session.name,
    flags: session.flags,
    inOrder: true,
    nothing: null,
    ending: async () => ({ notes, ...(failure && { failure }) }),
  };
}

async function* onePage(items: Page["items"]): AsyncGenerator<Page> {
  yield { items, total: items.length, body: new Uint8Array() };
}

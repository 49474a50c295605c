import {
  type BumpFacts,
  type ForeseenBump,
  foreseeBump,
  type Objections,
  objectionsToBump,
  readBumpFacts,
  type Unbumpable,
} from "../../../chain/bump/foresee-bump.ts";
import { openChain } from "../../../chain/open-chain.ts";
import { mostFeePerGas } from "../../../chain/replacement/fees.ts";
import { priceText, WEI } from "../../../contract/amount.ts";
import { groupDigits } from "../../../contract/decimal.ts";
import { TRANSFER_GAS } from "../../../contract/transaction/replacement-price.ts";
import { txStatus } from "../../../contract/transaction/transaction.ts";
import { type Failure, RelayctlError } from "../../../errors.ts";
import { refuseDisabledOrPaused } from "../../../relayer-state/disabled.ts";
import type { Session } from "../../../session/session.ts";
import { commandLine } from "../../../shell/shell-words.ts";
import { FUNDS_TIMEOUT } from "../../../timing.ts";
import { transactionOutcome } from "../../../views/transaction/outcome.ts";
import { predictionObstacleWords, wayOutTexts } from "../replacement/prediction-words.ts";
import type { BumpPlan, ReadTarget } from "./flags.ts";

type Foreseeing = Pick<BumpPlan, "speed" | "wait">;

export type Planned = ForeseenBump | (ReadTarget & { unbumpable: Unbumpable });

export function isBumpForeseen(planned: Planned): planned is ForeseenBump {
  return "prediction" in planned;
}

/** Reads the facts for bumps, each relayer once, and predicts them. @throws conflict if one is not active */
export async function foreseeBumps(
  session: Session,
  { speed, wait }: Foreseeing,
  targets: readonly ReadTarget[],
): Promise<Planned[]> {
  const now = session.clock.now();
  const opened = new Map<string, BumpFacts>();
  const planned: Planned[] = [];
  for (const target of targets) {
    const { relayerId, record } = target;
    const surroundings = opened.get(relayerId) ?? (await loadSurroundings(session, relayerId, wait?.nodeUrl));
    opened.set(relayerId, surroundings);
    const found = await foreseeBump(surroundings, { relayerId, record, speed, now, isDemo: session.isDemo });
    planned.push(typeof found === "string" ? { ...target, unbumpable: found } : found);
  }
  return planned;
}

export async function foreseeBumpAgain(
  session: Session,
  plan: Foreseeing,
  target: ReadTarget,
): Promise<ForeseenBump | undefined> {
  const [found] = await foreseeBumps(session, plan, [target]);
  return found && isBumpForeseen(found) ? found : undefined;
}

async function loadSurroundings(session: Session, relayerId: string, url: string | undefined) {
  const client = session.briefly(FUNDS_TIMEOUT);
  const own = { url, timeout: FUNDS_TIMEOUT };
  const chain = await openChain({ client, relayerId, ownNode: session.ownNode, own });
  if (chain.relayer) refuseDisabledOrPaused(chain.relayer, session.flags);
  else await session.say({ note: `relayer ${relayerId} could not be read; its cap is unknown` });
  return await readBumpFacts(chain, session.clock.now());
}

interface Refusal {
  relayerId: string;
  id: string;
  failure: Failure;
  words: string;
  ways: readonly string[];
  isForceable: boolean;
}

interface RefusalContext {
  session: readonly string[];
  maxFee: bigint | undefined;
}

/** @param isForced whether only what `--force` does not override counts */
export function firstBumpRefusal(planned: Planned, context: RefusalContext, isForced = false): Refusal | undefined {
  return refusalsOf(planned, context).find(({ isForceable }) => !isForced || !isForceable);
}

function refusalsOf(planned: Planned, context: RefusalContext): Refusal[] {
  if (!isBumpForeseen(planned)) return [unbumpableRefusal(planned, context)];
  const { change, price } = objectionsToBump(planned, context.maxFee);
  const refused = { relayerId: planned.relayerId, id: planned.record.id, failure: "conflict" as const };
  return [
    ...(change ? [{ ...refused, ...changeRefusal(planned, context, change), isForceable: true }] : []),
    ...(price ? [{ ...refused, words: priceWords(planned, context, price), ways: [], isForceable: false }] : []),
  ];
}

/** Returns what comes before a bump of a transaction that is not next in line: its bump frees nothing. */
export function bumpHeadFirst({ relayerId, record, ahead = 0n }: ForeseenBump, flags: readonly string[]): string[] {
  if (ahead <= 0n) return [];
  const unstick = commandLine(...flags, "relayers", "unstick", relayerId);
  return [`free nonce ${BigInt(String(record.nonce)) - ahead} first, which is next in line: ${unstick}`];
}

function changeRefusal(
  bump: ForeseenBump,
  context: RefusalContext,
  change: NonNullable<Objections["change"]>,
): Pick<Refusal, "words" | "ways"> {
  const { relayerId, record, prediction } = bump;
  const target = { relayerId, id: record.id };
  const line = createLine(context, target);
  const { obstacle } = prediction;
  if (change === "nonce_used" || !obstacle) {
    const words = `nonce ${String(record.nonce)} is used on the chain: a version of it was mined, or another transaction`;
    return { words, ways: [`check the chain: ${line("get", "--on-chain")}`] };
  }
  const words = predictionObstacleWords(prediction, obstacle, WEI) ?? "the relayer prices another type of transaction";
  const raise = obstacle.kind === "cap" ? [`raise the cap for this bump: ${line("bump", "--raise-cap")}`] : [];
  return {
    words,
    ways: [...bumpHeadFirst(bump, context.session), ...raise, ...wayOutTexts(prediction, target, context.session, WEI)],
  };
}

function priceWords(
  { prediction }: ForeseenBump,
  { maxFee = 0n }: RefusalContext,
  price: NonNullable<Objections["price"]>,
): string {
  const least = prediction.broadcast ?? prediction.response;
  const most = priceText(maxFee);
  return price === "max_fee"
    ? `the bump would pay ${priceText(mostFeePerGas(least ?? {}))} or more, which is above --max-price ${most}`
    : `the market's price could not be read, so --max-price ${most} cannot be checked`;
}

const NOUNS = { solana: "a Solana", stellar: "a Stellar" };

function unbumpableRefusal(
  { relayerId, id, record, unbumpable }: ReadTarget & { unbumpable: Unbumpable },
  context: RefusalContext,
): Refusal {
  const line = createLine(context, { relayerId, id });
  const refused = (words: string, ...ways: string[]) => ({
    relayerId,
    id,
    failure: "conflict" as const,
    words,
    ways,
    isForceable: false,
  });
  const follow = `follow it: ${line("wait")}`;
  switch (unbumpable) {
    case "solana":
      return {
        ...refused(
          kindWords(unbumpable, id, "the service replaces none; it signs one again itself until it expires"),
          follow,
          `once it has expired, send it again with a higher priority fee: ${sendLine(context, relayerId, "--transaction")}`,
        ),
        failure: "usage",
      };
    case "stellar":
      return {
        ...refused(
          kindWords(unbumpable, id, "the service reports success for a replacement and changes nothing"),
          `${follow}; without --valid-until it expires after 2 minutes`,
          `once it has expired, send it again with a higher fee: ${sendLine(context, relayerId, "--max-fee")}`,
        ),
        failure: "usage",
      };
    case "over": {
      const meaning = transactionOutcome(record)?.words;
      const words = `transaction ${id} is ${txStatus(record)}, so there is nothing to bump`;
      return refused(meaning === undefined ? words : `${words}: ${meaning}`, `see: ${line("get")}`);
    }
    case "no_gas_limit":
      return refused(
        `the record has data and no gas limit: the bump would be signed with ${TRANSFER_GAS} gas, and fail`,
        `replace it with a gas limit: ${line("replace", "--inherit", "--gas-limit", "GAS")}`,
      );
    case "unsignable":
      return refused(
        `its receiver is not an address, so it can never be signed: ${String(record.to)}`,
        `replace it, which frees its nonce in about 10 seconds: ${line("replace", "--interactive")}`,
      );
    case "no_value":
      return refused("its value cannot be read, so the same transaction cannot be sent again");
  }
}

function kindWords(kind: keyof typeof NOUNS, id: string, why: string): string {
  return `${id} is ${NOUNS[kind]} transaction: ${why}`;
}

function sendLine({ session }: RefusalContext, relayerId: string, flag: string): string {
  return `${commandLine(...session, "tx", "send", relayerId)} … ${flag}`;
}

function createLine({ session }: RefusalContext, { relayerId, id }: Pick<Refusal, "relayerId" | "id">) {
  return (verb: string, ...flags: string[]) => commandLine(...session, "tx", verb, relayerId, id, ...flags);
}

interface Choosing {
  isForced: boolean;
  /** Whether transactions that can't be bumped are left out. Otherwise nothing is sent. */
  isStuck: boolean;
}

/** Decides which bumps are sent: what cannot work is left out of a whole relayer's, otherwise the `refusal`. */
export function chooseBumps(planned: readonly Planned[], context: RefusalContext, { isForced, isStuck }: Choosing) {
  const bumps: ForeseenBump[] = [];
  const refusals: Refusal[] = [];
  const warnings: { warning: string }[] = [];
  for (const each of planned) {
    const found = refusalsOf(each, context);
    const refusal = found.find(({ isForceable }) => !isForceable || !isForced);
    if (refusal) refusals.push(refusal);
    else if (isBumpForeseen(each)) {
      bumps.push(each);
      warnings.push(...listWarnings(each, found[0]));
    }
  }
  if (refusals.length > 0 && (!isStuck || bumps.length === 0))
    return { bumps: [], lines: warnings, refusal: refusedError(refusals, planned.length) };
  return { bumps, lines: [...warnings, ...refusals.map(({ id, words }) => ({ note: `${id} is left out: ${words}` }))] };
}

/** Warns about forced bumps; an unknown service or network may differ from the prediction. */
function listWarnings({ prediction, isKnown }: ForeseenBump, forced: Refusal | undefined): { warning: string }[] {
  const { obstacle } = prediction;
  const words =
    forced?.words ?? (obstacle && !isKnown ? predictionObstacleWords(prediction, obstacle, WEI) : undefined);
  return words === undefined ? [] : [{ warning: words }];
}

function refusedError(refusals: readonly Refusal[], all: number): RelayctlError {
  const [first, ...more] = refusals;
  if (!first) throw new Error("there is no refusal");
  if (more.length === 0 && all === 1) {
    const because = ["nothing was sent", ...first.ways];
    return new RelayctlError(first.failure, first.words, { because, retryable: false });
  }
  const [isOnly, others] = [more.length === 0, refusals.flatMap(({ ways }) => ways)];
  const failure = refusals.find(({ failure: word }) => word === "usage")?.failure ?? "conflict";
  return new RelayctlError(
    failure,
    `${groupDigits(refusals.length)} of ${groupDigits(all)} transactions cannot be bumped; nothing was sent`,
    {
      details: refusals.map(({ relayerId, id, words }) => ({ where: `${relayerId}/${id}`, rule: words })),
      // A single problem is not listed below its error.
      because: [...(isOnly ? [`${first.id}: ${first.words}`] : []), ...new Set(others)],
      retryable: false,
    },
  );
}

import type { Attempt } from "../model/network.ts";
import { marketPrice, requestedPrice, resentPrice, up } from "../model/pricing.ts";
import { isNoop, type Stored } from "../model/record.ts";
import type { ModelWorld } from "../model/world.ts";
import type { Ran } from "../program.ts";
import { doesSame, minesNoop, statesOf } from "./truth.ts";

export function isWrite({ method, target }: Attempt): boolean {
  return method !== "GET" && !target.endsWith("/rpc");
}

/** Whether a request must not be sent again once it may have left: there is no idempotency key (facts 5.3). */
function isOnce({ method }: Attempt): boolean {
  return method === "POST" || method === "PUT";
}

const REFUSED_BY_RATE = 429;

interface Expected {
  mayWrite: boolean;
  /** Whether the change would have been broadcast when the run began, and nothing moved that a prediction rests on. */
  wasBroadcast?: boolean;
}

export function faultsOf(world: ModelWorld, ran: Ran, { mayWrite, wasBroadcast = true }: Expected): string[] {
  const { argv, attempts, exitCode, isKilled } = ran;
  const writes = attempts.filter(isWrite);
  const applied = writes.filter((attempt) => attempt.applied !== undefined || attempt.updated !== undefined);
  const line = argv.join(" ");
  const faults = [
    [isSentAgain(writes, isRepeating(argv)), "sent again after its response could have been lost"],
    [!mayWrite && writes.length > 0, "sent without consent"],
    [!isKilled && exitCode === undefined, "hangs"],
    [applied.filter(isOnce).length > 1 && !isRepeating(argv), "applied twice"],
    [
      isNothing(exitCode) && applied.some((attempt) => !isForAWhile(attempt, argv)),
      `exit ${exitCode}, but it was applied`,
    ],
    [exitCode === 0 && mayWrite && isAct(argv) && !isDone(applied, ran), "exit 0, but nothing was applied"],
    [
      exitCode === 0 && argv.includes("--wait") && !isOnChain(world, ran, applied),
      "exit 0, but the chain shows otherwise",
    ],
    [exitCode === 6 && wasBroadcast && isRefusedWrongly(world, ran), "refused by a prediction that is wrong"],
    [exitCode === 1, "a bug"],
    [exitCode === 0 && hasFalseReceipt(world, ran), "a receipt that is not true"],
    [deniesOwn(world, ran), "its own transaction is said to have existed before"],
  ] as const;
  const found = faults.flatMap(([isFault, words]) => (isFault ? [`${words}: ${line}`] : []));
  return exitCode === 1 ? [...found, ran.stderr] : found;
}

/** Whether a run says that what it sent existed before, although a clock shows that it did not. */
function deniesOwn({ deceptions }: ModelWorld, { attempts, stderr }: Ran): boolean {
  const id = /has transaction ([0-9a-f-]{36}), which existed before/.exec(stderr)?.[1];
  return deceptions.showsTime && id !== undefined && attempts.some(({ applied }) => applied?.stored.id === id);
}

function isForAWhile({ updated }: Attempt, argv: readonly string[]): boolean {
  return updated !== undefined && argv.includes("--raise-cap") && !argv.includes("--keep-raised");
}

/** Whether a command may send several requests, each after the end of the one before. */
function isRepeating(argv: readonly string[]): boolean {
  return argv[1] === "unstick" || argv.includes("--until");
}

function isNothing(code: number | undefined): boolean {
  return code !== undefined && code >= 2 && code <= 10;
}

/** A run with a key may report what an earlier one sent. */
function isAct(argv: readonly string[]): boolean {
  const [noun, verb] = argv;
  if (noun !== "tx" || verb === undefined) return false;
  return (verb === "send" && !argv.includes("--once")) || ["replace", "cancel", "bump"].includes(verb);
}

/** A cancellation that was requested before counts as done. */
function isDone(applied: readonly Attempt[], { argv, stderr }: Ran): boolean {
  if (argv.includes("--until") && /mined|is \w+ now/.test(stderr)) return true;
  return applied.length > 0 || (argv[1] === "cancel" && /already|nothing to do|was requested/i.test(stderr));
}

/** Whether the chain showed what was applied, at some moment of a run that waited for it. */
export function isOnChain(world: ModelWorld, { from, to }: Ran, applied: readonly Attempt[]): boolean {
  return applied.every(({ applied: done }) => {
    if (!done) return true;
    const { stored, operation, version } = done;
    const states = statesOf(world, stored, from, to).filter((mined) => mined !== undefined);
    if (operation === "cancel") return stored.broadcast.size === 0 || states.some(minesNoop);
    return states.some((mined) => doesSame(mined.transaction, version) && !mined.reverted);
  });
}

/** Whether a version of a record that moves money, or whose cancellation was not requested, was mined while a run watched. */
export function isConfirmedIn(world: ModelWorld, stored: Stored, { from, to }: Ran): boolean {
  return statesOf(world, stored, from, to).some((mined) => mined !== undefined && !mined.reverted);
}

/** Whether relayctl refused a change as never broadcast, although the service would send it. */
function isRefusedWrongly(world: ModelWorld, { argv, stderr }: Ran): boolean {
  const isOne = argv[0] === "tx";
  return isOne && /and never broadcast it below|the service raises no price/.test(stderr) && isBroadcast(world, argv);
}

/** Whether the service would send the change that a command requests. */
export function isBroadcast({ worker, pricing, chain }: ModelWorld, argv: readonly string[]): boolean {
  const stored = worker.all.find(({ id }) => id === argv[3]);
  if (!stored?.price || stored.nonce === null) return true;
  const at = argv.indexOf("--speed");
  const speed = (at < 0 ? undefined : argv[at + 1]) ?? (argv[1] === "bump" ? "fastest" : stored.speed);
  const isCancellation = argv[1] === "cancel" || (argv[1] === "bump" && stored.isCanceled && isNoop(stored));
  if (!pricing.isTagged) {
    const requested = requestedPrice(pricing, stored.price, speed);
    const sent = resentPrice(pricing, requested, speed, isCancellation);
    return isCancellation || (sent !== undefined && sent.maxFee >= chain.head.baseFee);
  }
  const waiting = chain.waiting(stored.from, stored.nonce);
  const price = isCancellation ? marketPrice(pricing, stored.speed) : requestedPrice(pricing, stored.price, speed);
  const isAboveBase = price.maxFee >= chain.head.baseFee;
  return isAboveBase && waiting !== undefined && price.maxFee >= up(waiting.maxFee) && price.tip >= up(waiting.tip);
}

/** What a prediction rests on, at this moment: it is read with several requests. */
export function basisOf({ worker, pricing, chain }: ModelWorld, argv: readonly string[]): string {
  const { status, price, versions } = worker.all.find(({ id }) => id === argv[3]) ?? {};
  const { baseFee, tip } = chain;
  return [status, price?.maxFee, price?.tip, versions?.length, pricing.cap, baseFee, tip].join(" ");
}

/** @param isRepeated whether a write may follow one whose response arrived */
function isSentAgain(writes: readonly Attempt[], isRepeated: boolean): boolean {
  return writes.some((write, index) => {
    const isAnswered = isRepeated && write.status !== undefined && write.status < 500;
    const isOver = write.hasLeft && write.status !== REFUSED_BY_RATE && !isAnswered;
    return isOver && isOnce(write) && writes.slice(index + 1).some((later) => later.target === write.target);
  });
}

/** Whether a receipt shows a hash that the record never had, or an ID that the service does not have. */
function hasFalseReceipt({ worker }: ModelWorld, { argv, stderr, attempts }: Ran): boolean {
  const hashes = [...stderr.matchAll(/(?:before|now): (0x[0-9a-f]{64})/g)].map(([, hash]) => String(hash));
  const isOne = argv[0] === "tx" && argv[1] !== "cancel-pending";
  const meant = isOne ? worker.all.filter(({ id }) => id === argv[3]) : worker.all;
  if (hashes.some((hash) => !meant.some(({ shown }) => shown.has(hash)))) return true;
  const id = /transaction ([0-9a-f-]{36})/.exec(stderr)?.[1];
  if (argv[1] !== "send" || id === undefined) return false;
  // A run with a key may report the transaction of an earlier one.
  const sent = argv.includes("--once") ? worker.all : attempts.flatMap(({ applied }) => applied?.stored ?? []);
  return !sent.some((each) => each.id === id);
}

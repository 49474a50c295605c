import { networkKind } from "../../contract/network-kind.ts";
import { RelayctlError, usageError } from "../../errors.ts";
import type { FollowRequest } from "./follow-request.ts";
import { createFollowed, type Followed, type Standing } from "./followed.ts";
import { needsChain } from "./goal.ts";
import { createPace } from "./pace.ts";
import { readRecords } from "./read-records.ts";
import { readVerdicts } from "./read-verdicts.ts";
import { createRelayerChain, hasFinalBlock, type RelayerChain } from "./relayer-chain.ts";

interface Line {
  relayerId: string;
  all: readonly Followed[];
  chain: RelayerChain;
  /** Set once it is known that the goal can be reached there. */
  isPossible: boolean;
}

const AT_ONCE = 8;

/**
 * Follows transactions until each has ended or the time runs out, and yields where all of them stand after each round
 * of reads, in the order of the targets. An outage is not an outcome: what fails for now is read again.
 * @throws RelayctlError interrupted; any failure that does not pass; the last failure if a transaction was never read
 */
export async function* follow(request: FollowRequest): AsyncGenerator<readonly Standing[], void> {
  const { clock, interrupt, remaining } = request;
  const followed = request.targets.map(createFollowed);
  const lines = listLines(request, followed);
  const pace = createPace(clock);
  let wasLimited = await readAll(request, lines);
  for (;;) {
    if (remaining() <= 0) endAll(followed);
    yield followed.map(({ standing }) => standing);
    if (followed.every(({ standing }) => standing.end !== undefined)) return;
    await clock.sleep(Math.max(0, Math.min(pace(wasLimited), remaining())), interrupt);
    if (interrupt.aborted) throw new RelayctlError("interrupted", "the wait was interrupted");
    // A read without time would only replace what is known.
    if (remaining() > 0) wasLimited = await readAll(request, lines);
  }
}

function listLines(request: FollowRequest, followed: readonly Followed[]): Line[] {
  const ids = new Set(followed.map(({ target }) => target.relayerId));
  const { client, ownNode, usesChain } = request;
  return [...ids].map((relayerId) => ({
    relayerId,
    all: followed.filter(({ target }) => target.relayerId === relayerId),
    chain: createRelayerChain({ client, relayerId, isAlone: !usesChain, ...(ownNode && { ownNode }) }),
    isPossible: !needsChain(request.goal),
  }));
}

/** Reads all relayers, a few at a time; returns whether any read was refused by rate. */
async function readAll(request: FollowRequest, lines: readonly Line[]): Promise<boolean> {
  const left = lines.values();
  let wasLimited = false;
  const work = async () => {
    for (const line of left) if (await readLine(request, line)) wasLimited = true;
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, lines.length) }, work));
  return wasLimited;
}

async function readLine(request: FollowRequest, line: Line): Promise<boolean> {
  const { relayerId, all, chain } = line;
  const open = all.filter(({ standing }) => standing.end === undefined);
  if (open.length === 0) return false;
  chain.nextRound();
  await readRecords(request, relayerId, open);
  const read = open.filter(({ records, isPartial }) => records.length > 0 && !isPartial);
  if (!line.isPossible && read.length > 0) line.isPossible = await canBeReached(request, read, chain);
  const wasLimited = await readVerdicts(request, read, chain);
  return wasLimited || open.some(({ standing }) => standing.trouble?.failure === "rate_limited");
}

/** Returns whether a goal that only the chain shows can be reached. @throws RelayctlError usage if it cannot */
async function canBeReached(
  { goal, clock, usesChain }: FollowRequest,
  read: readonly Followed[],
  relayerChain: RelayerChain,
): Promise<boolean> {
  const chain = usesChain ? await relayerChain.open() : undefined;
  const [first] = read;
  const kind = networkKind(chain?.relayer);
  if (first && chain && kind !== "evm") {
    const where = goal.until === "final" ? "final" : "confirmations";
    const rule = `needs an EVM relayer, and ${first.target.relayerId} is of ${kind}: only its records count`;
    throw usageError([{ where, rule }]);
  }
  if (goal.until !== "final") return chain !== undefined;
  return chain !== undefined && (await hasFinalBlock(chain, clock.now()));
}

function endAll(all: readonly Followed[]): void {
  for (const followed of all) {
    const { record, trouble, end } = followed.standing;
    if (end !== undefined) continue;
    if (!record && trouble) throw trouble;
    followed.standing = { ...followed.standing, end: "pending" };
  }
}

import { wireAmount } from "../../contract/amount.ts";
import { type NetworkKind, networkKind } from "../../contract/network-kind.ts";
import { isFinal, type Transaction, txStatus } from "../../contract/transaction/transaction.ts";
import { RelayctlError, usageError } from "../../errors.ts";
import { CHAIN_PATIENCE } from "../../timing.ts";
import { readEvmBlock, readNonce } from "../evm/read-evm.ts";
import { type Examined, examinedFee, examineTx, latestExaminedTime } from "../examine.ts";
import { isNodeUnaskable, type NodeFault } from "../node/node.ts";
import type { Chain } from "../open-chain.ts";
import {
  type ChainFacts,
  isSameVerdictVersion,
  type Verdict,
  type VerdictWord,
  verdictVersion,
} from "../verdict/verdict.ts";
import { verdictOfEvidence, withExpiry } from "../verdict/verdict-of.ts";
import type { FollowRequest } from "./follow-request.ts";
import {
  createFollowed,
  type FollowEnd,
  type Followed,
  followedEnd,
  followedNeedsChain,
  type Goal,
  isFollowedGone,
  type Standing,
} from "./followed.ts";
import { createPace } from "./pace.ts";
import { MOST_SINGLE, readRecords } from "./read-records.ts";
import { createRelayerChain, hasFinalBlock, type RelayerChain } from "./relayer-chain.ts";

function requireRecord({ records: [first, ...more] }: Followed): [Transaction, ...Transaction[]] {
  if (!first) throw new Error("the record was not read");
  return [first, ...more];
}

function verdictByRecords(followed: Followed, kind: NetworkKind): Verdict {
  const { wanted } = followed.target;
  const shown = { records: requireRecord(followed), isGone: isFollowedGone(followed), wanted };
  return verdictOfEvidence({ ...shown, kind, confirmations: 0n, isUnraised: false });
}

/** Returns how following ends where only the record counts: an ended record never shows more (facts 13.1, 16.1). */
function endByRecord({ until }: Goal, followed: Followed, { verdict }: Verdict): FollowEnd | undefined {
  if (verdict !== "pending") return undefined;
  const status = txStatus(requireRecord(followed).at(-1) ?? {});
  if (isFinal(status)) return "pending";
  const reached = { broadcast: ["submitted", "mined"], mined: ["mined"], confirmed: [], final: [] }[until] as string[];
  return reached.includes(status) && hasOneVersion(followed) ? "reached" : undefined;
}

/** Returns whether no replacement or cancellation was seen: only then, the status is enough. */
function hasOneVersion(followed: Followed): boolean {
  const all = requireRecord(followed);
  const first = verdictVersion(all[0]);
  const isFirst = (record: Transaction) => {
    const version = verdictVersion(record);
    return first === undefined || version === undefined || isSameVerdictVersion(first, version);
  };
  return all.every((record) => record.is_canceled !== true && isFirst(record));
}

const UNBELIEVABLE: readonly string[] = ["unreadable", "wrong_chain"];

/** Returns the verdict without the chain: the record counts if the chain can't be asked, or was silent for long. */
function withoutChain(
  { goal, clock }: Pick<FollowRequest, "goal" | "clock">,
  followed: Followed,
  verdict: Verdict,
  fault: NodeFault,
): Verdict {
  const isEnded = isFinal(txStatus(requireRecord(followed).at(-1) ?? {})) || isFollowedGone(followed);
  followed.unaskedSince = isEnded ? (followed.unaskedSince ?? clock.elapsed()) : undefined;
  const since = followed.unaskedSince ?? Number.POSITIVE_INFINITY;
  const isLate = clock.elapsed() - since >= CHAIN_PATIENCE && !UNBELIEVABLE.includes(fault.kind);
  const isEnough = !followedNeedsChain(goal) || verdict.verdict !== "confirmed";
  const counts = isEnough && (isNodeUnaskable(fault) || isLate);
  return counts
    ? { ...verdict, missing: [...new Set([...verdict.missing, fault.words])] }
    : unreadVerdict(followed, fault.words, verdict);
}

function unreadVerdict(followed: Followed, words: string, found = verdictByRecords(followed, "evm")): Verdict {
  const { stage } = found;
  return { verdict: "pending", why: `the chain could not be read: ${words}`, stage, missing: [words] };
}

/** The verdicts that rest on an unused nonce. */
const OF_UNUSED: readonly VerdictWord[] = ["failed", "expired", "never_broadcast", "gone"];
/** Blocks after which a used nonce can be unused again: reorganizations are shorter. */
const REORGANIZED = 3n;

/** An unused nonce that was used before proves nothing: nodes lag; only a longer chain shows a reorganization. */
async function verdictAfterUse(
  followed: Followed,
  { verdict, facts }: Examined,
  { node }: Chain,
  now: number,
): Promise<Verdict> {
  if (facts && isUsed(facts)) followed.usedAt = { height: facts.height ?? followed.usedAt?.height };
  else if (facts && followed.usedAt && OF_UNUSED.includes(verdict.verdict)) {
    const { height } = followed.usedAt;
    const newest = await readEvmBlock(node, "latest", now);
    const isLonger = height !== undefined && "value" in newest && newest.value.number >= height + REORGANIZED;
    if (!isLonger) return { verdict: "pending", why: WAS_USED, stage: verdict.stage, missing: verdict.missing };
  }
  return verdict;
}

const WAS_USED = "the node shows its nonce as unused, after it showed the nonce as used";

function isUsed({ nonceUse, hashes }: ChainFacts): boolean {
  return nonceUse?.state === "used" || [...hashes.values()].some((found) => found?.transaction.block !== undefined);
}

/** More blocks than any chain has: without the network's confirmations, only the record shows the depth. */
const RECORD_DECIDES = 2n ** 64n;

/** Works out what became of a relayer's transactions, from all records. @returns whether a node limited the rate */
async function readVerdicts(
  request: FollowRequest,
  all: readonly Followed[],
  relayerChain: RelayerChain,
): Promise<boolean> {
  if (all.length === 0) return false;
  const chain = await relayerChain.open();
  const kind = networkKind(chain?.relayer);
  if (chain && (!request.usesChain || kind !== "evm")) {
    for (const followed of all) settleByRecord(request, followed, kind);
    return false;
  }
  if (!chain) {
    for (const followed of all) settleFollowed(request, followed, unreadVerdict(followed, NO_RELAYER));
    return false;
  }
  const account = await readAccount(chain, all, request);
  let wasLimited = false;
  for (const followed of all) {
    const nonce = wireAmount(followed.records.at(-1)?.nonce);
    const { count, baseFee } = account;
    const ahead = count !== undefined && nonce !== undefined && nonce >= count ? nonce - count : undefined;
    followed.standing = { ...followed.standing, ahead, baseFee };
  }
  for (const followed of dueFirst(all, account.count)) {
    followed.askedAt = request.clock.elapsed();
    const fault = await readChainOnce(request, followed, chain, relayerChain);
    wasLimited ||= fault?.kind === "limited";
  }
  return wasLimited;
}

const NO_RELAYER = "the relayer or its network could not be read";

function settleByRecord(request: FollowRequest, followed: Followed, kind: NetworkKind): void {
  const verdict = verdictByRecords(followed, kind);
  settleFollowed(request, followed, verdict);
  const { standing } = followed;
  followed.standing = { ...standing, end: standing.end ?? endByRecord(request.goal, followed, verdict) };
}

async function readAccount({ node }: Chain, all: readonly Followed[], request: FollowRequest) {
  const from = all.map(({ records }) => records.at(-1)?.from).find((address) => typeof address === "string");
  const count = from ? await readNonce(node, from, "latest") : undefined;
  const now = latestExaminedTime(
    request.clock.now(),
    all.map(({ records }) => records.at(-1)),
  );
  const block = request.readsFees ? await readEvmBlock(node, "latest", now) : undefined;
  return {
    count: count && "value" in count ? count.value : undefined,
    baseFee: block && "value" in block ? block.value.baseFee : undefined,
  };
}

/** Returns the transactions to ask the chain about: first used nonces, then the longest unasked. */
function dueFirst(all: readonly Followed[], count: bigint | undefined): readonly Followed[] {
  const isUsed = ({ records }: Followed) => {
    const nonce = wireAmount(records.at(-1)?.nonce);
    return count !== undefined && nonce !== undefined && nonce < count;
  };
  const longestAgo = [...all].sort((one, other) => one.askedAt - other.askedAt).slice(0, MOST_SINGLE);
  return all.filter((followed) => isUsed(followed) || longestAgo.includes(followed));
}

async function readChainOnce(
  request: FollowRequest,
  followed: Followed,
  chain: Chain,
  relayerChain: RelayerChain,
): Promise<NodeFault | undefined> {
  let examined = await examineNow(request, followed, chain);
  // The cap may have been raised in the meantime.
  const current = examined.verdict.verdict === "never_broadcast" ? await relayerChain.again() : undefined;
  if (current) examined = await examineNow(request, followed, current);
  const { facts, node } = examined;
  const verdict = await verdictAfterUse(followed, examined, chain, request.clock.now());
  const fault = examined.fault ?? partialFault(verdict);
  if (fault && followed.standing.verdict && request.remaining() <= 0) return fault;
  followed.standing = { ...followed.standing, feePaid: examinedFee(verdict, facts), node };
  if (!fault) followed.unaskedSince = undefined;
  settleFollowed(request, followed, fault ? withoutChain(request, followed, verdict, fault) : verdict);
  return fault;
}

/** Returns why a part could not be read, e.g. a receipt, if only the record is left: a later read may show it. */
function partialFault({ isByRecord, missing }: Verdict): NodeFault | undefined {
  return isByRecord && missing.length > 0 ? { kind: "failed", words: missing.join("; ") } : undefined;
}

async function examineNow(request: FollowRequest, followed: Followed, chain: Chain): Promise<Examined> {
  const { client, clock, goal, remaining, abis } = request;
  const { relayerId, hashes, wanted } = followed.target;
  const shown = { relayerId, records: requireRecord(followed), hashes, wanted, isGone: isFollowedGone(followed), abis };
  return await examineTx(chain, client, {
    ...{ ...shown, now: clock.now(), remaining, isStrict: followedNeedsChain(goal) },
    ...confirmationsFor(request, chain),
    ...(goal.until === "final" && { upTo: "finalized" }),
  });
}

/** Returns how many blocks have to follow, unless the network decides. */
function confirmationsFor({ goal }: FollowRequest, { network }: Chain): { confirmations?: bigint } {
  if (goal.until === "mined" || goal.until === "final") return { confirmations: 0n };
  if (goal.confirmations !== undefined) return { confirmations: goal.confirmations };
  return network.chainId === undefined ? { confirmations: RECORD_DECIDES } : {};
}

function settleFollowed({ goal }: FollowRequest, followed: Followed, found: Verdict): void {
  // The service may have signed it since a record showed that it was not.
  const isUnseen = followed.misses > 0 && found.verdict === "pending" && found.stage === "unsigned";
  const verdict = isUnseen ? { ...found, why: "its record was not found" } : found;
  const end = followedEnd(verdict, goal, followed.target.wanted);
  const isGone = end !== undefined && followed.misses > 0;
  followed.standing = { ...followed.standing, verdict: withExpiry(verdict, { isGone }), end };
}

interface Line {
  relayerId: string;
  all: readonly Followed[];
  chain: RelayerChain;
  /** Set once it is known that the goal can be reached. */
  isPossible: boolean;
}

const AT_ONCE = 8;

/**
 * Follows transactions until each has ended or the time runs out, and yields where all of them stand after each round
 * of reads, in the order of the targets. An outage is not an outcome: temporary failures are read again.
 * @throws RelayctlError interrupted; any lasting failure; the last failure if a transaction was never read
 */
export async function* followTransactions(request: FollowRequest): AsyncGenerator<readonly Standing[], void> {
  const { clock, interrupt, remaining } = request;
  const followed = request.targets.map(createFollowed);
  const lines = linesFor(request, followed);
  const pace = createPace(clock);
  let wasLimited = await readAll(request, lines);
  for (;;) {
    if (remaining() <= 0) endAllFollowed(followed);
    yield followed.map(({ standing }) => standing);
    if (followed.every(({ standing }) => standing.end !== undefined)) return;
    await clock.sleep(Math.max(0, Math.min(pace(wasLimited), remaining())), interrupt);
    if (interrupt.aborted) throw new RelayctlError("interrupted", "the wait was interrupted");
    // A read without time would only replace what is known.
    if (remaining() > 0) wasLimited = await readAll(request, lines);
  }
}

function linesFor(request: FollowRequest, followed: readonly Followed[]): Line[] {
  const ids = new Set(followed.map(({ target }) => target.relayerId));
  const { client, ownNode, usesChain } = request;
  return [...ids].map((relayerId) => ({
    relayerId,
    all: followed.filter(({ target }) => target.relayerId === relayerId),
    chain: createRelayerChain({ client, relayerId, isAlone: !usesChain, ...(ownNode && { ownNode }) }),
    isPossible: !followedNeedsChain(request.goal),
  }));
}

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

/** Returns whether a goal that only the chain shows can be reached. @throws RelayctlError usage if not */
async function canBeReached(
  { goal, clock, usesChain }: FollowRequest,
  read: readonly Followed[],
  relayerChain: RelayerChain,
): Promise<boolean> {
  const chain = usesChain ? await relayerChain.open() : undefined;
  const [first] = read;
  const kind = networkKind(chain?.relayer);
  if (first && chain && kind !== "evm") {
    const where = goal.until === "final" ? "--for final" : "--confirmations";
    const rule = `needs an EVM network, and relayer ${first.target.relayerId} is on ${kind}: only its records count`;
    throw usageError([{ where, rule }]);
  }
  return chain !== undefined && (goal.until !== "final" || (await hasFinalBlock(chain, clock.now())));
}

function endAllFollowed(all: readonly Followed[]): void {
  for (const followed of all) {
    const { record, trouble, end } = followed.standing;
    if (end !== undefined) continue;
    if (!record && trouble) throw trouble;
    followed.standing = { ...followed.standing, end: "pending" };
  }
}

import { readEvmBlock, readEvmBlockHash, readNonce } from "../chain/evm/read-evm.ts";
import type { NetworkFacts } from "../chain/network.ts";
import { readLagSince } from "../chain/node/late-node.ts";
import { type ChainNode, isNodeSilent, type NodeFault, nodeWithAsk, type Reading } from "../chain/node/node.ts";
import type { Client } from "../client/client.ts";
import { collectItems } from "../client/pagination/collect.ts";
import type { Transaction } from "../contract/transaction/transaction.ts";
import type { Journal } from "../journal/journal.ts";
import { type Claims, createClaims, readClaimedSends } from "./claims.ts";
import { type AuditedNonce, classifyNonce, createNonceClassifier, listNonceGaps } from "./classify.ts";
import type { MinedNonce } from "./mined-nonce.ts";
import { CHUNK, createChunkReader, type NonceReading, type NonceStore, type ReadNonce } from "./nonce-chunks.ts";
import { type At, type AuditedAccount, readNonceAccount } from "./search-nonces.ts";

/** A node's concurrent requests, and how often a limited request is retried. */
const AT_ONCE = 8;
const MOST_PAUSES = 6;
const FIRST_PAUSE = 500;

/** Asks a node a few things at a time, again after a rate limit, and no more after a fault of all requests. */
export function createPacedAuditNode(node: ChainNode, pause: (milliseconds: number) => Promise<void>): ChainNode {
  let free = AT_ONCE;
  const waiting: (() => void)[] = [];
  let ended: { fault: NodeFault } | undefined;
  const askSoon: ChainNode["ask"] = async (method, params) => {
    for (let times = 0; ; times++) {
      if (ended) return ended;
      const reading = await node.ask(method, params);
      if (!("fault" in reading) || !isNodeSilent(reading.fault)) return reading;
      if (reading.fault.kind === "limited" && times < MOST_PAUSES) await pause(FIRST_PAUSE * 2 ** times);
      else ended = reading;
    }
  };
  return nodeWithAsk(node, async (method, params) => {
    if (free > 0) free--;
    else await new Promise<void>((resume) => waiting.push(resume));
    try {
      return await askSoon(method, params);
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free++;
    }
  });
}

/** How often nonces whose blocks were replaced are read again. */
const MOST_READINGS = 3;
const REPLACED = "the chain was reorganized while it was read";

/** Yields used nonces in order; those in blocks that aren't final come last, and again after a reorganization. */
export async function* readAuditedNonces(node: ChainNode, reading: NonceReading): AsyncGenerator<readonly ReadNonce[]> {
  const { first, end, final, head } = reading.range;
  const chunks = createChunkReader(node, reading);
  const tail: ReadNonce[] = [];
  let { low } = reading.range;
  for (let from = first; from < end; ) {
    const to = least((from / CHUNK + 1n) * CHUNK, end);
    const read = await chunks.read({ from, to, low, high: head });
    const open = tail.length > 0 ? 0 : read.rows.findIndex((row) => "hash" in row && row.block > final);
    if (open < 0) low = read.next;
    else tail.push(...read.rows.slice(open));
    const settled = open < 0 ? read.rows : read.rows.slice(0, open);
    if (settled.length > 0) yield settled;
    from = to;
  }
  if (tail.length > 0) yield await confirmNonces(node, reading, tail, low);
}

/** @param low a block before them */
async function confirmNonces(node: ChainNode, reading: NonceReading, tail: readonly ReadNonce[], low: At) {
  let rows = tail;
  for (let times = 0; times < MOST_READINGS; times++) {
    if (await areCanonical(node, rows)) return rows;
    const head = await readEvmBlock(node, "latest", reading.now);
    const count = "fault" in head ? head : await readNonce(node, reading.account, head.value.number);
    if ("fault" in head || "fault" in count) break;
    // A transaction that is no longer mined is pending again.
    const first = tail[0]?.nonce ?? 0n;
    const end = least(reading.range.end, count.value);
    const again: ReadNonce[] = [];
    const chunks = createChunkReader(node, reading);
    for (let from = first; from < end; from += CHUNK) {
      const high = { block: head.value.number, count: count.value };
      again.push(...(await chunks.read({ from, to: least(from + CHUNK, end), low, high })).rows);
    }
    rows = again;
  }
  return rows.map(({ nonce }) => ({ nonce, why: REPLACED }));
}

async function areCanonical(node: ChainNode, rows: readonly ReadNonce[]): Promise<boolean> {
  const blocks = new Map(rows.flatMap((row) => ("hash" in row ? [[row.block, row.blockHash] as const] : [])));
  const same = [...blocks].map(async ([block, hash]) => {
    const found = await readEvmBlockHash(node, block);
    return "value" in found && found.value === hash;
  });
  return (await Promise.all(same)).every(Boolean);
}

function greatest(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}

function least(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}

export type Span = { since: number } | { first: bigint; last: bigint };

export interface AuditRequest {
  relayerId: string;
  /** Other relayers of the service that send from the same account. */
  twinIds?: readonly string[];
  /** The relayer's address, in lowercase. */
  account: string;
  server: string;
  client: Pick<Client, "tx">;
  node: ChainNode;
  network: Pick<NetworkFacts, "chainId" | "blockTime">;
  /** Absent if none is kept. */
  journal: Journal | undefined;
  store: NonceStore | undefined;
  span: Span;
  /** Milliseconds since 1970. */
  now: number;
}

export interface Audit {
  /** How many nonces, or other steps, are read. */
  size: bigint;
  /** Returns how many of them were read (default: as many as rows were yielded). */
  done?(): number;
  claims: Pick<Claims, "failed">;
  /** Why nonces before the first may be missing. */
  gapBefore?: string;
  /** Why nonces after the last may be missing. */
  gapAfter?: string;
  /** Which nonces of the range are not used yet. */
  unused?: string;
  rows(): AsyncGenerator<readonly AuditedNonce[]>;
  /** Reads the unused nonces that later ones wait for. */
  gaps?(): Promise<readonly AuditedNonce[]>;
}

/** Milliseconds by which a transaction may have been sent before it was mined. */
const SENT_BEFORE = 24 * 3_600_000;
const PER_PAGE = 100;

/** Counts the used nonces first, so that the records and the journal know each of them. */
export async function openAudit(request: AuditRequest): Promise<Reading<Audit>> {
  const { node, account, span, now } = request;
  const since = "since" in span ? span.since : undefined;
  const found = await readNonceAccount(node, account, { since, now });
  if ("fault" in found) return found;
  const asked = { network: request.network, since: since ?? Number.NEGATIVE_INFINITY, now };
  const behind = await readLagSince(node, found.value, asked);
  const { records, sends } = await readAuditedSends(request, since);
  const claims = createClaims(account, records, sends);
  const range = nonceRange(found.value, claims, span);
  const rows = async function* () {
    const { hashesOf } = claims;
    const classify = createNonceClassifier((mined: MinedNonce) => classifyNonce(claims, mined));
    const isWanted = (row: AuditedNonce) => since === undefined || !row.mined || row.mined.time > since;
    for await (const read of readAuditedNonces(node, { account, range, now, hashesOf, store: request.store }))
      yield read.map(classify).filter(isWanted);
  };
  const gaps = async () => {
    const read = await readGaps(request, claims, found.value);
    return read.map((gap) => (behind === undefined ? gap : hideNonce(gap, behind)));
  };
  const { count } = found.value;
  const unused =
    "since" in span || span.last < count ? undefined : { from: greatest(span.first, count), to: span.last };
  const isLast = "since" in span || unused !== undefined;
  const isOpen = found.value.first === undefined;
  return {
    value: {
      size: range.end > range.first ? range.end - range.first : 0n,
      claims,
      ...(isOpen && {
        gapBefore: `the node no longer has the state of that time; nonces before ${range.first} are not read`,
      }),
      ...(isLast && behind !== undefined && { gapAfter: `${behind}; later nonces are not read` }),
      ...(unused && { unused: `the account used ${count} nonces; ${unused.from} to ${unused.to} are not used yet` }),
      rows,
      gaps,
    },
  };
}

/** A node that lags does not show that a nonce is unused. */
function hideNonce(gap: AuditedNonce, why: string): AuditedNonce {
  return { ...gap, kind: "unreadable", evidence: [`node: ${why}`, ...gap.evidence.filter((each) => each !== "chain")] };
}

function nonceRange(found: AuditedAccount, claims: Claims, span: Span) {
  const { count } = found;
  if ("since" in span) return { ...found, first: found.first ?? claims.lowest ?? count, end: count };
  return { ...found, first: span.first, end: span.last + 1n < count ? span.last + 1n : count };
}

export async function readAuditedSends(
  {
    client,
    relayerId,
    twinIds = [],
    server,
    journal,
  }: Pick<AuditRequest, "client" | "relayerId" | "twinIds" | "server" | "journal">,
  since: number | undefined,
) {
  const relayerIds = [relayerId, ...twinIds];
  const records: Transaction[] = [];
  for (const id of relayerIds)
    records.push(...(await collectItems<Transaction>(client.tx.list(id, { perPage: PER_PAGE }))));
  const before = since === undefined ? undefined : since - SENT_BEFORE;
  const sends = journal ? await readClaimedSends(journal, { server, relayerIds, since: before }) : [];
  return { records, sends };
}

/** A nonce that was mined or sent meanwhile is none. */
async function readGaps({ node, account, span }: AuditRequest, claims: Claims, { count, pending }: AuditedAccount) {
  const [used, queued] = await Promise.all([readNonce(node, account, "latest"), readNonce(node, account, "pending")]);
  if ("fault" in used || "fault" in queued) return [];
  const unused = [count, pending, used.value, queued.value].reduce(greatest);
  if ("since" in span) return listNonceGaps(claims, { first: unused, end: undefined });
  return listNonceGaps(claims, { first: greatest(span.first, unused), end: span.last + 1n });
}

import { hexAddress } from "../../chain/evm/quantity.ts";
import { openChain } from "../../chain/open-chain.ts";
import { slotNonce } from "../../chain/queue/slots.ts";
import type { Client } from "../../client/client.ts";
import { collectItems } from "../../client/pagination/collect.ts";
import { wireAmount } from "../../contract/amount.ts";
import { groupBy } from "../../contract/group-by.ts";
import { isJsonObject, type JsonObject, objectIn } from "../../contract/json.ts";
import { receivedTime } from "../../contract/reply/received-time.ts";
import type { Relayer } from "../../contract/resources/relayer.ts";
import { isFinal, PENDING_STATUSES, type Transaction, txStatus } from "../../contract/transaction/transaction.ts";
import { ifReadable } from "../../errors.ts";
import { DAY } from "../../journal/created-in-time.ts";
import { appliedOf, type Journal, type RecordedWrite, walkWrites } from "../../journal/journal.ts";
import { findSends } from "../../recovery/find-sends.ts";
import { lostSendOf, type SendFate } from "../../recovery/lost-send.ts";
import { createRecall, type RecallWorld, recalledOutcome } from "../../recovery/recall.ts";
import type { ChainNow } from "./purse.ts";

export interface UnshownWorld extends Pick<RecallWorld, "ownNode" | "server" | "now"> {
  client: Client;
  /** The journal in use, and the usual journal if it differs. */
  journals: readonly Journal[];
  records: boolean;
}

interface Asked {
  purse: Relayer;
  relayers: readonly Relayer[];
  at: ChainNow;
  /** In lowercase. */
  addresses: ReadonlySet<string>;
  /** A high price per gas, for transactions that don't show theirs. */
  price: bigint;
}

/** A transaction that the state does not include, from a record, a request, or the chain. */
type Moving = JsonObject;

interface Kept {
  write: RecordedWrite;
  journal: Journal;
}

interface Sends {
  accepted: Kept[];
  /** Whether these were accepted is unknown. */
  lost: Kept[];
}

/**
 * Returns what was sent and a block's state does not include yet: what the service has in progress, what the journal
 * knows, and every request that may have been applied or may still arrive. A transaction whose nonce is used at that block
 * is part of the balances.
 * @throws RelayctlError if the service, the journal, or the chain can't be read
 */
export async function readUnshown(world: UnshownWorld, asked: Asked) {
  const { purse, addresses, price } = asked;
  const to = new Map<string, bigint>();
  let outgoing = 0n;
  for (const [id, sends] of await readSends(world, asked)) {
    for (const each of await readMoving(world, asked, id, sends)) {
      const [address = "", value = 0n] = [hexAddress(each.to), wireAmount(each.value)];
      if (addresses.has(address)) to.set(address, (to.get(address) ?? 0n) + value);
      const perGas = wireAmount(each.max_fee_per_gas) ?? wireAmount(each.gas_price) ?? price;
      if (id === purse.id) outgoing += value + perGas * (wireAmount(each.gas_limit) ?? 0n);
    }
  }
  return { to, outgoing };
}

async function readSends({ journals, server, now }: UnshownWorld, asked: Asked) {
  const { purse } = asked;
  const found = new Map<string, Sends>([[purse.id, { accepted: [], lost: [] }]]);
  for (const journal of journals)
    for await (const write of walkWrites(journal, now() - DAY)) {
      const id = isToTarget(write, asked) ? findPayer(write, server, asked) : undefined;
      if (id === undefined) continue;
      const sends = found.get(id) ?? { accepted: [], lost: [] };
      found.set(id, sends);
      const state = groupFor(write);
      if (state) sends[state].push({ write, journal });
    }
  return found;
}

function groupFor(write: RecordedWrite): keyof Sends | undefined {
  const { outcome } = write;
  if (typeof outcome?.after?.id === "string") return "accepted";
  return appliedOf(write) === "unknown" || outcome?.status !== undefined || isMined(write) ? "lost" : undefined;
}

function isToTarget({ intent: { operation, body } }: RecordedWrite, { addresses }: Asked): boolean {
  return operation === "tx.send" && isJsonObject(body) && addresses.has(hexAddress(body.to) ?? "");
}

/** A service has several names and contexts: the account that paid decides, or the ID if no response shows an account. */
function findPayer({ intent, outcome }: RecordedWrite, server: string, { relayers, purse }: Asked): string | undefined {
  const { relayer_id: id = "" } = intent.ids;
  const isHere = (relayer: Relayer) => isOnSameNetwork(relayer, purse);
  if (intent.server === server) return relayers.some((each) => each.id === id && !isHere(each)) ? undefined : id;
  const from = hexAddress(outcome?.after?.from);
  const isPayer = ({ id: other, address }: Relayer) =>
    from === undefined ? other === id : hexAddress(address) === from;
  const payers = relayers.filter((each) => isHere(each) && isPayer(each)).map((each) => each.id);
  // Two relayers may have one account.
  return payers.includes(id) ? id : payers[0];
}

export function isOnSameNetwork(one: Relayer, other: Relayer): boolean {
  return one.network === other.network && one.network_type === other.network_type;
}

function isMined({ outcome }: RecordedWrite): boolean {
  return typeof outcome?.after?.hash === "string" && outcome.after.id === undefined;
}

async function readMoving(world: UnshownWorld, { at, relayers }: Asked, id: string, sends: Sends): Promise<Moving[]> {
  const { client } = world;
  const own = hexAddress(relayers.find((relayer) => relayer.id === id)?.address);
  if (own === undefined) return [...sends.accepted, ...sends.lost].map(({ write }) => requestIn(write));
  const nonce = await at.nonceOf(own);
  const moving = new Map<string, Moving>();
  const add = (record: Transaction) => {
    if (isUnshown(record, nonce)) moving.set(record.id, record);
  };
  for (const status of [...PENDING_STATUSES, "mined"] as const)
    for (const record of await collectItems<Transaction>(client.tx.list(id, {}, status), (each) =>
      isUnshown(each, nonce),
    ))
      add(record);
  const left = await readListed(world, id, sends.accepted, add);
  for (const write of await recallAccepted(world, id, left, nonce)) moving.set(write.intent.id, requestIn(write));
  for (const [write, finding] of await settleLost(world, id, sends.lost)) {
    if (finding.state === "sent" && "record" in finding) add(finding.record.data);
    else if (isMoving(write, finding, at)) moving.set(write.intent.id, requestIn(write));
  }
  return [...moving.values()];
}

/** Returns whether a lost request counts: a refusal only if its transaction was found. */
function isMoving(write: RecordedWrite, finding: SendFate, { block }: ChainNow): boolean {
  if (finding.state === "sent") return "mined" in finding && (finding.mined.block ?? block + 1n) > block;
  return finding.state === "unknown" && appliedOf(write) === "unknown";
}

function isUnshown(record: Transaction, nonce: bigint): boolean {
  return slotNonce(record) === undefined ? !isFinal(txStatus(record)) : (slotNonce(record) ?? 0n) >= nonce;
}

function requestIn({ intent: { body } }: RecordedWrite): Moving {
  return objectIn(body);
}

async function readListed(
  { client }: UnshownWorld,
  relayerId: string,
  accepted: readonly Kept[],
  add: (record: Transaction) => void,
): Promise<Kept[]> {
  const left = new Map(accepted.map((kept) => [acceptedId(kept), kept]));
  if (left.size === 0) return [];
  for await (const { items } of client.tx.list(relayerId, { concurrency: 1 })) {
    for (const item of items) if (left.delete(item.id)) add(item);
    if (left.size === 0) break;
  }
  return [...left.values()];
}

/** Milliseconds for which an accepted transaction that neither service nor chain shows still counts. */
const FRESH = 2 * 3_600_000;

function acceptedId({ write: { outcome } }: Kept): string {
  return String(outcome?.after?.id);
}

/** Groups writes by their journal, and by the name of the service then: only there they are found. */
function groupByKeeper(kept: readonly Kept[]) {
  const journals = [...new Set(kept.map(({ journal }) => journal))];
  const groups = groupBy(kept, ({ journal, write }) => `${journals.indexOf(journal)} ${write.intent.server}`);
  return [...groups.values()].map((all) => ({ all, journal: all[0].journal, server: all[0].write.intent.server }));
}

async function recallAccepted(world: UnshownWorld, relayerId: string, accepted: readonly Kept[], nonce: bigint) {
  const moving: RecordedWrite[] = [];
  for (const { all, journal, server } of groupByKeeper(accepted)) {
    const found = await createRecall({ ...world, journal, server })(relayerId, all.map(acceptedId));
    for (const kept of all) {
      const records = found.get(acceptedId(kept))?.records ?? [];
      const used = records.flatMap((record) => slotNonce(record) ?? []).at(-1);
      const isFresh = world.now() - receivedTime(kept.write.intent.time) < FRESH;
      if (used === undefined ? isFresh : used >= nonce) moving.push(kept.write);
    }
  }
  return moving;
}

async function settleLost(world: UnshownWorld, relayerId: string, lost: readonly Kept[]) {
  const { client, ownNode, now, records, server: ownName } = world;
  const chain = () => openChain({ client, relayerId, ownNode });
  const found: (readonly [RecordedWrite, SendFate])[] = [];
  for (const { all, journal, server } of groupByKeeper(lost)) {
    const sends = all.map(({ write: { intent } }) => lostSendOf(intent));
    const findings = await findSends({ client, relayerId, server, journal, now, chain }, sends);
    // The lost lines may have the payment whose transaction was found.
    const canRecord = records && (await ifReadable(journal.requireComplete().then(() => true)));
    for (const { write } of all) {
      const finding = findings.get(write.intent.id);
      if (!finding) continue;
      found.push([write, finding]);
      // Another name may be another service's, which could still have the transaction.
      const isOwn = server === ownName;
      if (!canRecord || !isOwn || !isNewFate(write, finding)) continue;
      const { id, run } = write.intent;
      const of = { id, run, time: new Date(now()).toISOString() };
      await journal.append(recalledOutcome(finding, of), { isSynced: true });
    }
  }
  return found;
}

function isNewFate(write: RecordedWrite, { state }: SendFate): boolean {
  return state === "unsent" ? appliedOf(write) === "unknown" : state === "sent" && !isMined(write);
}

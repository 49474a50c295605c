import { addressQuantity } from "../../chain/evm/quantity.ts";
import { openChain } from "../../chain/open-chain.ts";
import { slotNonce } from "../../chain/queue/slots.ts";
import type { Client } from "../../client/client.ts";
import { collectItems } from "../../client/pagination/collect.ts";
import { wireAmount } from "../../contract/amount.ts";
import { isJsonObject, type JsonObject, objectIn } from "../../contract/json.ts";
import { receivedTime } from "../../contract/reply/received-time.ts";
import type { Relayer } from "../../contract/resources/relayer.ts";
import { isFinal, PENDING_STATUSES, type Transaction, txStatus } from "../../contract/transaction/transaction.ts";
import { DAY } from "../../journal/created-in-time.ts";
import { appliedOf, type Intent, type Journal, journalNewestFirst, type RecordedWrite } from "../../journal/journal.ts";
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

interface Sends {
  accepted: RecordedWrite[];
  /** Whether these were accepted is unknown. */
  lost: [RecordedWrite, Journal][];
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
      const [address = "", value = 0n] = [addressQuantity(each.to), wireAmount(each.value)];
      if (addresses.has(address)) to.set(address, (to.get(address) ?? 0n) + value);
      const perGas = wireAmount(each.max_fee_per_gas) ?? wireAmount(each.gas_price) ?? price;
      if (id === purse.id) outgoing += value + perGas * (wireAmount(each.gas_limit) ?? 0n);
    }
  }
  return { to, outgoing };
}

async function readSends({ journals, server, now }: UnshownWorld, { purse, relayers, addresses }: Asked) {
  const found = new Map<string, Sends>([[purse.id, { accepted: [], lost: [] }]]);
  const others = new Set(relayers.filter((each) => !isOnSameNetwork(each, purse)).map(({ id }) => id));
  const isWanted = ({ operation, body, ids, server: origin }: Intent) =>
    operation === "tx.send" &&
    origin === server &&
    !others.has(ids.relayer_id ?? "") &&
    isJsonObject(body) &&
    addresses.has(addressQuantity(body.to) ?? "");
  for (const journal of journals)
    for await (const write of journalNewestFirst(journal, now() - DAY, { mayRound: true })) {
      if (!isWanted(write.intent)) continue;
      const { relayer_id: id = "" } = write.intent.ids;
      const sends = found.get(id) ?? { accepted: [], lost: [] };
      found.set(id, sends);
      if (typeof write.outcome?.after?.id === "string") sends.accepted.push(write);
      else if (appliedOf(write) === "unknown" || write.outcome?.status !== undefined || isMined(write))
        sends.lost.push([write, journal]);
    }
  return found;
}

export function isOnSameNetwork(one: Relayer, other: Relayer): boolean {
  return one.network === other.network && one.network_type === other.network_type;
}

function isMined({ outcome }: RecordedWrite): boolean {
  return typeof outcome?.after?.hash === "string" && outcome.after.id === undefined;
}

async function readMoving(world: UnshownWorld, { at, relayers }: Asked, id: string, sends: Sends): Promise<Moving[]> {
  const { client } = world;
  const own = addressQuantity(relayers.find((relayer) => relayer.id === id)?.address);
  if (own === undefined) return [...sends.accepted, ...sends.lost.map(([write]) => write)].map(requestIn);
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
  for (const write of await recalled(world, id, left, nonce)) moving.set(write.intent.id, requestIn(write));
  for (const [write, finding] of await settled(world, id, sends.lost)) {
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
  accepted: readonly RecordedWrite[],
  add: (record: Transaction) => void,
): Promise<RecordedWrite[]> {
  const left = new Map(accepted.map((write) => [String(write.outcome?.after?.id), write]));
  if (left.size === 0) return [];
  for await (const { items } of client.tx.list(relayerId, { concurrency: 1 })) {
    for (const item of items) if (left.delete(item.id)) add(item);
    if (left.size === 0) break;
  }
  return [...left.values()];
}

/** Milliseconds for which an accepted transaction that neither service nor chain shows still counts. */
const FRESH = 2 * 3_600_000;

async function recalled(world: UnshownWorld, relayerId: string, writes: readonly RecordedWrite[], nonce: bigint) {
  const [journal] = world.journals;
  if (writes.length === 0 || !journal) return [];
  const ids = writes.map(({ outcome }) => String(outcome?.after?.id));
  const found = await createRecall({ ...world, journal })(relayerId, ids);
  return writes.filter(({ intent, outcome }) => {
    const records = found.get(String(outcome?.after?.id))?.records ?? [];
    const used = records.flatMap((record) => slotNonce(record) ?? []).at(-1);
    return used === undefined ? world.now() - receivedTime(intent.time) < FRESH : used >= nonce;
  });
}

async function settled(world: UnshownWorld, relayerId: string, lost: Sends["lost"]) {
  const { client, ownNode, server, now, records } = world;
  const chain = () => openChain({ client, relayerId, ownNode });
  const all: (readonly [RecordedWrite, SendFate])[] = [];
  for (const journal of new Set(lost.map(([, keeper]) => keeper))) {
    const writes = lost.flatMap(([write, keeper]) => (keeper === journal ? write : []));
    const sends = writes.map(({ intent }) => lostSendOf(intent));
    const findings = await findSends({ client, relayerId, server, journal, now, chain }, sends);
    for (const write of writes) {
      const finding = findings.get(write.intent.id);
      if (!finding) continue;
      all.push([write, finding]);
      if (records && isNews(write, finding)) await record(journal, write.intent, finding, now());
    }
  }
  return all;
}

function isNews(write: RecordedWrite, { state }: SendFate): boolean {
  return state === "unsent" ? appliedOf(write) === "unknown" : state === "sent" && !isMined(write);
}

async function record(journal: Journal, { id, run }: Intent, finding: SendFate, now: number): Promise<void> {
  const of = { id, run, time: new Date(now).toISOString() };
  await journal.append(recalledOutcome(finding, of), { isSynced: true });
}

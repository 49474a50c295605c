import { isSameVersion, versionOf } from "../../../chain/verdict/version.ts";
import type { Client } from "../../../client/client.ts";
import { wireAmount } from "../../../contract/amount.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../contract/json.ts";
import { receivedTime } from "../../../contract/reply/received-time.ts";
import type { Transaction } from "../../../contract/transaction/transaction.ts";
import type { Intent } from "../../../journal/entry.ts";
import type { Journal } from "../../../journal/journal.ts";
import { appliedOf, writesNewestFirst, writesOf } from "../../../journal/writes.ts";
import { mayHaveBeen } from "../../../recovery/earlier-version.ts";

/** Milliseconds. No request is delivered later than this. */
const LONGEST_DELAY = 3_600_000;

/** The records that may be the result of an intent. */
export interface Candidates {
  records: readonly Transaction[];
  /** Another write whose outcome is unknown may have created one of them. */
  rival?: Intent;
}

/**
 * Finds the records that agree with an intent: created after it, with the same receiver, value, data, and gas limit, and
 * not known to belong to another write. Records of Solana and Stellar show too little of a request to agree with one,
 * except for a built transaction that is returned as it was sent (facts 5.2).
 */
export async function candidatesFor(client: Client, journal: Journal, intent: Intent): Promise<Candidates> {
  const { agreeing, others } = await listedSince(client, intent);
  // In this order: if the outcome of a rival is recorded just now, its record belongs to it by then.
  const rival = agreeing.length > 0 ? await rivalOf(journal, intent) : undefined;
  const found = await unclaimed(journal, intent, agreeing);
  // What shows something else now is no result, but it may be the one.
  const changed = found.length === 1 ? await changedSince(journal, intent, others) : [];
  const records = [...found, ...(await unclaimed(journal, intent, changed))];
  return { records, ...(rival && records.length === 1 && { rival }) };
}

interface Listed {
  agreeing: Transaction[];
  /** Those that the request may have created as well, and that show something else now. */
  others: Transaction[];
}

async function listedSince(client: Client, { ids, time, body }: Intent): Promise<Listed> {
  const since = receivedTime(time);
  const listed: Listed = { agreeing: [], others: [] };
  for await (const record of recordsSince(client, ids.relayer_id ?? "", since)) {
    if (agrees(body, record)) listed.agreeing.push(record);
    else if (receivedTime(record.created_at) <= since + LONGEST_DELAY) listed.others.push(record);
  }
  return listed;
}

/** Returns the records that may have agreed with an intent until they were canceled or replaced. */
async function changedSince(
  journal: Journal,
  { body }: Intent,
  others: readonly Transaction[],
): Promise<Transaction[]> {
  const wanted = isJsonObject(body) ? versionOf(body) : undefined;
  const changed: Transaction[] = [];
  for (const record of others) if (wanted && (await mayHaveBeen(journal, record, wanted))) changed.push(record);
  return changed;
}

/** The list is sorted newest first. */
async function* recordsSince(client: Client, relayerId: string, since: number): AsyncGenerator<Transaction> {
  for await (const { items } of client.tx.list(relayerId, { concurrency: 1 })) {
    for (const item of items as readonly Transaction[]) {
      const created = receivedTime(item.created_at);
      if (created < since) return;
      if (created >= since) yield item;
    }
  }
}

function agrees(body: JsonValue | undefined, record: JsonObject): boolean {
  if (!isJsonObject(body)) return false;
  const wanted = versionOf(body);
  if (!wanted) return isSameText(body, record, "transaction") || isSameText(body, record, "transaction_xdr");
  const version = versionOf(record);
  const gas = wireAmount(body.gas_limit);
  // Without a gas limit in the request, the service estimates one.
  const hasSameGas = gas === undefined || gas === wireAmount(record.gas_limit);
  return version !== undefined && isSameVersion(wanted, version) && hasSameGas;
}

function isSameText(body: JsonObject, record: JsonObject, field: string): boolean {
  const text = body[field];
  return typeof text === "string" && text !== "" && text === record[field];
}

/** Returns the records that are not known to belong to another write. */
async function unclaimed(journal: Journal, intent: Intent, records: readonly Transaction[]): Promise<Transaction[]> {
  const own: Transaction[] = [];
  for (const record of records) if (!(await belongsToOther(journal, intent, record))) own.push(record);
  return own;
}

async function belongsToOther(journal: Journal, { id }: Intent, record: Transaction): Promise<boolean> {
  const writes = writesOf(await journal.find(record.id));
  return writes.some(
    ({ intent, outcome }) => intent.operation === "tx.send" && intent.id !== id && outcome?.after?.id === record.id,
  );
}

async function rivalOf(journal: Journal, own: Intent): Promise<Intent | undefined> {
  for await (const write of writesNewestFirst(journal, receivedTime(own.time) - LONGEST_DELAY)) {
    const { intent } = write;
    const isOther = intent.id !== own.id && intent.operation === "tx.send" && appliedOf(write) === "unknown";
    if (!isOther || intent.server !== own.server || intent.ids.relayer_id !== own.ids.relayer_id) continue;
    if (isJsonObject(intent.body) && agrees(own.body, intent.body)) return intent;
  }
  return undefined;
}

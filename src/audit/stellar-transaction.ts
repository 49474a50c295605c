import { wireAmount } from "../contract/amount.ts";
import { isOfAccount } from "../contract/encoding/strkey.ts";
import { isJsonObject, type JsonObject, type JsonValue, textIn, writeJson } from "../contract/json.ts";
import { type ListedTransaction, listObjects, onlyText, parseSeconds } from "./history.ts";
import type { Unread } from "./nonce-chunks.ts";

/**
 * Parses a transaction of Stellar's RPC in the form of JSON; undefined for one that an account neither sent, nor paid,
 * nor has an operation in.
 */
export function parseStellar(shown: JsonObject, account: string): ListedTransaction | Unread | undefined {
  const hash = textIn(shown.txHash).toLowerCase();
  const envelope = envelopeIn(shown.envelopeJson);
  if (!envelope) return { nonce: null, hash, why: "the transaction has an unknown form, so it may be the relayer's" };
  const { payer, source, operations } = envelope;
  const isOwn = (address: JsonValue | undefined) => typeof address === "string" && isOfAccount(address, account);
  const own = operations.filter(({ source_account: sender }) => isOwn(sender ?? source));
  if (!isOwn(payer) && !isOwn(source) && own.length === 0) return undefined;
  const result = isJsonObject(shown.resultJson) ? shown.resultJson : {};
  const [block, time, charged] = [
    wireAmount(shown.ledger),
    parseSeconds(shown.createdAt),
    wireAmount(result.fee_charged),
  ];
  const spent = spentIn(shown.resultMetaJson, account);
  if (hash === "" || block === undefined || time === undefined || charged === undefined || spent === undefined)
    return { nonce: null, hash, why: "the transaction does not show its fee, its time, or the balances" };
  const inner = innerHash(result);
  return {
    ...{ nonce: isOwn(source) ? envelope.sequence : null, hash, from: account, to: receiverIn(own) },
    ...{ value: spent > 0n ? spent : 0n, data: writeJson([operations, envelope.memo]), block, time },
    ...{ fee: isOwn(payer) ? charged : 0n, reverted: shown.status !== "SUCCESS", ...(inner !== "" && { inner }) },
  };
}

interface Envelope {
  payer: JsonValue | undefined;
  source: JsonValue | undefined;
  sequence: bigint | null;
  operations: JsonObject[];
  memo: JsonValue;
}

function envelopeIn(value: JsonValue | undefined): Envelope | undefined {
  const bump = objectAt(value, "tx_fee_bump", "tx");
  const tx = objectAt(bump ? bump.inner_tx : value, "tx", "tx");
  if (!tx) return undefined;
  const { source_account: source, seq_num: sequence, operations, memo = null } = tx;
  return {
    ...{ payer: bump ? bump.fee_source : source, source, memo, operations: listObjects(operations) },
    sequence: wireAmount(sequence) ?? null,
  };
}

function objectAt(value: JsonValue | undefined, ...path: readonly string[]): JsonObject | undefined {
  let found = value;
  for (const key of path) found = isJsonObject(found) ? found[key] : undefined;
  return isJsonObject(found) ? found : undefined;
}

/** The fields of operations with the account that gets something. `account_merge` is the account itself. */
const RECEIVERS = ["destination", "contract_address", "account_merge"];

function receiverIn(operations: readonly JsonObject[]): string | null {
  return onlyText(operations.flatMap(({ body }) => listAt(body, RECEIVERS)));
}

/** Returns the values of some keys, at any depth outside of lists. */
function listAt(value: JsonValue | undefined, keys: readonly string[]): JsonValue[] {
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, each]) =>
    keys.includes(key) && typeof each === "string" ? [each] : listAt(each, keys),
  );
}

/** Returns what operations took from the balance of an account, in stroops; undefined if that is not shown. */
function spentIn(meta: JsonValue | undefined, account: string): bigint | undefined {
  const [version] = isJsonObject(meta) ? Object.values(meta) : [];
  if (!isJsonObject(version) || !Array.isArray(version.operations)) return undefined;
  const changes = listObjects(version.operations).flatMap((each) => listObjects(each.changes));
  const balances = changes.flatMap((change) => balanceIn(change, account) ?? []);
  const [first, last] = [balances[0], balances.at(-1)];
  return first === undefined || last === undefined ? 0n : first - last;
}

/** Returns the balance of an account in a change of the ledger: nothing once it is removed. */
function balanceIn(change: JsonObject, account: string): bigint | undefined {
  const removed = objectAt(change, "removed", "account");
  if (removed) return removed.account_id === account ? 0n : undefined;
  const [entry] = Object.values(change);
  const found = objectAt(entry, "data", "account");
  return found?.account_id === account ? wireAmount(found.balance) : undefined;
}

/** Returns the hash of the transaction in a fee bump. */
function innerHash(result: JsonObject): string {
  const [found] = isJsonObject(result.result) ? Object.values(result.result) : [];
  return isJsonObject(found) ? textIn(found.transaction_hash).toLowerCase() : "";
}

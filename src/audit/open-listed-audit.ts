import { type ChainNode, nodeFault, nodeValue, type Reading, readFromNode } from "../chain/node/node.ts";
import { timeText } from "../contract/age-text.ts";
import { wireAmount } from "../contract/amount.ts";
import { isStrkeyOf } from "../contract/encoding/strkey.ts";
import { isJsonObject, type JsonObject, type JsonValue, textIn, writeJson } from "../contract/json.ts";
import { LAST_SECOND } from "../contract/rfc3339.ts";
import { showsTransactionCancellation, type Transaction, txStatus } from "../contract/transaction/transaction.ts";
import { RelayctlError } from "../errors.ts";
import { type Claim, type JournaledSend, SKEW } from "./claims.ts";
import { claimRecords, createNonceClassifier, type Judged } from "./classify.ts";
import type { MinedTransaction } from "./mined-nonce.ts";
import type { Unread } from "./nonce-chunks.ts";
import { type Audit, type AuditRequest, readAuditedSends } from "./open-audit.ts";

/** The most signatures that a node lists at a time, and the transactions that are read together. */
const MOST_LISTED = 1_000;
const CHUNK = 64;
/** Final blocks only: nothing that was read is replaced. */
const FINAL = { commitment: "finalized" };

interface Signature {
  signature: string;
  /** Undefined if the node does not know it. */
  time: number | undefined;
}

async function openSolanaHistory(node: ChainNode, { account, since }: HistoryRequest): Promise<Reading<History>> {
  const found = new Set<string>();
  const rows = () => readRows(node, account, [...found]);
  let before: string | undefined;
  for (let isOpen = true; isOpen; ) {
    const params = { limit: MOST_LISTED, ...FINAL, ...(before !== undefined && { before }) };
    const page = await readFromNode(node, "getSignaturesForAddress", [account, params], parseSignatures);
    if ("fault" in page) return page;
    const isOld = ({ time }: Signature) => time !== undefined && time <= since;
    const end = page.value.findIndex(isOld);
    const known = found.size;
    for (const { signature } of end < 0 ? page.value : page.value.slice(0, end)) found.add(signature);
    before = page.value.at(-1)?.signature;
    if (end >= 0) return { value: { size: BigInt(found.size), rows } };
    isOpen = page.value.length === MOST_LISTED;
    if (isOpen && found.size === known) return nodeFault("the node lists the same signatures again and again");
  }
  const begins = await readBeginning(node, since);
  return { value: { size: BigInt(found.size), rows, ...begins } };
}

/** Returns why earlier transactions may be missing: the node may have fewer blocks than were wanted. */
async function readBeginning(node: ChainNode, since: number): Promise<{ gapBefore?: string }> {
  const slot = await readFromNode(node, "getFirstAvailableBlock", [], wireAmount);
  if ("value" in slot && slot.value <= 1n) return {};
  const time = "fault" in slot ? slot : await readFromNode(node, "getBlockTime", [slot.value], parseSeconds);
  if ("fault" in time) return { gapBefore: `the node does not show where its history begins: ${time.fault.words}` };
  if (time.value <= since || "fault" in slot) return {};
  const begins = timeText(time.value);
  return { gapBefore: `the node's history begins at ${begins} with slot ${slot.value}; nothing before it is read` };
}

async function* readRows(node: ChainNode, account: string, signatures: readonly string[]) {
  const ordered = signatures.toReversed();
  for (let at = 0; at < ordered.length; at += CHUNK) {
    const rows = await Promise.all(ordered.slice(at, at + CHUNK).map((hash) => readOne(node, account, hash)));
    yield rows.flatMap((row) => row ?? []);
  }
}

const READ_OPTIONS = { encoding: "jsonParsed", maxSupportedTransactionVersion: 0, ...FINAL };

/** Returns undefined for a transaction that the account did not sign: it was paid. */
async function readOne(node: ChainNode, account: string, hash: string) {
  const reading = await node.ask("getTransaction", [hash, READ_OPTIONS]);
  const parsed = "fault" in reading ? reading : parseTransaction(reading.value, account, hash);
  return parsed && "fault" in parsed ? { nonce: null, hash, why: parsed.fault.words } : parsed;
}

function parseTransaction(value: JsonValue, account: string, hash: string) {
  const { slot, blockTime, meta, transaction } = isJsonObject(value) ? value : {};
  const message = isJsonObject(transaction) && isJsonObject(transaction.message) ? transaction.message : {};
  const keys = objectsOf(message.accountKeys);
  const index = keys.findIndex(({ pubkey }) => pubkey === account);
  const [block, time] = [wireAmount(slot), parseSeconds(blockTime)];
  if (!isJsonObject(meta) || keys.length === 0 || block === undefined || time === undefined)
    return nodeFault(value === null ? "the node does not have the transaction" : "the transaction is incomplete");
  if (keys[index]?.signer !== true) return undefined;
  const fee = index === 0 ? wireAmount(meta.fee) : 0n;
  const [before, after] = [meta.preBalances, meta.postBalances].map((all) =>
    Array.isArray(all) ? wireAmount(all[index]) : undefined,
  );
  if (fee === undefined || before === undefined || after === undefined)
    return nodeFault("the transaction does not show its fee, or the balances");
  const spent = before - after - fee;
  const instructions = objectsOf(message.instructions);
  return {
    ...{ nonce: null, hash, from: account, to: receiverIn(instructions, account), value: spent > 0n ? spent : 0n },
    ...{ data: writeJson(instructions), block, time, fee, reverted: (meta.err ?? null) !== null },
  };
}

function receiverIn(instructions: readonly JsonObject[], account: string): string | null {
  const receivers = instructions.flatMap(({ program, parsed }) => {
    const { info } = isJsonObject(parsed) ? parsed : {};
    return program === "system" && isJsonObject(info) && info.source === account
      ? [info.destination ?? info.newAccount]
      : [];
  });
  return onlyText(receivers);
}

function parseSignatures(value: JsonValue): Signature[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const found = objectsOf(value).flatMap(({ signature, blockTime }) =>
    typeof signature === "string" ? [{ signature, time: parseSeconds(blockTime) }] : [],
  );
  return found.length === value.length ? found : undefined;
}

export function openListedHistory(kind: "solana" | "stellar", node: ChainNode): HistoryOpener {
  return (request) => (kind === "solana" ? openSolanaHistory : openStellarHistory)(node, request);
}

interface ListedAuditRequest extends Omit<AuditRequest, "node" | "network" | "store" | "span" | "now"> {
  openHistory: HistoryOpener;
  /** Milliseconds since 1970. */
  since: number;
}

/** Reads the account's node (Stellar or Solana) before the records and the journal. */
export async function openListedAudit(request: ListedAuditRequest): Promise<Reading<Audit>> {
  const { account, since, openHistory } = request;
  const history = await openHistory({ account, since });
  if ("fault" in history) return history;
  const { records, sends } = await readAuditedSends(request, since);
  const judge = createJudge(records, sends);
  return {
    value: {
      ...history.value,
      claims: { failed: records.filter((record) => ["failed", "expired"].includes(txStatus(record))) },
      rows: async function* () {
        const classify = createNonceClassifier(judge);
        yield [];
        for await (const read of history.value.rows()) yield read.map(classify);
      },
    },
  };
}

function createJudge(records: readonly Transaction[], sends: readonly JournaledSend[]) {
  const byHash = new Map<string, Claim>();
  const bySequence = new Map<bigint, Claim>();
  const byId = new Map(sends.map((send) => [send.id ?? "", send]));
  const recorded = new Set(records.map(({ id }) => id));
  const others = sends.filter(({ id }) => !recorded.has(id ?? "")).map((send): Claim => ({ send }));
  for (const claim of [...records.map((record): Claim => ({ record, send: byId.get(record.id) })), ...others])
    for (const { hash, signature, sequence_number: sequence } of claimRecords(claim)) {
      const [name, number] = [textIn(hash ?? signature), wireAmount(sequence)];
      if (name !== "") byHash.set(name, claim);
      // The service shows 0 until it has assigned one (facts 5.2).
      if (number !== undefined && number > 0n) bySequence.set(number, claim);
    }
  const known = new Set([...byHash.values(), ...bySequence.values()]);
  const open = new Set(others.filter((claim) => !known.has(claim)));
  const takeOpen = ({ payments, time }: ListedTransaction): Claim | undefined => {
    const pays = ({ send }: Claim) =>
      send?.records.some(({ operations }) => paymentsKey(operations) === payments) && send.time <= time + SKEW;
    const found = payments === undefined ? undefined : [...open].filter(pays).at(-1);
    if (found) open.delete(found);
    return found;
  };
  return (mined: ListedTransaction): Judged => {
    const { hash, inner = "", nonce } = mined;
    const claim = byHash.get(hash) ?? byHash.get(inner);
    if (claim)
      return { kind: claim.record && showsTransactionCancellation(claim.record) ? "cancel_lost" : "recorded", claim };
    const other = nonce === null ? undefined : bySequence.get(nonce);
    if (other) return { kind: "other_version", claim: other, isPresumed: true };
    const sent = takeOpen(mined);
    return sent ? { kind: "recorded", claim: sent } : { kind: "foreign" };
  };
}

interface HistoryRequest {
  account: string;
  /** Milliseconds since 1970. */
  since: number;
}

/** A transaction, with another hash that a record may have. */
interface ListedTransaction extends MinedTransaction {
  inner?: string;
  /** What it pays, as `listPayments` returns it. */
  payments?: string | undefined;
}

interface History {
  /** The number of transactions, or of ledgers that are read for them. */
  size: bigint;
  /** Why earlier transactions are missing. */
  gapBefore?: string;
  /** Returns how many of them were read (default: as many as rows were yielded). */
  done?(): number;
  /** Reads the transactions, oldest first. @throws RelayctlError if the node no longer lists them */
  rows(): AsyncGenerator<readonly (ListedTransaction | Unread)[]>;
}

type HistoryOpener = (request: HistoryRequest) => Promise<Reading<History>>;

function parseSeconds(value: JsonValue | undefined): number | undefined {
  const seconds = typeof value === "string" || typeof value === "number" ? Number(value) : Number.NaN;
  return Number.isInteger(seconds * 1_000) && seconds > 0 && seconds <= LAST_SECOND ? seconds * 1_000 : undefined;
}

function objectsOf(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

/** Returns a list's only text, if there is exactly one. */
function onlyText(texts: readonly (JsonValue | undefined)[]): string | null {
  const [first, ...others] = new Set(texts.filter((text) => typeof text === "string"));
  return others.length === 0 ? (first ?? null) : null;
}

function parseStellar(shown: JsonObject, account: string): ListedTransaction | Unread | undefined {
  const hash = textIn(shown.txHash).toLowerCase();
  const envelope = envelopeIn(shown.envelopeJson);
  if (!envelope) return { nonce: null, hash, why: "the transaction has an unknown form, so it may be the relayer's" };
  const { payer, source, operations } = envelope;
  const isOwn = (address: JsonValue | undefined) => typeof address === "string" && isStrkeyOf(address, account);
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
    ...{ nonce: isOwn(source) ? envelope.sequence : null, hash, from: account },
    to: onlyText(own.flatMap(({ body }) => textsUnder(body, RECEIVERS))),
    ...{ value: spent > 0n ? spent : 0n, data: writeJson([operations, envelope.memo]), block, time },
    ...{ fee: isOwn(payer) ? charged : 0n, reverted: shown.status !== "SUCCESS", ...(inner !== "" && { inner }) },
    payments: paymentsKey(operations),
  };
}

function envelopeIn(value: JsonValue | undefined) {
  const bump = objectAt(value, "tx_fee_bump", "tx");
  const tx = objectAt(bump ? bump.inner_tx : value, "tx", "tx");
  if (!tx) return undefined;
  const { source_account: source, seq_num: sequence, operations, memo = null } = tx;
  return {
    ...{ payer: bump ? bump.fee_source : source, source, memo, operations: objectsOf(operations) },
    sequence: wireAmount(sequence) ?? null,
  };
}

function objectAt(value: JsonValue | undefined, ...path: readonly string[]): JsonObject | undefined {
  let found = value;
  for (const key of path) found = isJsonObject(found) ? found[key] : undefined;
  return isJsonObject(found) ? found : undefined;
}

/** Returns what operations pay, the same for a request and for the chain; undefined if one of them does not pay. */
function paymentsKey(operations: JsonValue | undefined): string | undefined {
  const found = objectsOf(operations).map((operation) => {
    const payment = objectAt(operation, "body", "payment") ?? (operation.type === "payment" ? operation : undefined);
    if (!payment) return undefined;
    const { destination, amount, asset } = payment;
    const credit = objectAt(asset, "credit_alphanum4") ?? objectAt(asset, "credit_alphanum12") ?? objectAt(asset) ?? {};
    return [destination, amount, credit.asset_code ?? credit.code, credit.issuer].join(" ");
  });
  return found.length === 0 || found.includes(undefined) ? undefined : found.join(", ");
}

/** The receiver's fields in operations. `account_merge` is the account itself. */
const RECEIVERS = ["destination", "contract_address", "account_merge"];

function textsUnder(value: JsonValue | undefined, keys: readonly string[]): JsonValue[] {
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, each]) =>
    keys.includes(key) && typeof each === "string" ? [each] : textsUnder(each, keys),
  );
}

function spentIn(meta: JsonValue | undefined, account: string): bigint | undefined {
  const [version] = isJsonObject(meta) ? Object.values(meta) : [];
  if (!isJsonObject(version) || !Array.isArray(version.operations)) return undefined;
  const changes = objectsOf(version.operations).flatMap((each) => objectsOf(each.changes));
  const balances = changes.flatMap((change) => balanceIn(change, account) ?? []);
  const [first, last] = [balances[0], balances.at(-1)];
  return first === undefined || last === undefined ? 0n : first - last;
}

function balanceIn(change: JsonObject, account: string): bigint | undefined {
  const removed = objectAt(change, "removed", "account");
  if (removed) return removed.account_id === account ? 0n : undefined;
  const [entry] = Object.values(change);
  const found = objectAt(entry, "data", "account");
  return found?.account_id === account ? wireAmount(found.balance) : undefined;
}

function innerHash(result: JsonObject): string {
  const [found] = isJsonObject(result.result) ? Object.values(result.result) : [];
  return isJsonObject(found) ? textIn(found.transaction_hash).toLowerCase() : "";
}

/** The most transactions per list. Too large a page is read in smaller ones. */
const MOST_RECORDS = 200;
/** How many ledgers early the start may be, since a closer one takes more requests than it saves. */
const NEAR = 64n;
/** The oldest ledgers of a node, which it forgets while the rest is read. */
const FORGOTTEN = 16n;

interface Page {
  transactions: readonly JsonObject[];
  cursor: string;
  latest: bigint;
  oldest: bigint;
  /** Milliseconds since 1970. */
  oldestTime: number;
}

/** Stellar's RPC only lists the whole network's transactions by ledger. Ledgers are final. */
async function openStellarHistory(node: ChainNode, { account, since }: HistoryRequest): Promise<Reading<History>> {
  const newest = await readFromNode(node, "getLatestLedger", {}, (value) =>
    isJsonObject(value) ? wireAmount(value.sequence) : undefined,
  );
  if ("fault" in newest) return newest;
  const last = newest.value;
  const head = await readPage(node, { startLedger: Number(last), pagination: { limit: 1 } });
  if ("fault" in head) return head;
  const { oldest, oldestTime } = head.value;
  const isCut = oldestTime > since;
  const first = isCut
    ? { value: oldest === 1n ? oldest : oldest + FORGOTTEN }
    : await findLedger(node, since, oldest, last);
  if ("fault" in first) return first;
  let at = first.value;
  const begins = timeText(oldestTime);
  return {
    value: {
      size: last - first.value + 1n,
      done: () => Number(at - first.value),
      ...(isCut && {
        gapBefore: `the node's history begins at ${begins} with ledger ${oldest}; nothing before it is read`,
      }),
      rows: async function* () {
        for await (const transactions of readPages(node, first.value, last)) {
          at = parseLedger(transactions.at(-1)) ?? at;
          yield transactions.flatMap((each) => parseRow(each, account, since) ?? []);
        }
        at = last + 1n;
      },
    },
  };
}

async function findLedger(node: ChainNode, since: number, oldest: bigint, newest: bigint): Promise<Reading<bigint>> {
  let [low, high] = [oldest, newest];
  while (high - low > NEAR) {
    const startLedger = (low + high) / 2n;
    const page = await readPage(node, { startLedger: Number(startLedger), pagination: { limit: 1 } });
    if ("fault" in page) return page;
    const time = parseSeconds(page.value.transactions[0]?.createdAt);
    if (time !== undefined && time <= since) low = startLedger;
    else high = startLedger;
  }
  return { value: low };
}

async function* readPages(node: ChainNode, first: bigint, last: bigint): AsyncGenerator<readonly JsonObject[]> {
  let limit = MOST_RECORDS;
  let place: JsonObject = { startLedger: Number(first) };
  let cursor: string | undefined;
  for (;;) {
    const page = await readPage(node, { ...place, pagination: { limit, ...(cursor !== undefined && { cursor }) } });
    if ("fault" in page && page.fault.kind === "unreadable" && limit > 1) {
      limit = Math.ceil(limit / 4);
      continue;
    }
    const { transactions, cursor: next } = nodeValue(page, "the node's history ended: ");
    yield transactions.filter((each) => (parseLedger(each) ?? last) <= last);
    const isOver = transactions.length === 0 || (parseLedger(transactions.at(-1)) ?? 0n) > last;
    if (isOver) return;
    if (next === cursor) throw new RelayctlError("server", "the node lists the same transactions again and again");
    [cursor, place] = [next, {}];
  }
}

async function readPage(node: ChainNode, params: JsonObject): Promise<Reading<Page>> {
  return await readFromNode(node, "getTransactions", { ...params, xdrFormat: "json" }, parsePage);
}

function parsePage(value: JsonValue): Page | undefined {
  if (!isJsonObject(value) || !Array.isArray(value.transactions)) return undefined;
  const [latest, oldest] = [wireAmount(value.latestLedger), wireAmount(value.oldestLedger)];
  const oldestTime = parseSeconds(value.oldestLedgerCloseTimestamp);
  if (latest === undefined || oldest === undefined || oldestTime === undefined) return undefined;
  return { transactions: objectsOf(value.transactions), cursor: textIn(value.cursor), latest, oldest, oldestTime };
}

const NO_JSON = "the node does not list transactions as JSON, as Stellar RPC 22 and later do";

function parseLedger(transaction: JsonObject | undefined): bigint | undefined {
  return wireAmount(transaction?.ledger);
}

function parseRow(transaction: JsonObject, account: string, since: number): ListedTransaction | Unread | undefined {
  if (!isJsonObject(transaction.envelopeJson)) throw new RelayctlError("server", NO_JSON);
  const parsed = parseStellar(transaction, account);
  if (!parsed || "why" in parsed) return parsed;
  return parsed.time > since ? parsed : undefined;
}

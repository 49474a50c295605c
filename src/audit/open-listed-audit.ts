import { type ChainNode, nodeFault, type Reading, read } from "../chain/node/node.ts";
import { timeText } from "../contract/age-text.ts";
import { wireAmount } from "../contract/amount.ts";
import { isJsonObject, type JsonObject, type JsonValue, textIn, writeJson } from "../contract/json.ts";
import { showsCancellation, statusOf, type Transaction } from "../contract/transaction/transaction.ts";
import { type Claim, type JournaledSend, SKEW } from "./claims.ts";
import { createClassifier, type Judged, recordsOf } from "./classify.ts";
import { type Audit, type AuditRequest, readJournaled } from "./open-audit.ts";
import {
  type History,
  type HistoryOpener,
  type HistoryRequest,
  type ListedTransaction,
  listObjects,
  listPayments,
  onlyText,
  openStellarHistory,
  parseSeconds,
} from "./stellar-history.ts";

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
    const page = await read(node, "getSignaturesForAddress", [account, params], parseSignatures);
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
  const slot = await read(node, "getFirstAvailableBlock", [], wireAmount);
  if ("value" in slot && slot.value <= 1n) return {};
  const time = "fault" in slot ? slot : await read(node, "getBlockTime", [slot.value], parseSeconds);
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
  const keys = listObjects(message.accountKeys);
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
  const instructions = listObjects(message.instructions);
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
  const found = listObjects(value).flatMap(({ signature, blockTime }) =>
    typeof signature === "string" ? [{ signature, time: parseSeconds(blockTime) }] : [],
  );
  return found.length === value.length ? found : undefined;
}

export function openHistoryOf(kind: "solana" | "stellar", node: ChainNode): HistoryOpener {
  return (request) => (kind === "solana" ? openSolanaHistory : openStellarHistory)(node, request);
}

export interface ListedAuditRequest
  extends Pick<AuditRequest, "relayerId" | "account" | "server" | "client" | "journal"> {
  openHistory: HistoryOpener;
  /** Milliseconds since 1970. */
  since: number;
}

/** Reads the account's node (Stellar or Solana) before the records and the journal. */
export async function openListedAudit(request: ListedAuditRequest): Promise<Reading<Audit>> {
  const { account, since, openHistory } = request;
  const history = await openHistory({ account, since });
  if ("fault" in history) return history;
  const { records, sends } = await readJournaled(request, since);
  const judge = createJudge(records, sends);
  return {
    value: {
      ...history.value,
      claims: { failed: records.filter((record) => ["failed", "expired"].includes(statusOf(record))) },
      rows: async function* () {
        const classify = createClassifier(judge);
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
    for (const { hash, signature, sequence_number: sequence } of recordsOf(claim)) {
      const [name, number] = [textIn(hash ?? signature), wireAmount(sequence)];
      if (name !== "") byHash.set(name, claim);
      // The service shows 0 until it has assigned one (facts 5.2).
      if (number !== undefined && number > 0n) bySequence.set(number, claim);
    }
  const known = new Set([...byHash.values(), ...bySequence.values()]);
  const open = new Set(others.filter((claim) => !known.has(claim)));
  const takeOpen = ({ payments, time }: ListedTransaction): Claim | undefined => {
    const pays = ({ send }: Claim) =>
      send?.records.some(({ operations }) => listPayments(operations) === payments) && send.time <= time + SKEW;
    const found = payments === undefined ? undefined : [...open].filter(pays).at(-1);
    if (found) open.delete(found);
    return found;
  };
  return (mined: ListedTransaction): Judged => {
    const { hash, inner = "", nonce } = mined;
    const claim = byHash.get(hash) ?? byHash.get(inner);
    if (claim) return { kind: claim.record && showsCancellation(claim.record) ? "cancel_lost" : "recorded", claim };
    const other = nonce === null ? undefined : bySequence.get(nonce);
    if (other) return { kind: "other_version", claim: other, isPresumed: true };
    const sent = takeOpen(mined);
    return sent ? { kind: "recorded", claim: sent } : { kind: "foreign" };
  };
}

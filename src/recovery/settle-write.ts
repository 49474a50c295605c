import { type Examined, examineTx } from "../chain/examine.ts";
import { isRecordMissing } from "../chain/follow/read-records.ts";
import { openChain } from "../chain/open-chain.ts";
import { isNoopVerdictVersion, isSameVerdictVersion, type Version, verdictVersion } from "../chain/verdict/verdict.ts";
import { holdsAlready } from "../client/read-back/compare.ts";
import { type ApiRequest, apiRequest } from "../client/request.ts";
import { idProblem } from "../contract/id.ts";
import { isJsonObject, type JsonObject, type JsonValue, writeJson } from "../contract/json.ts";
import { networkKind } from "../contract/network-kind.ts";
import { hasRestParameter } from "../contract/operation.ts";
import { type OperationId, operations } from "../contract/operations.ts";
import { receivedTime } from "../contract/reply/received-time.ts";
import { isTxBeingCanceled, type Transaction } from "../contract/transaction/transaction.ts";
import { RelayctlError } from "../errors.ts";
import { DAY } from "../journal/created-in-time.ts";
import {
  appliedOf,
  type Intent,
  isAwaited,
  type Journal,
  type RecordedWrite,
  walkWrites,
  writesOf,
} from "../journal/journal.ts";
import type { Session } from "../session/session.ts";
import type { SendFate } from "./lost-send.ts";

/** Values that the journal lacks: masked URLs, and fingerprints of secrets. */
const HIDDEN = /\*\*\*|"hmac:[0-9a-f]+"/;

/** Returns the request that an intent describes, or why not. A line may have been edited: nothing in it is believed. */
export function requestToSettle(intent: Intent): { request: ApiRequest } | { because: string } {
  const { operation: id, ids, body, ownId } = intent;
  const operation = Object.hasOwn(operations, id) ? operations[id as OperationId] : undefined;
  if (!operation) return { because: `the outcome of ${id} cannot be read` };
  const isDamaged = Object.entries(ids).some(
    ([name, value]) =>
      typeof value !== "string" || (!hasRestParameter(operation, name) && idProblem(value) !== undefined),
  );
  if (isDamaged) return { because: "its line in the journal is damaged" };
  if (operation.kind === "patch" && !isJsonObject(body)) return { because: "its body is not in the journal" };
  if (operation.kind === "patch" && HIDDEN.test(writeJson(body ?? null)))
    return { because: "the journal hides secrets and URLs, so what was requested cannot be compared" };
  const compared = ownId ? idMember(body) : body;
  return { request: { operation, parameters: ids, ...(compared !== undefined && { body: compared }) } };
}

function idMember(body: JsonValue | undefined): JsonValue {
  return isJsonObject(body) && body.id !== undefined ? { id: body.id } : {};
}

export type Settled = { request: ApiRequest; data: JsonObject } | { finding: SendFate } | { because: string };

export interface Settling {
  session: Session;
  journal: Journal;
  /** By intent ID: the outcomes of requests that create transactions. */
  sends: ReadonlyMap<string, SendFate>;
  /** Milliseconds since 1970. */
  now: number;
}

/** Finds out, only by reading, whether a write was applied. Only the chain can prove that it was not: it may still arrive. */
export async function settleWrite(write: RecordedWrite, settling: Settling): Promise<Settled> {
  if (isAwaited(write, settling.journal)) return { because: "its command is still running" };
  const earlier = requestToSettle(write.intent);
  if ("because" in earlier) return earlier;
  const { request } = earlier;
  try {
    const finding = settling.sends.get(write.intent.id);
    if (finding) return finding.state === "unknown" ? finding : { finding };
    const found = await readEvidence(write, request, settling);
    if ("because" in found) return found;
    const rival = request.operation.kind === "create" ? undefined : await rivalRequest(write.intent, settling.journal);
    if (rival) return { because: `run ${rival.run} requested the same, so nothing shows which of them was applied` };
    return { request, data: found.data };
  } catch (error) {
    if (!(error instanceof RelayctlError) || error.failure === "interrupted") throw error;
    return { because: `it could not be checked: ${error.message}` };
  }
}

async function readEvidence(write: RecordedWrite, request: ApiRequest, settling: Settling): Promise<Changed> {
  const { relayer_id: relayerId = "", transaction_id: id = "" } = request.parameters ?? {};
  switch (request.operation.id) {
    case "tx.replace":
      return await settleReplacement(write, { relayerId, id }, settling);
    case "tx.cancel":
      return await settleCancellation(write, request, { relayerId, id }, settling);
    default:
      return await readBack(write, request, settling);
  }
}

interface Place {
  relayerId: string;
  id: string;
}

async function settleReplacement({ intent }: RecordedWrite, place: Place, settling: Settling): Promise<Changed> {
  const wanted = distinctVersion(intent);
  if (!wanted) return { because: "it would look like the transaction before it, so nothing can show it" };
  const { record, isGone } = await readRecord(intent, place, settling);
  const recorded = verdictVersion(record);
  if (!isGone && recorded && isSameVerdictVersion(recorded, wanted)) return { data: record };
  if (isGone && isNoopVerdictVersion(wanted, record.from ?? ""))
    return { because: "its record is gone, and the service itself fills nonces with such transfers of nothing" };
  const shown = await examineRecord(record, place, settling, { wanted, hashes: [intent.before?.hash], isGone });
  return shown
    ? replacedByChain(record, wanted, shown)
    : { because: "the record does not show it; it may still arrive" };
}

async function settleCancellation({ intent }: RecordedWrite, request: ApiRequest, place: Place, settling: Settling) {
  const { before } = intent;
  if (before && isTxBeingCanceled(before as Transaction))
    return { because: "its cancellation had been requested before, so nothing shows this request" };
  const found = await settling.session.readBack(request, false);
  if ("data" in found) return { data: found.data };
  const { record, isGone } = await readRecord(intent, place, settling);
  const shown = await examineRecord(record, place, settling, { wanted: "cancellation", hashes: [], isGone });
  return shown ? canceledByChain(record, shown) : { because: found.because.join("; ") };
}

/** Reads a record; the journal's earlier facts stand in for an expired record. */
async function readRecord({ before }: Intent, { relayerId, id }: Place, { session }: Settling) {
  try {
    return { record: (await session.client.tx.get(relayerId, id)).data, isGone: false };
  } catch (error) {
    if (!isRecordMissing(error) || before?.id !== id) throw error;
    return { record: before as Transaction, isGone: true };
  }
}

async function readBack({ intent }: RecordedWrite, request: ApiRequest, { session }: Settling): Promise<Changed> {
  const found = await session.readBack(request, intent.ownId === true);
  if ("data" in found) return { data: found.data };
  const isTyped = request.operation.kind === "create" && !intent.ownId;
  return { because: isTyped ? "a resource whose ID was typed may have existed before" : found.because.join("; ") };
}

async function examineRecord(
  record: Transaction,
  { relayerId }: Place,
  { session, now }: Settling,
  { wanted, hashes, isGone }: { wanted: Version | "cancellation"; hashes: readonly unknown[]; isGone: boolean },
): Promise<Examined | undefined> {
  const { client, remaining } = session;
  const chain = await openChain({ client, relayerId, ownNode: session.ownNode });
  if (networkKind(chain.relayer) !== "evm") return undefined;
  const known = hashes.filter((hash) => typeof hash === "string");
  const question = { relayerId, records: [record] as const, hashes: known, now, wanted, isGone, remaining };
  return await examineTx(chain, client, question);
}

export function settlingRequest(write: RecordedWrite): ApiRequest | undefined {
  const earlier = requestToSettle(write.intent);
  if ("because" in earlier) return undefined;
  const { operation, parameters = {} } = earlier.request;
  const { relayer_id, transaction_id } = parameters;
  if (relayer_id === undefined) return undefined;
  if (transaction_id !== undefined) return apiRequest("tx.get", { relayer_id, transaction_id });
  return operation.id === "tx.send"
    ? apiRequest("tx.list", { relayer_id })
    : apiRequest("relayers.get", { relayer_id });
}

type Changed = { data: JsonObject } | { because: string };

/** Returns undefined if it only changes prices, as the service's own resubmission does, or is unknown. */
function distinctVersion({ before, ...intent }: Intent): Version | undefined {
  const wanted = requestedVersion(intent);
  // The data of the transaction before is not recorded.
  const old = before && verdictVersion({ ...before, data: wanted?.data ?? "0x" });
  return wanted && old && !isSameVerdictVersion(wanted, old) ? wanted : undefined;
}

function replacedByChain(record: Transaction, wanted: Version, { verdict, fault }: Examined): Changed {
  const { seen } = verdict;
  if (seen?.block !== undefined && isSameVerdictVersion(seen, wanted)) return { data: { ...record, hash: seen.hash } };
  return { because: fault ? `the chain could not be checked: ${fault.words}` : verdict.why };
}

function canceledByChain(record: Transaction, { verdict, fault }: Examined): Changed {
  if (verdict.verdict === "canceled")
    return { data: { ...record, is_canceled: true, ...(verdict.seen && { hash: verdict.seen.hash }) } };
  return { because: fault ? `the chain could not be checked: ${fault.words}` : verdict.why };
}

/** Its result may be what was read. Must follow the reads, since an intent is recorded before its request leaves. */
async function rivalRequest(own: Intent, journal: Journal): Promise<Intent | undefined> {
  const { transaction_id: id } = own.ids;
  const others =
    id === undefined ? walkWrites(journal, receivedTime(own.time) - DAY) : writesOf(await journal.find(id));
  let left: JsonValue = own.body ?? null;
  for await (const other of others) {
    const { intent } = other;
    if (intent.id === own.id || intent.server !== own.server || appliedOf(other) === "no") continue;
    if (own.operation === "tx.replace" && asksForSameVersion(own, intent)) return intent;
    if (own.operation === "tx.replace" || intent.operation !== own.operation || intent.target !== own.target) continue;
    left = notRequestedBy(intent.body, left);
    if (left === null) return intent;
  }
  return undefined;
}

/** A new transaction is the version that a replacement may ask for again. */
function asksForSameVersion(own: Intent, other: Intent): boolean {
  if (other.operation !== own.operation && other.operation !== "tx.send") return false;
  const [wanted, theirs] = [requestedVersion(own), requestedVersion(other)];
  return wanted !== undefined && theirs !== undefined && isSameVerdictVersion(wanted, theirs);
}

function requestedVersion({ body }: Intent | Pick<Intent, "body">): Version | undefined {
  return isJsonObject(body) ? verdictVersion(body) : undefined;
}

/** Returns the part of a patch that another one does not request, or null. */
function notRequestedBy(theirs: JsonValue | undefined, patch: JsonValue): JsonValue {
  if (!isJsonObject(patch) || !isJsonObject(theirs)) return null;
  const left = Object.entries(patch).flatMap(([name, value]) => {
    const other = theirs[name];
    const isNested = isJsonObject(value) && isJsonObject(other);
    const rest = isNested ? notRequestedBy(other, value) : value;
    const isRequested = isNested
      ? rest === null
      : other !== undefined && holdsAlready({ [name]: value }, { [name]: other });
    return isRequested ? [] : [[name, rest] as const];
  });
  return left.length > 0 ? Object.fromEntries(left) : null;
}

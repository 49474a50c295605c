import { isJsonObject, type JsonArray, type JsonObject, type JsonValue, listIn } from "../contract/json.ts";
import { type OperationId, operations } from "../contract/operations.ts";
import { isTxBeingCanceled, type Transaction } from "../contract/transaction/transaction.ts";
import { CHECK_FIRST, MAYBE_APPLIED, RelayctlError, rescue } from "../errors.ts";
import { LISTED_TIMEOUT } from "../timing.ts";
import { attemptTimeText, failedAttempt } from "./attempt/failed-attempt.ts";
import type { Outcome, Success } from "./attempt/outcome.ts";
import { failedHttpFacts } from "./attempt/refusal.ts";
import { replyFailureText } from "./attempt/reply.ts";
import { sendAttempts } from "./attempt/send.ts";
import { isHtmlReply } from "./attempt/shown-text.ts";
import type { ClientContext } from "./client-context.ts";
import { type KnownTransactions, whyEarlier } from "./earlier-transaction.ts";
import { jsonRpcFailure } from "./json-rpc.ts";
import { listPages } from "./pagination/list-pages.ts";
import type { Difference } from "./read-back/compare.ts";
import {
  compareWithResponse,
  findWrongIdentity,
  identityInBody,
  mismatchError,
  mismatchText,
} from "./read-back/compare-with-response.ts";
import { canBeReadBack, readTarget } from "./read-back/target.ts";
import { type ApiRequest, type ApiResult, apiRequest, type WriteFacts } from "./request.ts";
import { logWrite } from "./write-log.ts";

/** Returns once exactly the request is known to be applied. @throws RelayctlError unknown or mismatch otherwise */
export function sendWrite<T extends JsonObject>(
  requested: ApiRequest,
  clientContext: ClientContext,
  facts: WriteFacts = {},
): Promise<ApiResult<T>> {
  const request = facts.hidden ? { ...requested, hidden: facts.hidden } : requested;
  if (request.operation.id !== "tx.send")
    return logWrite(clientContext.log, request, facts, () => sendWith<T>(request, clientContext, facts));
  const listed = () => listedFor(request, clientContext);
  return logWrite(clientContext.log, request, { ...facts, listed, date: clientContext.latest.date }, (known) =>
    sendPayment<T & Transaction>(request, clientContext, facts, known),
  );
}

/** As many of a relayer's transactions as every service returns in a page. */
const LISTED = 100;

async function listedFor({ parameters: { relayer_id = "" } = {} }: ApiRequest, clientContext: ClientContext) {
  const listed = new Set<unknown>();
  const bounds = { page: 1, perPage: LISTED };
  const brief = { ...clientContext, timeout: Math.min(clientContext.timeout, LISTED_TIMEOUT) };
  for await (const { items } of listPages(apiRequest("tx.list", { relayer_id }), bounds, brief))
    for (const { id, hash } of items) listed.add(id).add(hash);
  return listed;
}

/** @throws RelayctlError unknown if the response has a transaction that existed, or may have, before the request */
async function sendPayment<T extends Transaction>(
  request: ApiRequest,
  clientContext: ClientContext,
  facts: WriteFacts,
  known: KnownTransactions | undefined,
): Promise<ApiResult<T>> {
  const { clock } = clientContext;
  const [time, started] = [clock.now(), clock.elapsed()];
  const earlier = (result: ApiResult<Transaction>) =>
    whyEarlier(result, { time, took: clock.elapsed() - started }, known);
  const result = await sendWith<T>(request, clientContext, facts, earlier);
  let existed = "existed";
  const why =
    known &&
    (await earlier(result).catch((error: unknown) => {
      if (!(error instanceof RelayctlError)) throw error;
      existed = "may have existed";
      return error.message;
    }));
  if (why === undefined) return result;
  const what = `the response has transaction ${result.data.id}, which ${existed} before the request`;
  throw new RelayctlError("unknown", `${MAYBE_APPLIED}${what}`, {
    because: [why, CHECK_FIRST],
    ...(result.head && { http: failedHttpFacts(request, result.head.status) }),
  });
}

async function sendWith<T extends JsonObject>(
  requested: ApiRequest,
  clientContext: ClientContext,
  facts: WriteFacts,
  earlier?: WhyEarlier,
): Promise<ApiResult<T>> {
  const settled = await sendAttempts(requested, clientContext);
  const { outcome } = settled;
  switch (settled.action) {
    case "done":
      return reportWrite(acceptReply<T>(requested, outcome, facts), requested, clientContext);
    case "read_back":
      return reportWrite(
        (await readBack(requested, outcome, clientContext, facts)) as ApiResult<T>,
        requested,
        clientContext,
      );
    case "unknown":
      throw await unknownOutcome(requested, outcome, clientContext, earlier);
    case "fail":
      throw failedAttempt(requested, outcome, clientContext.clock);
  }
}

function reportWrite<T extends JsonObject>(result: ApiResult<T>, request: ApiRequest, { report }: ClientContext) {
  const data: JsonObject | null = result.data;
  const id = typeof data?.id === "string" ? data.id : (Object.values(request.parameters ?? {}).at(-1) ?? "");
  report({ type: "accepted", id, ...failedHttpFacts(request, result.head?.status ?? 0) });
  return result;
}

/** Creates a resource under its ID. The client generates a missing one, to resolve a lost response. */
export async function writeNamedResource<T extends JsonObject>(
  id: OperationId,
  body: object,
  clientContext: ClientContext,
  facts: WriteFacts = {},
): Promise<ApiResult<T>> {
  const ownId = !("id" in body);
  const named = ownId ? { ...body, id: clientContext.random.uuid() } : body;
  return await sendWrite<T>(apiRequest(id, {}, named), clientContext, { ...facts, ownId });
}

/** The service's own sentence, or why its response was lost if a read proved that the resource is gone. */
export type Gone = Pick<ApiResult, "body" | "lost">;

function acceptReply<T extends JsonObject>(requested: ApiRequest, outcome: Outcome, facts: WriteFacts): ApiResult<T> {
  if (outcome.fault !== "none") throw new RelayctlError("internal", "a failure was taken for a success");
  const { reply } = outcome;
  const data = outcome.data as T;
  const http = () => failedHttpFacts(requested, reply.status);
  const identity = findWrongIdentity(requested, data);
  if (identity)
    throw new RelayctlError("mismatch", identity, { applied: "unknown", because: idLines(data), http: http() });
  const failed = requested.operation.ownFailures
    ? pluginError(requested, pluginResult(outcome))
    : jsonRpcFailure(requested, outcome);
  if (failed) throw failed;
  const { different, unconfirmed } = compareWithResponse(requested, data);
  const wrong = mismatchError(requested, data, different, facts, http);
  if (wrong) throw requested.operation.id === "tx.send" ? wrong.with({ because: idLines(data) }) : wrong;
  return { data, body: reply.body, head: reply, unconfirmed };
}

function idLines({ id }: JsonObject): string[] {
  return typeof id === "string" ? [`the response has the ID ${id}`] : [];
}

export interface PluginCall {
  /** Any JSON; without a body the plugin is called with GET, which the plugin must allow. */
  body?: JsonValue | undefined;
  /** The part of the path after `/call`, which the plugin can read. */
  route?: string | undefined;
  query?: Readonly<Record<string, string>>;
}

/** The result of a plugin (facts 8.3). */
export interface PluginResult {
  /** Any JSON; after a failure perhaps `{code, details}`. */
  data: JsonValue;
  body: Uint8Array;
  /** The plugin's status, or the service's. */
  status: number;
  /** Its effects before the failure are unknown. */
  failure?: string;
  /** Entries of `{level, message}`, if the plugin exposes its logs. */
  logs: JsonArray;
  traces: JsonArray;
}

export function pluginRequest(id: string, { body, route, query = {} }: PluginCall): ApiRequest {
  const method = body === undefined ? "call-get" : "call";
  const operation = operations[`plugins.${method}${route === undefined ? "" : "-route"}`];
  const parameters = { plugin_id: id, ...(route !== undefined && { route }) };
  return { operation, parameters, query, ...(body !== undefined && { body }) };
}

/** Calls a plugin and returns its result, even a failure. Rejects without a response, or if it was not called. */
export async function callPlugin(request: ApiRequest, clientContext: ClientContext): Promise<PluginResult> {
  const { result } = await logWrite(clientContext.log, request, {}, async () => {
    const result = await sendCall(request, clientContext);
    return { result, data: result.data, error: pluginError(request, result) };
  });
  return result;
}

/** Returns the error for a call whose plugin failed: its effects before that are unknown. */
export function pluginError(request: ApiRequest, { failure, status }: PluginResult): RelayctlError | undefined {
  if (failure === undefined) return undefined;
  // Services before v1.2 respond 200 (facts 8.3), which proves nothing.
  const how = status < 300 ? "" : ` with status ${status}`;
  return new RelayctlError("unknown", `plugin ${request.parameters?.plugin_id} failed${how}: ${failure}`, {
    because: ["the plugin may have had effects before it failed", "check the outcome before calling it again"],
    http: failedHttpFacts(request, status),
  });
}

async function sendCall(request: ApiRequest, clientContext: ClientContext): Promise<PluginResult> {
  const { outcome, action } = await sendAttempts(request, clientContext);
  if (outcome.fault === "none") return pluginResult(outcome);
  throw action === "unknown"
    ? await unknownOutcome(request, outcome, clientContext)
    : failedAttempt(request, outcome, clientContext.clock);
}

function pluginResult({ data, reply, envelope }: Success): PluginResult {
  const hasFailed = reply.status >= 300 || envelope?.success === false;
  const output =
    outputIn(envelope?.metadata) ?? (isJsonObject(data) && "return_value" in data ? outputIn(data) : undefined);
  return {
    data,
    body: reply.body,
    status: reply.status,
    ...(hasFailed && { failure: replyFailureText(reply) }),
    logs: output?.logs ?? [],
    traces: output?.traces ?? [],
  };
}

function outputIn(value: JsonValue | undefined): { logs: JsonArray; traces: JsonArray } | undefined {
  if (!isJsonObject(value) || !(Array.isArray(value.logs) || Array.isArray(value.traces))) return undefined;
  return { logs: listIn(value.logs), traces: listIn(value.traces) };
}

type Lost = Outcome & { fault: "lost" | "unreadable" };

/** Can only prove that the write was applied: it may be on its way (promises 7.2). @throws RelayctlError unknown */
async function readBack(
  request: ApiRequest,
  outcome: Outcome,
  clientContext: ClientContext,
  facts: WriteFacts,
): Promise<ApiResult> {
  const proofIn = (found: ReadBackResult) =>
    request.operation.kind === "remove"
      ? removalProvenBy(request, found, facts)
      : found.seen && provenResult(request, outcome as Lost, found.seen, facts);
  let found = await readBackNow(request, clientContext);
  let proof = proofIn(found);
  // Another instance of the same balancer may show the write already, or may still have what is missing here.
  if ((found.seen && !proof) || (found.gone && clientContext.inBulk)) {
    found = await readBackNow(request, clientContext);
    proof = proofIn(found);
  }
  if (!proof) throw unknownError(request, outcome as Lost, found, facts);
  return { ...proof, lost: lostText(outcome as Lost) };
}

/** The data that proves an earlier write, or lines about what was read instead. */
export type EarlierWrite = { data: ApiResult["data"] } | { because: readonly string[] };

/** Reads the target of an earlier write, by the rule of `readBack`. A resource with its own ID may have changed since. */
export async function readBackEarlier(
  request: ApiRequest,
  clientContext: ClientContext,
  ownId: boolean,
): Promise<EarlierWrite> {
  const found = await readBackNow(request, clientContext);
  const { seen } = found;
  if (request.operation.kind === "remove") {
    const proof = removalProvenBy(request, found, {});
    return proof ? { data: proof.data } : { because: readBackLines(request, found) };
  }
  const isProven = seen && (ownId ? !findWrongIdentity(request, seen.data) : isAsRequested(request, seen));
  return isProven ? { data: seen.data } : { because: readBackLines(request, found) };
}

/** Returns why a transaction existed before the request; undefined if nothing shows it. */
type WhyEarlier = (seen: ApiResult<Transaction>) => Promise<string | undefined>;

/** Returns the error for a write whose outcome a read can't prove, with the values that were read. */
async function unknownOutcome(
  request: ApiRequest,
  outcome: Outcome,
  clientContext: ClientContext,
  earlier?: WhyEarlier,
): Promise<RelayctlError> {
  return unknownError(request, outcome as Lost, await readBackNow(request, clientContext, earlier));
}

/**
 * Returns the proof of a removal. A missing resource is removed; a transaction is canceled if its record says so, or
 * says that it will be (promises 7.2). A missing transaction may have ended in any way: the service deletes old records
 * (facts 5.1). A record that said so before the request proves nothing.
 */
function removalProvenBy({ operation }: ApiRequest, { seen, gone }: ReadBackResult, { before }: WriteFacts) {
  if (gone && operation.id !== "tx.cancel") return { data: {}, body: new Uint8Array(), unconfirmed: [] };
  const transaction = seen?.data as Transaction | undefined;
  if (before && isTxBeingCanceled(before as Transaction)) return undefined;
  return transaction && (transaction.status === "canceled" || isTxBeingCanceled(transaction)) ? seen : undefined;
}

function provenResult(request: ApiRequest, outcome: Lost, seen: ApiResult, facts: WriteFacts): ApiResult | undefined {
  if (findWrongIdentity(request, seen.data)) return undefined;
  const { different, unconfirmed } = compareWithResponse(request, seen.data);
  if (facts.ownId && different.length > 0) throw appliedOtherwise(different, outcome);
  if (facts.ownId) return { ...seen, unconfirmed };
  return isAsRequested(request, seen) ? seen : undefined;
}

/** Returns whether a resource shows every requested value, which doesn't prove a create. */
function isAsRequested(request: ApiRequest, seen: ApiResult): boolean {
  if (request.operation.kind === "create" || findWrongIdentity(request, seen.data)) return false;
  const { different, unconfirmed } = compareWithResponse(request, seen.data);
  return different.length + unconfirmed.length === 0;
}

/** Returns the error for a create applied with differences: finding its generated ID proves that it was applied. */
function appliedOtherwise(different: readonly Difference[], outcome: Lost): RelayctlError {
  const because = [
    `${lostText(outcome)}; reading it back from the service showed this`,
    ...different.map(mismatchText),
  ];
  return new RelayctlError("mismatch", "applied, but not as requested", { applied: "yes", because });
}

function lostText({ fault, reply, why }: Lost): string {
  return fault === "lost" && reply ? why : `the response was lost (${why})`;
}

function unknownError(request: ApiRequest, outcome: Lost, found: ReadBackResult, { ownId }: WriteFacts = {}) {
  const interrupted = outcome.failure?.reason === "interrupted";
  const isAccepted = outcome.fault === "unreadable" && !isHtmlReply(outcome.reply?.text ?? "");
  return new RelayctlError(interrupted ? "interrupted" : "unknown", `${MAYBE_APPLIED}${outcome.why}`, {
    applied: "unknown",
    because: [
      ...(isAccepted ? [`the service accepted it (status ${outcome.status}), details are unknown`] : []),
      ...(ownId ? [`the request was sent with the ID ${identityInBody(request)}`] : []),
      ...readBackLines(request, found),
      CHECK_FIRST,
    ],
    cause: outcome.failure,
    ...(outcome.reply && { http: failedHttpFacts(request, outcome.reply.status) }),
  });
}

interface ReadBackResult {
  at: number;
  seen?: ApiResult;
  earlier?: string | undefined;
  problem?: string;
  gone?: true;
}

/** Reads the target of a write. Returns a problem instead of throwing. */
async function readBackNow(
  request: ApiRequest,
  clientContext: ClientContext,
  whyEarlier?: WhyEarlier,
): Promise<ReadBackResult> {
  // One of many payments is looked for by its gas limit after the last one: the newest transaction says nothing about it.
  const isLaterFound = request.operation.id === "tx.send" && clientContext.inBulk;
  if (isLaterFound || !canBeReadBack(request)) return { at: clientContext.clock.now() };
  try {
    const seen = await readTarget(request, clientContext);
    const earlier = whyEarlier && (await rescue(whyEarlier(seen as ApiResult<Transaction>), () => undefined));
    return { at: clientContext.clock.now(), seen, earlier };
  } catch (error) {
    if (!(error instanceof RelayctlError)) throw error;
    const gone = error.failure === "not_found" && { gone: true as const };
    return { at: clientContext.clock.now(), problem: readBackProblem(request, error), ...gone };
  }
}

function readBackProblem({ operation }: ApiRequest, { failure, message, http }: RelayctlError): string {
  // The response has a transaction of another relayer.
  const isResponse = http?.status === 200;
  if (failure === "not_found") return operation.id === "tx.send" || isResponse ? message : "it does not exist";
  return `it could not be read back: ${failure === "interrupted" ? failure : message}`;
}

function readBackLines(request: ApiRequest, { at, seen, earlier, problem }: ReadBackResult): string[] {
  const when = `at ${attemptTimeText(at)}`;
  if (problem !== undefined) return [`${when} ${problem}`];
  if (!seen) return [`${request.operation.kind === "once" ? "a call" : "what this changes"} cannot be read back`];
  if (request.operation.kind === "remove") return [`${when} the service still shows it; the request may still arrive`];
  const { different, unconfirmed } = compareWithResponse(request, seen.data as JsonObject);
  if (request.operation.id === "tx.send")
    return [`${when} ${newestText(seen.data, different.length === 0 && !earlier)}`];
  const lines = different.map(
    (difference) => `${when} the service shows ${mismatchText(difference)}; it may still arrive`,
  );
  const hidden = unconfirmed.map((path) => `${when} the service does not confirm ${path}`);
  return lines.length + hidden.length === 0
    ? [`${when} the service shows the requested values, which proves nothing here`]
    : [...lines, ...hidden];
}

function newestText({ id, status, created_at: created }: JsonObject, hasRequestedValues: boolean): string {
  const which = hasRequestedValues
    ? "it matches the request and may be its result"
    : "it is a different transaction, and the request may still arrive";
  return `the newest transaction of the relayer is ${id}, ${status}, of ${created}: ${which}`;
}

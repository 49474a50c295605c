import { isJsonObject, type JsonArray, type JsonObject, type JsonValue, listIn } from "../contract/json.ts";
import { type OperationId, operations } from "../contract/operations.ts";
import type { Transaction } from "../contract/transaction/transaction.ts";
import { CHECK_FIRST, MAYBE_APPLIED, RelayctlError } from "../errors.ts";
import { LISTED_TIMEOUT } from "../timing.ts";
import { failedAttempt, failedHttpFacts } from "./attempt/failed-attempt.ts";
import type { Outcome, Success } from "./attempt/outcome.ts";
import { replyFailureText } from "./attempt/reply.ts";
import { sendAttempts } from "./attempt/send.ts";
import type { ClientContext } from "./client-context.ts";
import { type KnownTransactions, whyEarlier } from "./earlier-transaction.ts";
import { listPages } from "./pagination/list-pages.ts";
import { compareWithResponse } from "./read-back/compare-with-response.ts";
import { wrongIdentity } from "./read-back/identity.ts";
import { mismatch } from "./read-back/mismatch.ts";
import { readBack, unknownOutcome, type WhyEarlier } from "./read-back/unknown-outcome.ts";
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
    return logWrite(clientContext.log, request, facts, () => sent<T>(request, clientContext, facts));
  const listed = () => listedFor(request, clientContext);
  return logWrite(clientContext.log, request, { ...facts, listed }, (known) =>
    created<T & Transaction>(request, clientContext, facts, known),
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
async function created<T extends Transaction>(
  request: ApiRequest,
  clientContext: ClientContext,
  facts: WriteFacts,
  known: KnownTransactions | undefined,
): Promise<ApiResult<T>> {
  const { clock } = clientContext;
  const [time, started] = [clock.now(), clock.elapsed()];
  const earlier = (result: ApiResult<Transaction>) =>
    whyEarlier(result, { time, took: clock.elapsed() - started }, known);
  const result = await sent<T>(request, clientContext, facts, earlier);
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

async function sent<T extends JsonObject>(
  requested: ApiRequest,
  clientContext: ClientContext,
  facts: WriteFacts,
  earlier?: WhyEarlier,
): Promise<ApiResult<T>> {
  const settled = await sendAttempts(requested, clientContext);
  const { outcome } = settled;
  switch (settled.action) {
    case "done":
      return noted(accepted<T>(requested, outcome, facts), requested, clientContext);
    case "read_back":
      return noted(
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

function noted<T extends JsonObject>(result: ApiResult<T>, request: ApiRequest, { report }: ClientContext) {
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

function accepted<T extends JsonObject>(requested: ApiRequest, outcome: Outcome, facts: WriteFacts): ApiResult<T> {
  if (outcome.fault !== "none") throw new RelayctlError("internal", "a failure was taken for a success");
  const { reply } = outcome;
  const data = outcome.data as T;
  const http = () => failedHttpFacts(requested, reply.status);
  const identity = wrongIdentity(requested, data);
  if (identity)
    throw new RelayctlError("mismatch", identity, { applied: "unknown", because: idLines(data), http: http() });
  const { different, unconfirmed } = compareWithResponse(requested, data);
  const wrong = mismatch(requested, data, different, facts, http);
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
  return await logWrite(clientContext.log, request, {}, () => sentCall(request, clientContext));
}

async function sentCall(request: ApiRequest, clientContext: ClientContext): Promise<PluginResult> {
  const { outcome, action } = await sendAttempts(request, clientContext);
  if (outcome.fault === "none") return buildResult(outcome);
  throw action === "unknown"
    ? await unknownOutcome(request, outcome, clientContext)
    : failedAttempt(request, outcome, clientContext.clock);
}

function buildResult({ data, reply, envelope }: Success): PluginResult {
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

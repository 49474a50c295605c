import { isJsonObject, type JsonArray, type JsonValue, listIn } from "../contract/json.ts";
import { operations } from "../contract/operations.ts";
import { failed } from "./attempt/failed.ts";
import type { Success } from "./attempt/outcome.ts";
import { replyFailureText } from "./attempt/reply.ts";
import { send } from "./attempt/send.ts";
import type { ClientContext } from "./client-context.ts";
import { unknownOutcome } from "./read-back/unknown-outcome.ts";
import type { ApiRequest } from "./request.ts";
import { logged } from "./write-log.ts";

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
  return await logged(clientContext.log, request, {}, () => sentCall(request, clientContext));
}

async function sentCall(request: ApiRequest, clientContext: ClientContext): Promise<PluginResult> {
  const { outcome, action } = await send(request, clientContext);
  if (outcome.fault === "none") return buildResult(outcome);
  throw action === "unknown"
    ? await unknownOutcome(request, outcome, clientContext)
    : failed(request, outcome, clientContext.clock);
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

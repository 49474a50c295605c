import { isJsonObject, type JsonObject, type JsonValue, parseJsonOr, writeJson } from "../../contract/json.ts";
import { updatePluginSchema } from "../../contract/requests.ts";
import type { WireRequest } from "../../contract/wire.ts";
import { type Handler, handlerJsonBody, validatedBody } from "../handler.ts";
import { badRequest, Refusal } from "../refusal.ts";
import type { BareReply } from "../reply.ts";
import type { Resource } from "../state/collection.ts";
import { findResource } from "./resources.ts";

/** Reads the new fields of a plugin, without nulls; `timeout` is in seconds. @throws Refusal */
type ReadPlugin = (request: WireRequest) => JsonObject;

/** Updates a plugin (facts 8.3). */
export function pluginUpdateHandler(read: ReadPlugin): Handler {
  return async ({ ids: [id = ""], request, store }) => {
    const { timeout, ...patch } = read(request);
    if (timeout === 0) throw new Refusal(400, "Timeout must be greater than 0");
    return store.change((state) => {
      const old = findResource(state, "plugins", id);
      const updated = { ...old, ...patch, ...(timeout !== undefined && { timeout: { secs: timeout, nanos: 0 } }) };
      state.plugins.put(updated);
      return { data: updated };
    });
  };
}

export const updatePlugin = pluginUpdateHandler((request) => {
  const body = handlerJsonBody(request);
  if (!isJsonObject(body)) throw badRequest();
  const set = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
  return set.timeout === 0 ? { timeout: 0 } : (validatedBody(updatePluginSchema, set) as JsonObject);
});

interface PluginCall {
  plugin: Resource;
  params: JsonValue;
  route: string;
}

type PluginOutcome = { logs: JsonObject[]; traces?: JsonValue[] } & (
  | { value: JsonValue }
  | { error: string; status: number; code: string; details?: JsonValue }
);

/** Runs a plugin of the demo: nothing is executed, and no transaction is sent. */
function runPlugin(call: PluginCall): PluginOutcome {
  return (PLUGINS[call.plugin.id] ?? (({ params, route }) => ({ value: { params, route }, logs: [] })))(call);
}

const PLUGINS: Readonly<Record<string, (call: PluginCall) => PluginOutcome>> = { rebalance, report, sweep };

function rebalance({ plugin: { config }, params, route }: PluginCall): PluginOutcome {
  const network = (isJsonObject(config) ? config.network : undefined) ?? null;
  if (route === "/quote") return { value: { network, price: "1.5" }, logs: [] };
  const moved = isJsonObject(params) ? (params.amount ?? 0) : 0;
  return { value: { moved, network }, logs: [{ level: "info", message: `moving ${String(moved)}` }] };
}

const LEAST = 5;

/** Sweeps, but not a small amount: a failure that the plugin throws has data (facts 8.3). */
function sweep({ params }: PluginCall): PluginOutcome {
  const amount = Number(isJsonObject(params) ? params.amount : 0) || 0;
  const traces: JsonValue[] = [{ method: "getBalance", amount }];
  if (amount >= LEAST) return { value: { swept: amount }, logs: [{ level: "info", message: "sweeping" }], traces };
  const failure = { error: "amount too low", status: 422, code: "LOW", details: { least: LEAST } };
  return { ...failure, logs: [{ level: "error", message: "too low" }], traces };
}

/** Seconds for the report. */
const SLOW = 20;

function report({ plugin: { timeout } }: PluginCall): PluginOutcome {
  const seconds = Number(isJsonObject(timeout) ? timeout.secs : timeout);
  if (seconds >= SLOW) return { value: { relayers: 8, rows: 42 }, logs: [] };
  return { error: `Plugin execution timed out after ${seconds} seconds`, status: 504, code: "TIMEOUT", logs: [] };
}

/** Calls a plugin with POST, or with GET if the plugin allows it (facts 8.3). */
export const callPlugin: Handler = async ({ ids: [id = "", ...rest], request, query, store }) => {
  const plugin = await store.read((state) => findResource(state, "plugins", id));
  if (request.method === "GET" && plugin.allow_get_invocation !== true)
    throw new Refusal(
      405,
      "GET requests are not enabled for this plugin. Set 'allow_get_invocation: true' in plugin configuration to enable.",
    );
  const params = request.method === "GET" ? {} : paramsIn(request.body ?? "");
  const route = rest.length > 0 ? `/${rest.join("/")}` : (query.get("route") ?? "");
  return buildResult(plugin, runPlugin({ plugin, params, route }));
};

function paramsIn(text: string): JsonValue {
  const body = parseJsonOr(text, ({ message }) => new Refusal(400, `Invalid JSON: ${message}`));
  return isJsonObject(body) ? (body.params ?? body) : body;
}

/** Returns the service's envelope in every dialect, or the bare value if the plugin wants it (facts 8.3). */
function buildResult(plugin: Resource, outcome: PluginOutcome): BareReply {
  const status = "error" in outcome ? outcome.status : 200;
  const data =
    "error" in outcome
      ? { code: outcome.code, ...(outcome.details !== undefined && { details: outcome.details }) }
      : outcome.value;
  if (plugin.raw_response === true) return jsonReply(status, data);
  const metadata = {
    ...(plugin.emit_logs === true && { logs: outcome.logs }),
    ...(plugin.emit_traces === true && { traces: outcome.traces ?? [] }),
  };
  return jsonReply(status, {
    success: !("error" in outcome),
    data,
    error: "error" in outcome ? outcome.error : null,
    ...(Object.keys(metadata).length > 0 && { metadata }),
  });
}

function jsonReply(status: number, value: JsonValue): BareReply {
  return { status, text: writeJson(value), type: "application/json" };
}

import { isJsonObject, type JsonObject, type JsonValue } from "../../contract/json.ts";
import type { Resource } from "../state/collection.ts";

export interface PluginCall {
  plugin: Resource;
  params: JsonValue;
  /** The path after `/call`; empty without one. */
  route: string;
}

/** What a call comes to, with what the plugin logged. */
export type PluginOutcome = { logs: JsonObject[]; traces?: JsonValue[] } & (
  | { value: JsonValue }
  | { error: string; status: number; code: string; details?: JsonValue }
);

/** Runs a plugin of the demo: nothing is executed, and no transaction is sent. */
export function runPlugin(call: PluginCall): PluginOutcome {
  return (PLUGINS[call.plugin.id] ?? echo)(call);
}

const PLUGINS: Readonly<Record<string, (call: PluginCall) => PluginOutcome>> = { rebalance, report, sweep };

function echo({ params, route }: PluginCall): PluginOutcome {
  return { value: { params, route }, logs: [] };
}

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

/** Seconds that the report takes. */
const SLOW = 20;

function report({ plugin: { timeout } }: PluginCall): PluginOutcome {
  const seconds = Number(isJsonObject(timeout) ? timeout.secs : timeout);
  if (seconds >= SLOW) return { value: { relayers: 8, rows: 42 }, logs: [] };
  return { error: `Plugin execution timed out after ${seconds} seconds`, status: 504, code: "TIMEOUT", logs: [] };
}

import { isJsonObject, type JsonValue } from "../contract/json.ts";
import type { Resource } from "./state/collection.ts";
import type { DemoState } from "./state/state.ts";

/**
 * Disables a new relayer none of whose own nodes can be reached, and notes that its notification is to be told
 * (service-facts 3.1, 4.2, 7.2). Nothing is asked: a node that cannot be reached is one under `.invalid`, a name that
 * never resolves (RFC 6761).
 */
export function checkHealth(state: DemoState, relayer: Resource, moment: number): void {
  const urls = Array.isArray(relayer.custom_rpc_urls) ? relayer.custom_rpc_urls : [];
  if (urls.length === 0 || !urls.every(isUnreachable)) return;
  const disabled = { ...relayer, system_disabled: true, disabled_reason: UNREACHABLE };
  state.relayers.put(disabled);
  state.outbox.push({ disabled, moment });
}

const UNREACHABLE = { type: "RpcValidationFailed", details: "RPC endpoint validation failed" };

function isUnreachable(entry: JsonValue): boolean {
  const url = isJsonObject(entry) ? String(entry.url) : "";
  return URL.canParse(url) && /(?:^|\.)invalid$/.test(new URL(url).hostname);
}

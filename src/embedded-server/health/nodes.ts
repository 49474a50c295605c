import { isJsonObject, type JsonValue } from "../../contract/json.ts";
import type { Resource } from "../state/collection.ts";
import type { ServerState } from "../state/state.ts";

/**
 * Returns the URL of a relayer's first node if none of its nodes can be reached: its own nodes, or those of its network
 * (facts 4.4). Nothing is contacted: an unreachable node is one under `.invalid`, a name that never resolves (RFC
 * 6761).
 */
export function unreachableNode({ networks }: ServerState, relayer: Resource): string | undefined {
  const own = urlsIn(relayer.custom_rpc_urls);
  const network = networks.get(`${String(relayer.network_type)}:${String(relayer.network)}`);
  const urls = own.length > 0 ? own : urlsIn(network?.rpc_urls);
  return urls.every(isUnreachable) ? urls[0] : undefined;
}

function urlsIn(entries: JsonValue | undefined): string[] {
  if (!Array.isArray(entries)) return [];
  return entries.flatMap((entry) => (isJsonObject(entry) ? [String(entry.url)] : []));
}

function isUnreachable(url: string): boolean {
  return URL.canParse(url) && /(?:^|\.)invalid$/.test(new URL(url).hostname);
}

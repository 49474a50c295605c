import { isNetworkKind, type NetworkKind } from "../contract/network-kind.ts";
import type { Resource } from "./state/collection.ts";

/** Returns the kind of a relayer's network, which decides how policies and replacements are validated. */
export function kindOf(relayer: Resource): NetworkKind {
  if (isNetworkKind(relayer.network_type)) return relayer.network_type;
  throw new Error("a relayer without a known network type");
}

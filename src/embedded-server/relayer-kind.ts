import { isNetworkKind, type NetworkKind } from "../contract/network-kind.ts";
import type { Resource } from "./state/collection.ts";

/** The kind of a relayer's network, by which policies and replacements are judged. */
export function kindOf(relayer: Resource): NetworkKind {
  if (isNetworkKind(relayer.network_type)) return relayer.network_type;
  throw new Error("a relayer without a known network type");
}

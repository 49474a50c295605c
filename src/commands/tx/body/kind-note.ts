import type { NetworkKind } from "../../../contract/network-kind.ts";

/** Warns about behavior that the service has only on EVM (facts 5.4, 5.5, and 13). */
export function kindNote(verb: "replace" | "cancel", kind: NetworkKind | undefined): string[] {
  if (kind === "stellar")
    return [`note: services up to v1.8 do not ${verb} Stellar transactions: they report success and change nothing`];
  return kind === "solana"
    ? [`note: services up to v1.8 do not ${verb} Solana transactions: they reject the request`]
    : [];
}

import type { JsonObject } from "../../contract/json.ts";
import type { DesiredResource } from "../desired.ts";
import type { KnownSecrets } from "../known-secrets.ts";
import { type Findings, reasons } from "./findings.ts";
import { compareUrls, hidesUrl, shownUrls, urlEntries } from "./rpc-urls.ts";

export interface ComparisonOptions {
  known: KnownSecrets;
  /** Whether to send values that cannot be compared. */
  sendHidden: boolean;
}

interface ComparedUrls {
  desired: DesiredResource;
  live: JsonObject;
  member: "custom_rpc_urls" | "rpc_urls";
}

/** Compares the RPC URLs of a relayer or a network. The list is sent whole: a file that leaves out a part cannot set it. */
export async function compareRpcUrls(
  { desired: { noun, id, fields }, live, member }: ComparedUrls,
  findings: Findings,
  { known, sendHidden }: ComparisonOptions,
): Promise<void> {
  const [after, before] = [fields[member] ?? null, live[member] ?? null];
  const [wanted, found] = [urlEntries(after), urlEntries(before)];
  if (!wanted || !found) return findings.unknown(member, reasons.unreadable);
  const compared = await compareUrls(wanted, found, () => known.lastApplied(noun, id, member));
  if (compared === "same") return;
  const shown = { before: shownUrls(before), after: shownUrls(after) };
  if (compared === "unknown" && (!sendHidden || hidesUrl(wanted)))
    return findings.unknown(member, hidesUrl(wanted) ? reasons.leftOut : reasons.masked);
  if (hidesUrl(wanted)) {
    const reason = "the list is sent whole, and the file leaves out a URL: write all URLs in the file";
    return findings.impossible(member, { ...shown, reason });
  }
  findings.change({ path: [member], ...shown, sent: after });
}

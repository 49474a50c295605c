import type { JsonObject, JsonValue } from "../../contract/json.ts";
import type { DesiredResource } from "../desired.ts";
import { canonicalJson } from "./canonical-json.ts";
import { comparePolicies } from "./compare-policies.ts";
import { type ComparisonOptions, compareRpcUrls } from "./compare-rpc-urls.ts";
import type { Findings } from "./findings.ts";

const NOT_RETURNED = "the service does not return it";
const IMMUTABLE = ["network_type", "network", "signer_id"] as const;

/** Compares a relayer of a file with that of the service. */
export async function compareRelayer(
  desired: DesiredResource,
  live: JsonObject,
  findings: Findings,
  options: ComparisonOptions,
): Promise<void> {
  const { fields } = desired;
  for (const name of IMMUTABLE) compareImmutable(name, fields[name] ?? null, live[name] ?? null, findings);
  // The rest of a relayer on one network says nothing about one on another.
  if (findings.cannot.some(({ path }) => path !== "signer_id")) return;
  for (const name of ["name", "paused"])
    if ((fields[name] ?? null) !== null) compareValue(name, fields, live, findings);
  const unreturned = unreturnedBy(live);
  for (const name of unreturned) if ((fields[name] ?? null) !== null) findings.unknown(name, NOT_RETURNED);
  if (!unreturned.includes("notification_id")) compareValue("notification_id", fields, live, findings);
  if (!unreturned.includes("custom_rpc_urls"))
    await compareRpcUrls({ desired, live, member: "custom_rpc_urls" }, findings, options);
  const kind = live.network_type ?? fields.network_type;
  comparePolicies({ kind, desired: fields.policies, live: live.policies }, findings);
}

/** Returns the members that service v1.0 does not return, which has no signers either (facts 9). */
function unreturnedBy(live: JsonObject): readonly string[] {
  if ((live.signer_id ?? null) !== null) return [];
  return ["notification_id", "custom_rpc_urls"].filter((name) => (live[name] ?? null) === null);
}

function compareImmutable(name: string, after: JsonValue, before: JsonValue, findings: Findings): void {
  if (after === null) return;
  const reason = "the service cannot change it: delete and create the relayer";
  if (before === null) findings.unknown(name, NOT_RETURNED);
  else if (canonicalJson(after) !== canonicalJson(before)) findings.impossible(name, { before, after, reason });
}

function compareValue(name: string, fields: JsonObject, live: JsonObject, findings: Findings): void {
  const [after, before] = [fields[name] ?? null, live[name] ?? null];
  if (canonicalJson(after) !== canonicalJson(before)) findings.change({ path: [name], before, after });
}

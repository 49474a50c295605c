import type { JsonObject, JsonValue } from "../../contract/json.ts";
import { type Forms, requestFields, sentFields } from "../../contract/resources/field.ts";
import { relayerFields } from "../../contract/resources/relayer.ts";
import { hiddenIn } from "../hidden.ts";
import { byText, canonicalJson } from "./canonical-json.ts";
import { comparePolicies } from "./compare-policies.ts";
import { type Comparison, type Findings, reasons } from "./findings.ts";
import { compareRpcUrls } from "./rpc-urls.ts";

/** The members with one value, changeable or not. */
export const RELAYER_MEMBERS = requestFields(relayerFields).filter(
  (name) => !["id", "custom_rpc_urls", "policies"].includes(name),
);
const CHANGEABLE = new Map(sentFields(relayerFields, "update"));
const IMMUTABLE = RELAYER_MEMBERS.filter((name) => !CHANGEABLE.has(name)).sort((one, other) => byText(other, one));
const VALUES = RELAYER_MEMBERS.filter((name) => CHANGEABLE.has(name));

export async function compareRelayer(comparison: Comparison): Promise<void> {
  const { live, findings } = comparison;
  const { fields } = comparison.desired;
  for (const name of IMMUTABLE) compareImmutable(name, fields[name] ?? null, live[name] ?? null, findings);
  // The rest of a relayer on one network says nothing about a relayer on another.
  if (findings.cannot.some(({ path }) => path !== "signer_id")) return;
  const unreturned = unreturnedBy(live);
  for (const name of unreturned) if ((fields[name] ?? null) !== null) findings.unknown(name, reasons.notReturned);
  for (const name of VALUES) if (!unreturned.includes(name)) compareValue(name, { fields, live }, findings);
  if (!unreturned.includes("custom_rpc_urls")) await compareRpcUrls(comparison, "custom_rpc_urls");
  const kind = live.network_type ?? fields.network_type;
  comparePolicies({ kind, desired: fields.policies, live: live.policies }, findings);
}

const TYPES: Partial<Record<keyof Forms, string>> = { flag: "boolean", seconds: "number", object: "object" };

/** Returns the members that service v1.0 does not return, which has no signers either (facts 9). */
function unreturnedBy(live: JsonObject): readonly string[] {
  if ((live.signer_id ?? null) !== null) return [];
  return ["notification_id", "custom_rpc_urls"].filter((name) => (live[name] ?? null) === null);
}

function compareImmutable(name: string, after: JsonValue, before: JsonValue, findings: Findings): void {
  if (after === null) return;
  const isUnknown = before === null || hiddenIn(after) !== undefined;
  const reason = "the service cannot change it: delete and create the relayer";
  if (isUnknown) findings.unknown(name, before === null ? reasons.notReturned : reasons.leftOut);
  else if (canonicalJson(after) !== canonicalJson(before)) findings.impossible(name, { before, after, reason });
}

function compareValue(name: string, { fields, live }: { fields: JsonObject; live: JsonObject }, findings: Findings) {
  const [after, before] = [fields[name] ?? null, live[name] ?? null];
  const { null: isNullable, form = "text" } = CHANGEABLE.get(name) ?? {};
  const canBeUnset = isNullable === "accepted";
  const type = TYPES[form] ?? "string";
  if (after === null && !canBeUnset) return;
  if (before === null && !canBeUnset) findings.unknown(name, reasons.notReturned);
  else if (before !== null && typeof before !== type) findings.unknown(name, reasons.unreadable);
  else if (canBeUnset && hiddenIn(after) !== undefined) compareLeftOut(name, after, before, findings);
  else if (canonicalJson(after) !== canonicalJson(before)) findings.change({ path: [name], before, after });
}

function compareLeftOut(name: string, after: JsonValue, before: JsonValue, findings: Findings): void {
  if (before !== null) findings.unknown(name, reasons.leftOut);
  else findings.impossible(name, { before, after, reason: "the file leaves the ID out: write it in the file" });
}

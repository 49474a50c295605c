import { type JsonObject, type JsonValue, leavesIn, overlap, valueAt } from "../../contract/json.ts";
import { networkFields } from "../../contract/resources/network.ts";
import { notificationFields } from "../../contract/resources/notification.ts";
import { pluginFields } from "../../contract/resources/plugin.ts";
import { relayerFields } from "../../contract/resources/relayer.ts";
import type { DesiredResource, Doubt, FleetNoun } from "../desired.ts";
import { unsetIn } from "../hidden.ts";
import { resourceName } from "../plan.ts";
import type { Findings } from "./findings.ts";
import { unknownPolicyLeaves } from "./policy-leaves.ts";

/** Reports in one row why a resource can't be created from its file: what is missing, and what the API would refuse. */
export function reportUnfit(desired: DesiredResource, doubts: readonly Doubt[], findings: Findings): void {
  const missing = missingIn(desired.fields);
  const fixes = [...missing, ...doubts].flatMap(({ fix }) => fix ?? []);
  const wrong = doubts.filter(({ fix }) => fix === undefined);
  const reasons = [
    ...joined(fixes),
    ...wrong.map(({ path, problem: { rule } }) => (path === "" ? rule : `${path}: ${rule}`)),
  ];
  if (reasons.length === 0) return;
  const [first = ""] = [...missing, ...doubts].map(({ path }) => path);
  const isKeystore = desired.noun === "signers" && desired.fields.type === "local";
  const where = isKeystore ? " where the service runs, because only the service reads keystores" : "";
  const reason = `cannot create ${resourceName(desired)}: ${reasons.join("; ")}${where}`;
  findings.impossible("", { before: null, after: null, reason }, first);
}

/** A placeholder is a difference unless the service has it, too; a missing value is not compared, or can't be sent. */
export function reportMissing(
  desired: DesiredResource,
  doubts: readonly Doubt[],
  findings: Findings,
  sendHidden: boolean,
): void {
  for (const { path, isMissing, problem, fix = isMissing && problem.rule } of doubts)
    if (fix) findings.refuse(path, fix);
  const missing = missingIn(desired.fields);
  const missingAt = (at: string) => missing.filter(({ path }) => overlap(path, at));
  const isSent = sendHidden && desired.noun !== "signers";
  for (const { path } of [...findings.cannot, ...(isSent ? findings.notCompared : [])]) {
    const fixes = joined(missingAt(path).map(({ fix }) => fix));
    if (fixes.length > 0) findings.refuse(path, fixes.join("; "));
  }
  for (const each of findings.notCompared)
    each.reason =
      missingAt(each.path)
        .map((value) => value.missing)
        .join(", ") || each.reason;
}

function missingIn(fields: JsonObject): { path: string; fix: string; missing: string }[] {
  return leavesIn(fields).flatMap(({ leaf, path }) => {
    const unset = unsetIn(leaf);
    return unset ? { path, ...unset } : [];
  });
}

function joined(fixes: readonly string[]): string[] {
  return ["set ", "create ", "fill in "].flatMap((verb) => {
    const found = new Set(fixes.filter((fix) => fix.startsWith(verb)).map((fix) => fix.slice(verb.length)));
    return found.size === 0 ? [] : [verb + [...found].join(", ")];
  });
}

const KNOWN: Readonly<Record<FleetNoun, readonly string[]>> = {
  notifications: Object.keys(notificationFields),
  signers: ["id", "type", "config"],
  networks: Object.keys(networkFields),
  plugins: Object.keys(pluginFields),
  relayers: Object.keys(relayerFields),
};

/** Returns the service's members of a resource that neither this version nor its file knows. */
export function unknownMembers({ noun, fields }: DesiredResource, live: JsonObject): string[] {
  const names = Object.keys(live).filter((name) => !KNOWN[noun].includes(name));
  if (noun !== "relayers") return names;
  const policies = unknownPolicyLeaves(live.network_type, live.policies);
  const left = policies.filter(({ path }) => (valueAt(fields.policies as JsonValue, path) ?? null) === null);
  return [...names, ...left.map(({ path }) => ["policies", ...path].join("."))];
}

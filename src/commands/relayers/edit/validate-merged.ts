import { type JsonObject, mergePatch } from "../../../contract/json.ts";
import { isNetworkKind } from "../../../contract/network-kind.ts";
import { type MissingPolicy, missingPolicies } from "../../../contract/policy.ts";
import type { Problems } from "../../../contract/problems.ts";
import type { Relayer } from "../../../contract/resources/relayer.ts";
import { newlyBroken, type Part, partsOf } from "./part.ts";

/**
 * Adds a problem for each rule that a change would break in the merged relayer, which is what the service validates
 * (facts 4.5). Rules broken before are ignored, and no path is reported twice.
 * @param sourceOf returns where a path within the policies was typed
 */
export function validateMerged(
  problems: Problems,
  patch: JsonObject,
  relayer: Relayer,
  sourceOf: (path: string) => string,
): void {
  const after = mergePatch(relayer, patch);
  const broken = newlyBroken(relayer, after).map(({ where, rule }) => ({ path: where, rule }));
  for (const { path, rule } of [...newlyMissing(relayer, after), ...broken]) {
    if (!problems.has(sourceOf(path))) problems.add(sourceOf(path), rule);
  }
}

export function newlyMissing(relayer: Relayer, value: JsonObject): MissingPolicy[] {
  const { network_type: kind } = relayer;
  if (!isNetworkKind(kind)) return [];
  const known = missingPolicies(kind, relayer.policies).map(({ path }) => path);
  return missingPolicies(kind, value.policies).filter(({ path }) => !known.includes(path));
}

/** Returns the policy that contains a gap, to be prompted for as a whole, so that it can be filled or cleared. */
export function partAround(relayer: Relayer, gap: MissingPolicy): Part {
  const head = `policies.${gap.path.split(".")[0]}`;
  const part = partsOf(relayer).find(({ path }) => path === head);
  if (!part) throw new Error(`no part holds ${gap.path}`);
  return part;
}

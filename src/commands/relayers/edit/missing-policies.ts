import type { JsonObject } from "../../../contract/json.ts";
import { isNetworkKind } from "../../../contract/network-kind.ts";
import { type MissingPolicy, missingPolicies } from "../../../contract/policy.ts";
import type { Relayer } from "../../../contract/resources/relayer.ts";
import { type Part, partsOf } from "./part.ts";

/** Returns the policies that a change has made missing. */
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

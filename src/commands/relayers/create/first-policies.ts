import type { JsonObject, JsonValue } from "../../../contract/json.ts";
import type { NetworkKind } from "../../../contract/network-kind.ts";
import { missingPolicies, networkRule } from "../../../contract/policy.ts";
import type { Problems } from "../../../contract/problems.ts";
import { policyPatch } from "../change/policy-patch.ts";
import type { TypedPolicies } from "../change/typed-policies.ts";

/** The source of the missing strategy, which a relayer on Stellar requires. */
export const STRATEGY = "--policy fee_payment_strategy";

/** Returns a new relayer's policies, validated as a whole (facts 4.3); undefined if none is specified. */
export function firstPolicies(
  problems: Problems,
  typed: TypedPolicies | undefined,
  kind: NetworkKind,
  network: JsonValue | undefined,
): JsonObject | undefined {
  if (!typed) {
    if (kind === "stellar") problems.add(STRATEGY, "Stellar policy is required. fee_payment_strategy is required");
    return undefined;
  }
  const before = problems.found.length;
  const policies = policyPatch(problems, typed, kind);
  if (problems.found.length > before) return policies;
  for (const { path, rule } of missingPolicies(kind, policies)) problems.add(typed.sourceOf(path), rule);
  const networkProblem = networkRule(kind, network, policies);
  if (networkProblem !== undefined) problems.add(typed.sourceOf("swap_config.strategy"), networkProblem);
  return policies;
}

import { isJsonObject, type JsonValue } from "../json.ts";
import { fits } from "../policy/fits.ts";
import { type ListField, type PolicyField, policyFields } from "../policy.ts";

/**
 * Returns the effects of a `policies` merge patch for which the relayer's ID must be typed: it resets all policies,
 * opens or closes a list that limits where a relayer may send or what it may sign, or is not understood. The relayer's
 * kind is unknown here: a field has the same meaning on any kind.
 */
export function policyRisks(policies: JsonValue): string[] {
  if (policies === null)
    return ["every policy is reset, including the list of allowed receivers: any receiver will be allowed"];
  if (!isJsonObject(policies))
    return ["policies is not an object: every policy may be reset, and any receiver allowed"];
  return Object.entries(policies).flatMap(([key, value]) => fieldRisks(key, value));
}

function fieldRisks(key: string, value: JsonValue): string[] {
  const fields = fieldsNamed(key);
  const guard = fields.find(isGuard);
  if (guard && value === null) return [`${key} is unset: ${guard.unset}`];
  if (guard && Array.isArray(value) && value.length === 0) return [`${key} is empty: ${guard.empty}`];
  if (fields.some((field) => fits(field, value))) return [];
  return [guard ? `${key} is not ${guard.rule}: what it will allow is unknown` : notUnderstood(`policies.${key}`)];
}

/** @param key of a patch */
export function notUnderstood(key: string): string {
  return `"${key}" does not have a known name and type: its effect is unknown`;
}

/** Returns the fields with this name, of each kind that has it. */
function fieldsNamed(key: string): PolicyField[] {
  return Object.values(policyFields).flatMap((fields) => {
    const field = Object.hasOwn(fields, key) ? fields[key] : undefined;
    return field ? [field] : [];
  });
}

function isGuard(field: PolicyField): field is PolicyField & ListField {
  return field.type === "list" && field.guards === true;
}

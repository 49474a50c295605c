import type { PolicyWords } from "../completion/words.ts";
import { NETWORK_KINDS } from "../contract/network-kind.ts";
import { fieldAt, fieldPaths, type PolicyField, policyFields } from "../contract/policy.ts";

/** Every policy key that can be typed, with the kinds of network that have it. */
export function policyWords(): PolicyWords[] {
  const keys = new Set(NETWORK_KINDS.flatMap((kind) => fieldPaths(policyFields[kind])));
  return [...keys].sort().map((key) => {
    const kinds = NETWORK_KINDS.filter((kind) => fieldAt(policyFields[kind], key));
    const fields = kinds.flatMap((kind) => fieldAt(policyFields[kind], key) ?? []);
    const values = new Set(fields.flatMap(valuesOf));
    return { key, summary: kinds.join(", "), values: [...values] };
  });
}

function valuesOf(field: PolicyField): readonly string[] {
  if (field.type === "flag") return ["true", "false"];
  return field.type === "word" ? (field.words ?? []) : [];
}

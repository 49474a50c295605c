import { validateId } from "../../../command-support/ids.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../contract/json.ts";
import { isNetworkKind } from "../../../contract/network-kind.ts";
import type { ListField } from "../../../contract/policy.ts";
import type { Problems } from "../../../contract/problems.ts";
import { validateBody } from "../../../contract/requests/body-problems.ts";
import { policySchemas, updateRelayerSchema } from "../../../contract/requests.ts";
import { sentFields } from "../../../contract/resources/field.ts";
import { type Relayer, relayerFields } from "../../../contract/resources/relayer.ts";
import { itemProblem, keyOf } from "../edit/list-item.ts";
import { heldIn, partsOf } from "../edit/part.ts";
import { validateMerged } from "../edit/validate-merged.ts";

/** Adds a problem per rule that a change would break, alone or merged; rules broken before are ignored. */
export function validatePatch(problems: Problems, patch: JsonObject, relayer: Relayer): void {
  for (const [name, field] of sentFields(relayerFields, "update")) {
    const value = patch[name];
    if (value === null && field.null === "refused") problems.add(name, "cannot be cleared");
    if (typeof value === "string" && field.refersTo) validateId(problems, name, value);
  }
  validateBody(problems, updateRelayerSchema, patch, (path) => path);
  if (isJsonObject(patch.policies)) validatePolicies(problems, patch.policies, relayer);
  validateItems(problems, patch, relayer);
  validateMerged(problems, patch, relayer, getSource);
}

function validatePolicies(problems: Problems, policies: JsonObject, { network_type: kind }: Relayer): void {
  if (isNetworkKind(kind)) validateBody(problems, policySchemas[kind], policies, getSource);
}

/** Validates new texts and keys of entries in a list: the service accepts any text as an address (facts 13.3). */
function validateItems(problems: Problems, patch: JsonObject, relayer: Relayer): void {
  for (const part of partsOf(relayer)) {
    const [list, before] = [heldIn(patch, part), heldIn(relayer, part)];
    if (part.field.type !== "list" || !Array.isArray(list)) continue;
    const known = Array.isArray(before) ? before : [];
    for (const { at, key, rule } of newItemProblems(list, known, part.field)) {
      const where = `${part.path}.${at}`;
      if (!problems.has(where)) problems.add(where, rule, key);
    }
  }
}

function newItemProblems(list: readonly JsonValue[], known: readonly JsonValue[], field: ListField) {
  const old = new Set(known.map((item) => keyOf(item, field)));
  return list.flatMap((item, index) => {
    const key = keyOf(item, field);
    const rule = key === "" || old.has(key) ? undefined : itemProblem(key, list.slice(0, index), field);
    return rule === undefined ? [] : [{ at: field.entry ? `${index}.${field.entry.key}` : `${index}`, key, rule }];
  });
}

function getSource(path: string): string {
  return path === "" ? "policies" : `policies.${path}`;
}

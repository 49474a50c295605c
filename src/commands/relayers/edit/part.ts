import type { JsonObject, JsonValue } from "../../../contract/json.ts";
import { type PolicyField, type PolicyFields, policyFieldsOf } from "../../../contract/policy.ts";
import type { EditedField, Field } from "../../../contract/resources/field.ts";
import { type Relayer, relayerFields } from "../../../contract/resources/relayer.ts";
import { valueAt } from "../../../terminal/select/path.ts";

/** One thing that can be changed. */
export interface Part {
  /** Dotted, in what is being changed: `policies.swap_config.strategy`. */
  path: string;
  /** How it is listed beside others: `strategy`. */
  name: string;
  /** How it is called in a question of its own: `swap_config.strategy`. */
  label: string;
  field: PartField;
}

/** What a part holds: a policy, or a field of the relayer, some of which are asked about in their own way. */
export type PartField = PolicyField | { type: Exclude<EditedField["type"], "word">; unset?: string };

const FIELDS: readonly Part[] = Object.entries<Field>(relayerFields).flatMap(([path, { label = path, update }]) => {
  if (!update?.edit) return [];
  const { name = label, ...field } = update.edit;
  return [{ path, name, label: name, field }];
});

/**
 * Everything that can be changed about a relayer. Of a kind that is not known, no policy can.
 * @param symbol of the coin of its network, where that is known
 */
export function partsOf({ network_type }: Relayer, symbol?: string): Part[] {
  return [...FIELDS, ...fieldParts(policyFieldsOf(network_type, symbol), "policies.")];
}

/** The members of an object as parts of their own. */
export function fieldParts(fields: PolicyFields, prefix = ""): Part[] {
  return Object.entries(fields).map(([key, field]) => {
    const path = prefix + key;
    return { path, name: key, label: path.replace(/^policies\./, ""), field };
  });
}

/** What a part holds now; null when it is unset. */
export function heldIn(value: JsonObject, { path }: Part): JsonValue {
  return valueAt(value, path) ?? null;
}

/** Pairs in which the first, where it is set, rules out a value of the second: it is asked about first, to be cleared. */
const BEFORE = [
  ["disallowed_accounts", "allowed_accounts"],
  ["swap_config", "fee_payment_strategy"],
  ["jupiter_swap_options", "strategy"],
] as const;

/** Parts in the order in which to ask about them. */
export function inOrder(parts: readonly Part[], value: JsonObject): Part[] {
  const last = (path: string) => path.slice(path.lastIndexOf(".") + 1);
  const isFirst = (part: Part) =>
    heldIn(value, part) !== null &&
    BEFORE.some(([first, second]) => first === last(part.path) && parts.some(({ path }) => last(path) === second));
  return [...parts.filter(isFirst), ...parts.filter((part) => !isFirst(part))];
}

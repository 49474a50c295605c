import type { JsonObject, JsonValue } from "../../../contract/json.ts";
import { type PolicyField, type PolicyFields, policyFieldsOf } from "../../../contract/policy.ts";
import type { EditedField, Field } from "../../../contract/resources/field.ts";
import { type Relayer, relayerFields } from "../../../contract/resources/relayer.ts";
import { valueAt } from "../../../terminal/select/path.ts";

export interface Part {
  /** Dotted, within the resource: `policies.swap_config.strategy`. */
  path: string;
  /** The name in a list of parts: `strategy`. */
  name: string;
  /** The name in a separate prompt: `swap_config.strategy`. */
  label: string;
  field: PartField;
}

/** The type of a part: a policy, or a field of the relayer, some of which have a special prompt. */
export type PartField = PolicyField | { type: Exclude<EditedField["type"], "word">; unset?: string };

const FIELDS: readonly Part[] = Object.entries<Field>(relayerFields).flatMap(([path, { label = path, update }]) => {
  if (!update?.edit) return [];
  const { name = label, ...field } = update.edit;
  return [{ path, name, label: name, field }];
});

/** Returns the parts of a relayer that can be changed. @param symbol the symbol of the network's coin, if known */
export function partsOf({ network_type }: Relayer, symbol?: string): Part[] {
  return [...FIELDS, ...fieldParts(policyFieldsOf(network_type, symbol), "policies.")];
}

export function fieldParts(fields: PolicyFields, prefix = ""): Part[] {
  return Object.entries(fields).map(([key, field]) => {
    const path = prefix + key;
    return { path, name: key, label: path.replace(/^policies\./, ""), field };
  });
}

/** Returns the current value of a part; null if it is unset. */
export function heldIn(value: JsonObject, { path }: Part): JsonValue {
  return valueAt(value, path) ?? null;
}

/** Pairs whose first value rules out the second: the first is prompted for first, so that it can be cleared. */
const BEFORE = [
  ["disallowed_accounts", "allowed_accounts"],
  ["swap_config", "fee_payment_strategy"],
  ["jupiter_swap_options", "strategy"],
] as const;

export function inOrder(parts: readonly Part[], value: JsonObject): Part[] {
  const last = (path: string) => path.slice(path.lastIndexOf(".") + 1);
  const isFirst = (part: Part) =>
    heldIn(value, part) !== null &&
    BEFORE.some(([first, second]) => first === last(part.path) && parts.some(({ path }) => last(path) === second));
  return [...parts.filter(isFirst), ...parts.filter((part) => !isFirst(part))];
}

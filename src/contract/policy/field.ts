import { type BaseUnit, type Currency, LAMPORTS, STROOPS } from "../amount.ts";
import type { NetworkKind } from "../network-kind.ts";

/**
 * How a policy's field is typed, shown, and checked. The Solana and Stellar fields come from facts 4.3, the EVM ones
 * from interface 2.2, too. A `refusal` is the service's message for a number out of range; `perGas` is a gas price, and
 * `sameAsUnset` is the value that equals an unset field.
 */
export type PolicyField = (
  | {
      type: "amount";
      unit: BaseUnit;
      perGas?: true;
      symbol?: string;
      most: bigint;
      least?: bigint;
      default?: bigint;
      refusal?: string;
    }
  | { type: "integer"; most: bigint; default?: bigint }
  | { type: "flag"; default?: boolean }
  | { type: "decimal"; most?: number; refusal?: string }
  | { type: "word"; words?: readonly string[]; form?: TextForm; sameAsUnset?: string }
  | ListField
  | { type: "object"; fields: PolicyFields }
  | { type: "json"; holds: "stellar asset metadata"; example: string }
) & {
  /** The behavior while it is unset, without a default. */
  unset?: string;
};

export type AmountField = Extract<PolicyField, { type: "amount" }>;

interface TextForm {
  problem(text: string): string | undefined;
  rule: string;
  example?: string;
}

export interface ListField {
  type: "list";
  rule: string;
  least?: number;
  /** The service's message for a list with fewer entries. */
  refusal?: string;
  words?: readonly string[];
  form?: TextForm;
  /** The network type of its addresses, in texts or in keys of entries, which labels can replace. */
  addresses?: NetworkKind;
  example?: string;
  entry?: ListEntry;
  empty?: string;
  /** Set if it limits the relayer: unsetting or emptying it requires typing its ID; `unset` and `empty` say why. */
  guards?: true;
}

/** `key` is the field that every entry has, and that identifies it. */
export interface ListEntry {
  key: string;
  fields: PolicyFields;
  aliases?: Readonly<Record<string, string>>;
  /** The fields that the service reads from the chain if they are not set. */
  filledIn?: readonly string[];
}

export type PolicyFields = Readonly<Record<string, PolicyField>>;

/** @param shown the amount; the default of an EVM minimum is shown as 1 wei */
export function policyFieldCurrency(field: AmountField, shown?: bigint): Currency {
  const { unit, perGas, symbol } = field;
  if (unit !== "wei") return unit === "lamport" ? LAMPORTS : STROOPS;
  const isDefault = shown !== undefined && shown === field.default;
  return { base: unit, symbol: isDefault ? undefined : symbol, ...(perGas && { perGas }) };
}

export function policyFieldAt(fields: PolicyFields, path: string): PolicyField | undefined {
  const [head = "", ...rest] = path.split(".");
  const field = Object.hasOwn(fields, head) ? fields[head] : undefined;
  if (rest.length === 0 || !field) return field;
  return field.type === "object" ? policyFieldAt(field.fields, rest.join(".")) : undefined;
}

export function policyFieldPaths(fields: PolicyFields): string[] {
  return Object.entries(fields).flatMap(([key, field]) =>
    field.type === "object" ? [key, ...policyFieldPaths(field.fields).map((path) => `${key}.${path}`)] : [key],
  );
}

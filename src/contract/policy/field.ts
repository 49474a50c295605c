import { type BaseUnit, type Currency, LAMPORTS, STROOPS } from "../currency.ts";

/**
 * One member of a policy: how its value is typed, shown, and checked. The Solana and Stellar members come from
 * facts 4.3, the EVM ones from interface 2.2 too. A `refusal` is the service's message for a number out of range; an
 * amount that is `perGas` is a price of gas.
 */
export type PolicyField = (
  | {
      type: "amount";
      unit: BaseUnit;
      perGas?: true;
      /** Of the coin of the relayer's network, where that is known. */
      symbol?: string;
      most: bigint;
      least?: bigint;
      default?: bigint;
      refusal?: string;
    }
  | { type: "integer"; most: bigint; default?: bigint }
  | { type: "flag"; default?: boolean }
  | { type: "decimal"; most?: number; refusal?: string }
  | { type: "word"; words?: readonly string[]; form?: TextForm }
  | ListField
  | { type: "object"; fields: PolicyFields }
  | { type: "json"; holds: "stellar asset metadata"; example: string }
) & {
  /** What holds while it is unset, where that is no default. */
  unset?: string;
};

export type AmountField = Extract<PolicyField, { type: "amount" }>;

export interface TextForm {
  /** What is wrong with a text, or nothing. */
  problem(text: string): string | undefined;
  /** What a text looks like. */
  rule: string;
  example?: string;
}

export interface ListField {
  type: "list";
  rule: string;
  least?: number;
  /** What the service says of one with fewer entries. */
  refusal?: string;
  /** The only words that can be in it. */
  words?: readonly string[];
  /** What its texts look like. */
  form?: TextForm;
  /** What its texts are, where the service itself takes any. */
  texts?: "evm_address";
  /** A text that can be in it. */
  example?: string;
  /** What an entry is made of, where it is an object. */
  entry?: ListEntry;
  /** What holds while it is empty. */
  empty?: string;
  /** It limits what a relayer may do: to unset or empty it needs the relayer's id typed, and `unset` and `empty` say why. */
  guards?: true;
}

/** `key` is the member that every entry has, and that tells it from the others. */
export interface ListEntry {
  key: string;
  fields: PolicyFields;
}

export type PolicyFields = Readonly<Record<string, PolicyField>>;

/** What the amounts of a member are counted in. */
export function fieldCurrency({ unit, perGas, symbol }: AmountField): Currency {
  if (unit !== "wei") return unit === "lamport" ? LAMPORTS : STROOPS;
  return { base: unit, symbol, ...(perGas && { perGas }) };
}

/** A member by its dotted path, as `swap_config.strategy`; nothing when there is none. */
export function fieldAt(fields: PolicyFields, path: string): PolicyField | undefined {
  const [head = "", ...rest] = path.split(".");
  const field = Object.hasOwn(fields, head) ? fields[head] : undefined;
  if (rest.length === 0 || !field) return field;
  return field.type === "object" ? fieldAt(field.fields, rest.join(".")) : undefined;
}

/** Every dotted path of a policy, objects and their members both. */
export function fieldPaths(fields: PolicyFields): string[] {
  return Object.entries(fields).flatMap(([key, field]) =>
    field.type === "object" ? [key, ...fieldPaths(field.fields).map((path) => `${key}.${path}`)] : [key],
  );
}

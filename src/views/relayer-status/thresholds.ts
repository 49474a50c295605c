import { SPEND_FIELDS, type SpendWindow } from "../../audit/spend-windows.ts";
import { amountOr, currencyOf, parseAmount } from "../../contract/amount.ts";
import { erc20In, parseErc20 } from "../../contract/erc20.ts";
import { NETWORK_KINDS } from "../../contract/network-kind.ts";
import type { Problems } from "../../contract/problems.ts";
import { nearestChoice } from "../../nearest.ts";
import type { Measurement } from "./table.ts";

export interface Threshold {
  severity: "warning" | "critical";
  text: string;
  field: Field;
  operator: string;
  /** As typed, e.g. `3d`. */
  limit: string;
  /** Undefined if the value is unknown, or of another coin. */
  isCrossed(relayer: Measurement): boolean | "other coin" | undefined;
}

const FIELDS = ["balance", "runway", "pending", "oldest", "nonce_drift", ...SPEND_FIELDS] as const;
type Field = (typeof FIELDS)[number] | Erc20Field;
type Erc20Field = `erc20.${string}`;
type AmountField = "balance" | SpendWindow;

const FORM = /^\s*([\w.-]+)\s*(<=|>=|<|>)\s*(.+?)\s*$/s;
const DURATION = /^([0-9]+)\s*(s|m|h|d)$/;
const SECONDS: Readonly<Record<string, bigint>> = { s: 1n, m: 60n, h: 3_600n, d: 86_400n };

type Compare = (value: bigint, limit: bigint) => boolean;

const OPERATORS: Readonly<Record<string, Compare>> = {
  "<": (value, limit) => value < limit,
  "<=": (value, limit) => value <= limit,
  ">": (value, limit) => value > limit,
  ">=": (value, limit) => value >= limit,
};

export function readThresholds(
  flag: "--warn" | "--crit" | "--pause-if",
  texts: readonly string[] | undefined = [],
  problems: Problems,
  erc20: ReadonlyMap<string, number> = new Map(),
): Threshold[] {
  const severity = flag === "--warn" ? "warning" : "critical";
  return texts.flatMap((text) => {
    const [, name = "", operator = "", limit = ""] = FORM.exec(text) ?? [];
    const compare = OPERATORS[operator];
    if (!compare) return reject("needs FIELD OP VALUE with OP one of < <= > >=, e.g. 'runway<3d'");
    const fields: readonly Field[] = [...FIELDS, ...[...erc20.keys()].map((token): Erc20Field => `erc20.${token}`)];
    const field = fields.find((known) => known === name);
    if (!field) return reject(`unknown field "${name}"${nearestChoice([name], fields)}`);
    const isCrossed = isErc20(field)
      ? erc20Check(field, limit, { compare, erc20 })
      : isAmountField(field)
        ? amountCheck(field, limit, compare)
        : fieldCheck(field, limit, compare);
    return typeof isCrossed === "string"
      ? reject(isCrossed)
      : [{ severity, text, field, operator, limit, isCrossed } as const];

    function reject(rule: string): Threshold[] {
      problems.add(flag, rule, text);
      return [];
    }
  });
}

function amountCheck(field: AmountField, limit: string, compare: Compare): Threshold["isCrossed"] | string {
  const example = field === "balance" ? "balance<0.05eth" : `${field}>2eth`;
  if (!/[a-z]/i.test(limit)) return `needs a unit, e.g. ${example}`;
  const limitIn = (coin: Measurement["coin"]) => coin && amountOr(() => parseAmount(limit, coin));
  const unit = /[a-z]+$/i.exec(limit)?.[0] ?? "";
  if (NETWORK_KINDS.every((kind) => limitIn(currencyOf(kind, unit.toUpperCase())) === undefined))
    return `is not an amount, e.g. ${example}`;
  return ({ balance, spends, coin }) => {
    const least = limitIn(coin);
    if (least === undefined) return "other coin";
    const amount = field === "balance" ? balance : spends?.[field];
    return amount === undefined ? undefined : compare(amount, least);
  };
}

function isErc20(field: Field): field is Erc20Field {
  return erc20In(field) !== undefined;
}

function erc20Check(
  field: Erc20Field,
  limit: string,
  { compare, erc20 }: { compare: Compare; erc20: ReadonlyMap<string, number> },
): Threshold["isCrossed"] | string {
  const name = erc20In(field) ?? "";
  const least = amountOr(
    () => parseErc20(limit, name, erc20.get(name) ?? 0, true),
    (rule) => rule,
  );
  if (typeof least === "string") return least;
  return ({ erc20: tokens = [] }) => {
    const token = tokens.find((each) => each.name === name);
    if (!token) return "other coin";
    return token.balance === undefined ? undefined : compare(token.balance, least);
  };
}

function isAmountField(field: Field): field is AmountField {
  return field === "balance" || SPEND_FIELDS.some((known) => known === field);
}

/** Returns a limit in seconds, or as a count, if it is either. */
export function readThreshold(field: Field, limit: string): bigint | undefined {
  if (field === "runway" || field === "oldest") return secondsIn(limit);
  return /^[0-9]+$/.test(limit) ? BigInt(limit) : undefined;
}

function fieldCheck(
  field: Exclude<Field, AmountField | Erc20Field>,
  limit: string,
  compare: Compare,
): Threshold["isCrossed"] | string {
  const isTime = field === "runway" || field === "oldest";
  const least = readThreshold(field, limit);
  if (least === undefined) return isTime ? `needs a time with its unit, e.g. ${field}<3d` : `needs a whole number`;
  return (relayer) => {
    const value = measuredValue(field, relayer);
    if (value === "endless") return compare(least + 1n, least);
    return value === undefined ? undefined : compare(value, least);
  };
}

function secondsIn(text: string): bigint | undefined {
  const [, count = "", unit = ""] = DURATION.exec(text) ?? [];
  const size = SECONDS[unit];
  return size === undefined ? undefined : BigInt(count) * size;
}

function measuredValue(
  field: Exclude<Field, AmountField | Erc20Field>,
  relayer: Measurement,
): bigint | "endless" | undefined {
  switch (field) {
    case "runway":
      return relayer.runway && (relayer.runway.seconds ?? "endless");
    case "oldest":
      return relayer.oldest === undefined ? undefined : BigInt(relayer.oldest);
    case "pending":
      return relayer.pending;
    case "nonce_drift":
      return relayer.drift;
  }
}

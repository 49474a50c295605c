import { isJsonInteger, type JsonValue, NumberLiteral } from "./json.ts";

/** The units an amount may be typed in, each with the number of zeros that the smallest unit has in it. */
const UNITS = {
  wei: { wei: 0, kwei: 3, mwei: 6, gwei: 9, eth: 18, ether: 18 },
  lamport: { lamport: 0, lamports: 0, sol: 9 },
  stroop: { stroop: 0, stroops: 0, xlm: 7 },
} as const;

/** The smallest unit of a network kind's currency: wei (EVM), lamport (Solana), stroop (Stellar). */
export type BaseUnit = keyof typeof UNITS;

/** A text that is no amount; the message says what is wrong with it and gives an example. */
export class AmountError extends Error {
  override readonly name = "AmountError";
}

const AMOUNT = /^([0-9]+)(?:\.([0-9]+))?(?: ?([a-z]+))?$/i;
const HEX = /^0x[0-9a-f]+$/i;

/**
 * Reads an amount exactly: `1.5eth`, `50 gwei`, plain digits (the smallest unit) or `0x` digits. One space may stand
 * before the unit, as where an amount is shown; no exponent, no sign, no separator, and never more decimals than the
 * unit has.
 * @param usual the unit of its examples: gwei of a gas price
 * @returns the number of smallest units
 * @throws AmountError
 */
export function parseAmount(text: string, base: BaseUnit, usual: UsualUnit = LARGE[base]): bigint {
  if (HEX.test(text)) return BigInt(text);
  const found = AMOUNT.exec(text);
  if (!found) throw new AmountError(`needs digits and perhaps a unit, for example ${EXAMPLES[usual]}`);
  const [, whole = "", decimals = "", unit = ""] = found;
  if (!unit && decimals)
    throw new AmountError(`needs a unit or a whole number of ${base}, for example ${whole}.${decimals}${usual}`);
  const zeros = zerosOf(unit || base, base);
  if (decimals.length > zeros) throw new AmountError(`has more decimals than ${unit} (${zeros} at most)`);
  return BigInt(whole + decimals.padEnd(zeros, "0"));
}

/** The units in which people think. */
export type UsualUnit = "eth" | "gwei" | "sol" | "xlm";

const LARGE: Record<BaseUnit, UsualUnit> = { wei: "eth", lamport: "sol", stroop: "xlm" };
const EXAMPLES: Record<UsualUnit, string> = {
  eth: "1.5eth, 80gwei or 21000",
  gwei: "30gwei, 1.5gwei or 1500000000",
  sol: "0.01sol or 5000",
  xlm: "0.1xlm or 5000stroop",
};

function zerosOf(unit: string, base: BaseUnit): number {
  const zeros = Object.entries(UNITS[base]).find(([name]) => name === unit.toLowerCase())?.[1];
  if (zeros === undefined) throw new AmountError(`has an unknown unit; known: ${Object.keys(UNITS[base]).join(", ")}`);
  return zeros;
}

const SHOWN = {
  wei: [
    ["ETH", 18, 10n ** 15n],
    ["gwei", 9, 10n ** 6n],
  ],
  lamport: [["SOL", 9, 10n ** 5n]],
  stroop: [["XLM", 7, 10n ** 4n]],
} as const;

/** An amount for a person: `80 gwei`, `0.5 ETH`, `12 wei`. Exact; the unit is the largest that keeps it readable. */
export function formatAmount(amount: bigint, base: BaseUnit): string {
  const size = amount < 0n ? -amount : amount;
  for (const [unit, zeros, from] of SHOWN[base]) {
    if (size >= from) return `${withPoint(amount, zeros)} ${unit}`;
  }
  return `${amount} ${base}`;
}

/** The same amount as it would be typed, without a space: `80gwei`. */
export function typedAmount(amount: bigint, base: BaseUnit): string {
  return formatAmount(amount, base).replace(" ", "").toLowerCase();
}

/** An amount as it would be typed beside the smallest unit, `0.01eth = 10000000000000000 wei`, where that is shorter. */
export function convertedAmount(amount: bigint, base: BaseUnit): string | undefined {
  const typed = typedAmount(amount, base);
  return typed.length < String(amount).length ? `${typed} = ${amount} ${base}` : undefined;
}

/** A number of smallest units as one with so many decimals, without the zeros at its end. */
export function withPoint(amount: bigint, zeros: number): string {
  if (zeros === 0) return String(amount);
  const sign = amount < 0n ? "-" : "";
  const digits = String(amount < 0n ? -amount : amount).padStart(zeros + 1, "0");
  const decimals = digits.slice(-zeros).replace(/0+$/, "");
  return sign + digits.slice(0, -zeros) + (decimals && `.${decimals}`);
}

/**
 * The integer that a value on the wire stands for. The service writes amounts as JSON integers, as decimal strings and
 * as `0x` strings (service-facts 5.2), and the three are equal here.
 */
export function wireAmount(value: JsonValue | undefined): bigint | undefined {
  if (isJsonInteger(value)) return BigInt(value);
  if (typeof value === "string" && /^(?:[0-9]+|0x[0-9a-f]+)$/i.test(value)) return BigInt(value);
  if (value instanceof NumberLiteral && /^[0-9]+\.0+$/.test(value.text)) return BigInt(value.text.split(".")[0] ?? "");
  return undefined;
}

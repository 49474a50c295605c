import { AmountError, isCoinUnit, withPoint } from "./amount.ts";
import { decimalOf, LONGEST_NUMBER } from "./decimal.ts";

/** The most decimals of a token: a balance has 256 bits. */
export const MOST_DECIMALS = 77;

/** Returns why a text cannot be the name of a token, or undefined. As a unit, it cannot be mistaken for a coin's. */
export function erc20NameProblem(name: string): string | undefined {
  if (!/^[a-z][a-z0-9_-]{0,31}$/.test(name))
    return "a token's name has 1 to 32 lowercase letters, digits, dashes, and underscores, and begins with a letter";
  if (isCoinUnit(name)) return "is the unit of a coin; choose another name";
  return decimalOf(`0${name}`) && "could be part of a number; choose another name";
}

/** Returns the name in a field of status, `usdc` of `erc20.usdc`. */
export function erc20In(field: string): string | undefined {
  return /^erc20\.([^.]+)$/.exec(field)?.[1];
}

const AMOUNT = /^([0-9]+)(?:\.([0-9]+))?(?: ?([a-z][a-z0-9_-]*))?$/i;

/** Parses `2.5usdc`, or digits in the smallest unit. @param needsUnit refuses mere digits @throws AmountError */
export function parseErc20(text: string, name: string, decimals: number, needsUnit = false): bigint {
  if (text.length > LONGEST_NUMBER) throw new AmountError(`has more than ${LONGEST_NUMBER} characters`);
  const [, whole, fraction = "", unit] = AMOUNT.exec(text) ?? [];
  if (whole === undefined || (unit !== undefined && unit.toLowerCase() !== name))
    throw new AmountError(`needs an amount in ${name}, e.g. 100${name}`);
  if (unit === undefined) {
    if (needsUnit || fraction) throw new AmountError(`needs a unit, e.g. 100${name}`);
    return BigInt(whole);
  }
  if (fraction.length > decimals) throw new AmountError(`has more decimals than ${name} (${decimals} at most)`);
  return BigInt(whole + fraction.padEnd(decimals, "0"));
}

/** Writes an amount by the name that the user gave the token, never by the symbol that a contract claims. */
export function erc20Text(amount: bigint, name: string, decimals: number): string {
  return `${withPoint(amount, decimals)} ${name}`;
}

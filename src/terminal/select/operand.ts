import {
  amountOr,
  type Currency,
  isKnownSymbol,
  LAMPORTS,
  readAmount,
  STROOPS,
  type TypedAmount,
  WEI,
} from "../../contract/amount.ts";
import { type Decimal, decimalOf } from "../../contract/decimal.ts";
import { rfc3339Time } from "../../contract/rfc3339.ts";

/** A condition's right side: a text, and a number if it is one. */
export interface Operand {
  text: string;
  number?: Decimal;
}

const CURRENCIES: readonly Currency[] = [WEI, LAMPORTS, STROOPS];
/** A time, or the start of one. */
const LIKE_TIME = /^[0-9]{4}-[0-9]{2}-[0-9]{2}(?:t[0-9:.]*(?:z|[+-][0-9:]+)?)?$/i;
const MIDNIGHT = "0000-01-01T00:00:00Z";
const WITH_UNIT = /^[0-9]+(?:\.[0-9]+)? ?[a-z][a-z0-9]*$/i;
/** A number or an amount as people write it, but no date: `01`, `+1`, `1_000`, `1,000`, `.5eth`. */
const LIKE_NUMBER = /^[+-]?(?:[0-9][0-9_,']*\.?|\.)[0-9_,']*(?:e[+-]?[0-9]*)?(?<unit> ?[a-z][a-z0-9]*)?$/i;

export function operandOf(text: string): Operand {
  const number = decimalOf(text) ?? amountFrom(text);
  return number ? { text, number } : { text };
}

/** Parses a word for an ordered comparison, so that a mistyped number is an error instead of a comparison as text. */
export function orderedOperandOf(text: string, refuse: (rule: string) => Error, isAge: boolean): Operand {
  const operand = operandOf(text);
  if (operand.number) return operand;
  const isNot = (what: string) => refuse(`${text} is not ${what}`);
  // Full-width digits look like others.
  const like = LIKE_NUMBER.exec(text.normalize("NFKC"));
  if (isAge) throw isNot("an age, e.g. 90s, 10m, 24h, or 7d");
  const times = [text, `${text}Z`, text + MIDNIGHT.slice(text.length)];
  if (LIKE_TIME.test(text) && times.every((time) => rfc3339Time(time) === undefined))
    throw isNot("a time, e.g. 2026-11-30 or 2026-11-30T12:00:00Z");
  if (!like) return operand;
  throw isNot(
    like.groups?.unit ? "an amount, e.g. 80gwei, 0.5eth, 0.01sol, 5xlm" : "a number, e.g. 21000, 0.5, or 1e18",
  );
}

function amountFrom(text: string): Decimal | undefined {
  if (!WITH_UNIT.test(text)) return undefined;
  for (const currency of CURRENCIES) {
    const units = amountIn(text, currency);
    if (units !== undefined) return { units, scale: 0 };
  }
  return undefined;
}

/** Parses an amount. A condition applies to relayers of many networks: the coin of any well-known network is a unit. */
function amountIn(text: string, currency: Currency): bigint | undefined {
  const { amount, coin = "ETH" }: Partial<TypedAmount> = amountOr(() => readAmount(text, currency)) ?? {};
  return coin.toLowerCase() === "ether" || isKnownSymbol(coin) ? amount : undefined;
}

import { AmountError, type BaseUnit, parseAmount } from "../../contract/amount.ts";
import { type Decimal, decimalOf } from "../../contract/decimal.ts";
import { usageError } from "../../errors.ts";

/** The right side of a condition: always a text, and a number as well when it spells one. */
export interface Operand {
  text: string;
  number?: Decimal;
}

const BASES: readonly BaseUnit[] = ["wei", "lamport", "stroop"];
const WITH_UNIT = /^[0-9]+(?:\.[0-9]+)? ?[a-z]+$/i;

/** Reads a word as a number, an amount with its unit (the unit alone tells what the base is) or a text. */
export function operandOf(text: string): Operand {
  const number = decimalOf(text) ?? amountOf(text);
  return number ? { text, number } : { text };
}

/** The same where order is asked for, so that a mistyped unit is an error instead of a comparison as text. */
export function orderedOperandOf(text: string, condition: string): Operand {
  const operand = operandOf(text);
  if (operand.number || !WITH_UNIT.test(text)) return operand;
  throw usageError([
    { where: "--where", given: condition, rule: `${text} is no amount; for example 80gwei, 0.5eth, 0.01sol, 5xlm` },
  ]);
}

function amountOf(text: string): Decimal | undefined {
  if (!WITH_UNIT.test(text)) return undefined;
  for (const base of BASES) {
    const units = amountIn(text, base);
    if (units !== undefined) return { units, scale: 0 };
  }
  return undefined;
}

function amountIn(text: string, base: BaseUnit): bigint | undefined {
  try {
    return parseAmount(text, base);
  } catch (error) {
    if (error instanceof AmountError) return undefined;
    throw error;
  }
}

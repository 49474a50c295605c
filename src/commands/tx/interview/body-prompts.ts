import type { App } from "../../../app.ts";
import { Problems } from "../../../command-support/problems.ts";
import { askText, flagWords, type TextQuestion } from "../../../command-support/prompting/ask-text.ts";
import { flagOf } from "../../../command-support/request-body/body-problems.ts";
import { AmountError, readAmount } from "../../../contract/amount.ts";
import type { Currency } from "../../../contract/currency.ts";
import type { JsonValue } from "../../../contract/json.ts";
import type { NetworkKind } from "../../../contract/network-kind.ts";
import type { Relayer } from "../../../contract/resources/relayer.ts";
import type { Transaction } from "../../../contract/transaction/transaction.ts";
import type { Prompts } from "../../../terminal/prompts.ts";
import { coinRule } from "../../coins/named-coins.ts";
import type { Call } from "../../command.ts";
import { type BodyFlags, bodyFromFlags } from "../body/body-flags.ts";
import { currencyAt } from "../body/body-rows.ts";
import type { ValidateFields } from "./validate-fields.ts";

/**
 * The rule that one member breaks beside the others that are known, or nothing. It is read and judged as flags are; what
 * other members break is not its business.
 * @param places the member, and what its problem may stand at besides: a file that was named
 */
async function fieldRule(
  app: App,
  flags: BodyFlags,
  validate: ValidateFields,
  [field, ...places]: readonly [string, ...string[]],
): Promise<string | undefined> {
  const problems = new Problems();
  const { body, sourceOf } = await bodyFromFlags({ app, flags }, problems);
  validate(problems, body, sourceOf);
  const flag = flagOf(field);
  return problems.found.find(({ where }) => where === flag || where.startsWith(`${flag} (`) || places.includes(where))
    ?.rule;
}

/** What is known before the first question. */
export interface Known {
  /** To replace or to send by all questions, or to complete what is sent by those that it needs. */
  act: "replace" | "send" | "complete";
  kind: NetworkKind;
  /** Members that were typed, in a flag or in the file. */
  named: readonly string[];
  relayer: Relayer | undefined;
  /** The transaction as it is, where the service can be asked for it. */
  before: Transaction | undefined;
  /** What amounts of the coin are counted in. */
  coin: Currency;
  /** Whether one of the ways to set a price must be taken. */
  needsPrice: boolean;
  validate: ValidateFields;
}

/** A walk through the body of a transaction. Each answer comes as words of the command line, none for what is left out. */
export interface BodyPrompts extends Known {
  prompts: Prompts;
  /** Whether a member was typed or answered: it is not asked again. */
  has(field: string): boolean;
  /** The value of a member that was typed or answered, as it would be sent. */
  value(field: string): Promise<JsonValue | undefined>;
  request(question: FieldQuestion): Promise<string[]>;
  /** Takes a value that was chosen. */
  take(field: string, value: string): string[];
}

export interface FieldQuestion extends Omit<TextQuestion, "problem"> {
  field: string;
  /** What stands before the answer in the value of the flag: `text:`. */
  prefix?: string;
  /** What the question itself says, beyond the contract: the rule that an answer breaks, or nothing. */
  says?(answer: string): string | undefined;
}

export function createBodyPrompts({ app, flags }: Call<BodyFlags>, prompts: Prompts, known: Known): BodyPrompts {
  const named = new Set(known.named);
  let sofar = flags;
  const withValue = (field: string, value: string) => ({ ...sofar, [flagName(field)]: value });
  const rule = (field: string, value: string) =>
    fieldRule(app, withValue(field, value), known.validate, [field, value]);
  const take = (field: string, value: string) => {
    named.add(field);
    sofar = withValue(field, value);
    return flagWords(flagOf(field), value);
  };
  return {
    ...known,
    prompts,
    take,
    has: (field) => named.has(field),
    value: async (field) => (await bodyFromFlags({ app, flags: sofar }, new Problems())).body[field],
    async request({ field, prefix = "", says, ...question }) {
      if (named.has(field) || (known.act === "complete" && question.optional)) return [];
      const unit = (answer: string) => amountProblem(field, answer, known);
      const problem = async (answer: string) => unit(answer) ?? (await rule(field, prefix + answer)) ?? says?.(answer);
      const answer = await askText(prompts, { ...question, problem });
      return answer === undefined ? [] : take(field, prefix + answer);
    },
  };
}

/** What is wrong with an answer that is an amount: a number without a unit would be read in one of two ways. */
function amountProblem(field: string, answer: string, { coin: own }: Known): string | undefined {
  const currency = currencyAt(field, own);
  if (!currency) return undefined;
  try {
    const { coin } = readAmount(answer, currency, "prompt");
    return coin === undefined ? undefined : coinRule({ text: answer, coin }, currency);
  } catch (error) {
    if (error instanceof AmountError) return error.message;
    throw error;
  }
}

/** `gas_limit` is `gasLimit`, as commander names it. */
function flagName(field: string): string {
  return field.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

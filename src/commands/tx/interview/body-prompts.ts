import type { App } from "../../../app.ts";
import { coinRule } from "../../../coins/named-coins.ts";
import { askText, flagWords, type TextQuestion } from "../../../command-support/prompting/prompts.ts";
import { AmountError, type Currency, readAmount } from "../../../contract/amount.ts";
import type { JsonObject } from "../../../contract/json.ts";
import type { NetworkKind } from "../../../contract/network-kind.ts";
import { Problems } from "../../../contract/problems.ts";
import { flagOf } from "../../../contract/requests/body-problems.ts";
import type { Relayer } from "../../../contract/resources/relayer.ts";
import type { Transaction } from "../../../contract/transaction/transaction.ts";
import type { Prompts } from "../../../terminal/prompts.ts";
import { currencyAt } from "../../../views/transaction/body-rows.ts";
import type { Call } from "../../command.ts";
import { type BodyFlags, bodyFromFlags } from "../body/body-flags.ts";
import { isNamedCall } from "../call/call-flags.ts";

export type ValidateFields = (problems: Problems, body: JsonObject, sourceOf: (path: string) => string) => void;

export interface BodyContext {
  /** Replace or send with all prompts, or complete a transaction to send with the required ones. */
  act: "replace" | "send" | "complete";
  kind: NetworkKind;
  named: readonly string[];
  relayer: Relayer | undefined;
  before: Transaction | undefined;
  coin: Currency;
  needsPrice: boolean;
  validate: ValidateFields;
}

export type BodyPrompts = ReturnType<typeof createBodyPrompts>;

export interface FieldQuestion extends Omit<TextQuestion, "problem"> {
  field: string;
  /** The prefix of the input in the flag's value: `text:`. */
  prefix?: string;
  /** Returns the broken rule of the prompt itself, beyond the contract, or undefined. */
  says?(answer: string): string | undefined;
}

export function createBodyPrompts(call: Call<BodyFlags>, prompts: Prompts, known: BodyContext) {
  const { app, flags, entered } = call;
  const named = new Set(known.named);
  let sofar = flags;
  const withValue = (field: string, value: string) => ({ ...sofar, [flagName(field)]: value });
  const rule = (field: string, value: string) =>
    fieldRule(app, withValue(field, value), known.validate, [field, value]);
  const take = (field: string, value: string) => {
    named.add(field);
    sofar = withValue(field, value);
    entered.add(flagWords(flagOf(field), value));
  };
  return {
    ...known,
    prompts,
    entered,
    isCall: isNamedCall(flags),
    take,
    has: (field: string) => named.has(field),
    value: async (field: string) => (await bodyFromFlags({ app, flags: sofar }, new Problems())).body[field],
    async request({ field, prefix = "", says, ...question }: FieldQuestion) {
      if (named.has(field) || (known.act === "complete" && question.optional)) return;
      const unit = (answer: string) => amountProblem(field, answer, known);
      const problem = async (answer: string) => unit(answer) ?? (await rule(field, prefix + answer)) ?? says?.(answer);
      const answer = await askText(prompts, { ...question, problem });
      if (answer !== undefined) take(field, prefix + answer);
    },
  };
}

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

/** Returns the problem of an amount: a number without a unit could have two meanings. */
function amountProblem(field: string, answer: string, { coin: own }: BodyContext): string | undefined {
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

function flagName(field: string): string {
  return field.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

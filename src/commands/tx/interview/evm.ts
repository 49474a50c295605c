import { typedAmount, wireAmount } from "../../../contract/amount.ts";
import type { Currency } from "../../../contract/currency.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../contract/json.ts";
import type { Relayer } from "../../../contract/resources/relayer.ts";
import type { BodyPrompts } from "./body-prompts.ts";
import { askPrice } from "./price.ts";

/** Prompts for the fields of interface 3.1, each with its current value. */
export async function askEvm(bodyPrompts: BodyPrompts): Promise<void> {
  const { before, coin } = bodyPrompts;
  await bodyPrompts.request(receiverQuestion(bodyPrompts));
  await bodyPrompts.request({
    field: "value",
    question: "Value:",
    suggestion: amountText(before?.value, coin),
    example: `0.25${coin.symbol?.toLowerCase() ?? "eth"}`,
  });
  await bodyPrompts.request(dataQuestion(bodyPrompts));
  await bodyPrompts.request(gasQuestion(bodyPrompts));
  await askPrice(bodyPrompts);
  await bodyPrompts.request(UNTIL);
}

/**
 * Returns the receiver's prompt. If only required fields are prompted for, and no data was typed, the receiver is
 * required; likewise for a call by name, and if the relayer has a list of receivers it always is (facts 5.3, rule 2).
 */
function receiverQuestion({ act, before, has, relayer, isCall }: BodyPrompts) {
  const free = held(before?.to, "To:", "To (Enter sets none, which creates a contract):");
  const isListed = Array.isArray(policiesOf(relayer).whitelist_receivers);
  const isNeeded = isListed || isCall || (act === "complete" && !has("data"));
  const question = isNeeded && "optional" in free ? { question: "To:" } : free;
  return { field: "to", ...question, example: "@treasury" };
}

/** Returns the data's prompt: either a receiver or data is required (facts 5.3, rule 3). */
function dataQuestion({ act, before, has }: BodyPrompts) {
  const free = held(before?.data, "Data:", "Data (Enter sets none):");
  const question = act !== "replace" && !has("to") ? { question: "Data, the code of the contract:" } : free;
  return { field: "data", ...question, example: "0xa9059cbb" };
}

/**
 * Returns the gas limit's prompt. A call that is signed with 21000 gas fails: with data, a replacement requires a gas
 * limit (facts 5.4). For a new transaction the service estimates it, unless the relayer's policy forbids that (facts
 * 5.3); then it is always required.
 */
function gasQuestion({ act, before, has, relayer }: BodyPrompts) {
  const isPolicy = policiesOf(relayer).gas_limit_estimation === false;
  if (act !== "replace") {
    const free = { question: "Gas limit (Enter sets none; the service estimates it):", optional: true };
    const question = isPolicy ? { question: "Gas limit:" } : free;
    return { field: "gas_limit", ...question, example: "65000" };
  }
  const limit = wireAmount(before?.gas_limit);
  const free = held(
    limit === undefined ? undefined : String(limit),
    "Gas limit:",
    "Gas limit (Enter sets none; signed with 21000):",
  );
  const question = (isPolicy || has("data")) && free.optional ? { question: "Gas limit:" } : free;
  return { field: "gas_limit", ...question, example: "65000" };
}

function policiesOf(relayer: Relayer | undefined): JsonObject {
  return isJsonObject(relayer?.policies) ? relayer.policies : {};
}

const UNTIL = {
  field: "valid_until",
  question: "Valid until (Enter sets no limit):",
  optional: true,
  example: "2030-01-31T12:00:00Z",
};

/** Suggests the current value; without one, the field is optional. */
function held(now: JsonValue | undefined, question: string, without: string) {
  return typeof now === "string" && now !== ""
    ? { question, suggestion: now }
    : { question: without, optional: true as const };
}

/** Returns an amount from the service as typed. */
function amountText(value: JsonValue | undefined, coin: Currency): string | undefined {
  const amount = wireAmount(value);
  return amount === undefined ? undefined : typedAmount(amount, coin);
}

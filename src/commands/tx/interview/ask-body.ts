import type { App } from "../../../app.ts";
import { namedCoinRule } from "../../../coins/named-coins.ts";
import { askText, flagWords, type TextQuestion } from "../../../command-support/prompting/prompts.ts";
import {
  amountOr,
  type Currency,
  GAS_PRICE,
  parseAmount,
  priceText,
  readAmount,
  suggestedPrice,
  typedAmount,
  wireAmount,
} from "../../../contract/amount.ts";
import { effectTexts } from "../../../contract/effect/texts.ts";
import { base64Bytes } from "../../../contract/encoding/base64.ts";
import type { JsonObject, JsonValue } from "../../../contract/json.ts";
import { isNetworkKind, NETWORK_KINDS, type NetworkKind } from "../../../contract/network-kind.ts";
import { relayerPolicies } from "../../../contract/policy.ts";
import { Problems } from "../../../contract/problems.ts";
import { relayerRules } from "../../../contract/relayer-rules.ts";
import { bodyFlag } from "../../../contract/requests/body-problems.ts";
import { isSignedXdr } from "../../../contract/requests/transaction/stellar/fields.ts";
import type { Relayer } from "../../../contract/resources/relayer.ts";
import { kindsOfBody } from "../../../contract/transaction/body-kind.ts";
import { leastReplacementPrice, SPEEDS, TRANSFER_GAS } from "../../../contract/transaction/replacement-price.ts";
import type { Transaction } from "../../../contract/transaction/transaction.ts";
import type { Choice, Prompts } from "../../../terminal/prompts.ts";
import { bodyCurrencyAt } from "../../../views/transaction/body-rows.ts";
import type { Call } from "../../command.ts";
import { type BodyFlags, bodyFromFlags, hasCallFlags, MEMO_TYPES, type TypedBody } from "../body/body-flags.ts";

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

type BodyPrompts = ReturnType<typeof createBodyPrompts>;

interface FieldQuestion extends Omit<TextQuestion, "problem"> {
  field: string;
  /** The prefix of the input in the flag's value: `text:`. */
  prefix?: string;
  /** Returns the broken rule of the prompt itself, beyond the contract, or undefined. */
  says?(answer: string): string | undefined;
}

function createBodyPrompts(call: Call<BodyFlags>, prompts: Prompts, known: BodyContext) {
  const { app, flags, entered } = call;
  const named = new Set(known.named);
  let sofar = flags;
  const withValue = (field: string, value: string) => ({ ...sofar, [flagName(field)]: value });
  const rule = (field: string, value: string) =>
    fieldRule(app, withValue(field, value), known.validate, [field, value]);
  const take = (field: string, value: string) => {
    named.add(field);
    sofar = withValue(field, value);
    entered.add(flagWords(bodyFlag(field), value));
  };
  return {
    ...known,
    prompts,
    entered,
    isCall: hasCallFlags(flags),
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
  const flag = bodyFlag(field);
  return problems.found.find(({ where }) => where === flag || where.startsWith(`${flag} (`) || places.includes(where))
    ?.rule;
}

/** Returns the problem of an amount: a number without a unit could have two meanings. */
function amountProblem(field: string, answer: string, { coin: own }: BodyContext): string | undefined {
  const currency = bodyCurrencyAt(field, own);
  if (!currency) return undefined;
  const found = amountOr(
    () => readAmount(answer, currency, "prompt"),
    (rule) => rule,
  );
  if (typeof found === "string") return found;
  return found.coin === undefined ? undefined : namedCoinRule({ text: answer, coin: found.coin }, currency);
}

function flagName(field: string): string {
  return field.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

const PROMPTS: Record<NetworkKind, (bodyPrompts: BodyPrompts) => Promise<void>> = {
  evm: askEvm,
  solana: askSolana,
  stellar: askStellar,
};

export async function askBody(call: Call<BodyFlags>, known: BodyContext): Promise<void> {
  await PROMPTS[known.kind](createBodyPrompts(call, await call.app.prompts(), known));
}

export async function withCallEntered(call: Call<BodyFlags>): Promise<Call<BodyFlags>> {
  if (!hasCallFlags(call.flags)) return call;
  const { askCall } = await import("../call/read-call.ts");
  return { ...call, flags: await askCall(call) };
}

export function typedKinds({ flags }: Call<BodyFlags>, { named }: TypedBody): NetworkKind[] {
  const { networkType: kind } = flags;
  return [...new Set([...(isNetworkKind(kind) ? [kind] : []), ...kindsOfBody(named)])];
}

export async function askKind(call: Call, relayer: Relayer | undefined): Promise<NetworkKind> {
  const known = relayer?.network_type;
  if (isNetworkKind(known)) return known;
  const prompts = await call.app.prompts();
  const kind = await prompts.select(
    "Kind of network:",
    NETWORK_KINDS.map((kind) => ({ value: kind, name: kind })),
  );
  call.entered.add(["--network-type", kind]);
  return kind;
}

async function askSolana(bodyPrompts: BodyPrompts): Promise<void> {
  if (bodyPrompts.act === "replace") return await bodyPrompts.request(TRANSACTION);
  const until = { field: "valid_until", question: "Valid until (Enter skips it):", optional: true };
  await askContent(bodyPrompts);
  await bodyPrompts.request({ ...until, example: "2030-01-31T12:00:00Z" });
}

async function askContent(bodyPrompts: BodyPrompts): Promise<void> {
  if (bodyPrompts.has("transaction") || bodyPrompts.has("instructions")) return;
  if (bodyPrompts.relayer && relayerRules.solana({ instructions: [] }, bodyPrompts.relayer).length > 0)
    return await bodyPrompts.request(TRANSACTION);
  return await bodyPrompts.request(await bodyPrompts.prompts.select("What it does:", CONTENTS));
}

const TRANSACTION = {
  field: "transaction",
  question: "Transaction, serialized, as base64:",
  example: "AQABAgMEBQYHCAkKCwwNDg8=",
  says: (answer: string) => (base64Bytes(answer) === undefined ? "is not base64, with its padding" : undefined),
};

const CONTENTS: readonly Choice<FieldQuestion>[] = [
  { name: "a built transaction, as base64", value: TRANSACTION },
  {
    name: "instructions, from a JSON file",
    value: { field: "instructions", question: "File with the instructions:", example: "instructions.json" },
  },
];

type Way = "speed" | "fees" | "gas price" | "none";

const IGNORED = `services up to v1.8 ignore it and ${effectTexts.raisesFee}`;

async function askPrice(bodyPrompts: BodyPrompts): Promise<void> {
  const way = typedWay(bodyPrompts) ?? (await bodyPrompts.prompts.select<Way>("Price:", choicesFor(bodyPrompts)));
  switch (way) {
    case "speed":
      return await askSpeed(bodyPrompts);
    case "fees":
      await askPriceOf(bodyPrompts, MAX_FEE);
      return await askPriceOf(bodyPrompts, TIP);
    case "gas price":
      return await askPriceOf(bodyPrompts, LEGACY);
    case "none":
      return;
  }
}

const CHOICES: readonly Choice<Way>[] = [
  { value: "speed", name: "a speed: the service sets the price" },
  { value: "fees", name: "a max fee and a tip (EIP-1559)", description: IGNORED },
  { value: "gas price", name: "a gas price (legacy)", description: IGNORED },
  { value: "none", name: "leave it to the service" },
];

function choicesFor({ act, needsPrice }: BodyPrompts): readonly Choice<Way>[] {
  const choices = needsPrice ? CHOICES.filter(({ value }) => value !== "none") : CHOICES;
  return act === "replace" ? choices : choices.map(({ value, name }) => ({ value, name }));
}

const LEGACY = { field: "gas_price", label: "Gas price", example: "30gwei" };
const MAX_FEE = { field: "max_fee_per_gas", label: "Max fee per gas", example: "30gwei" };
const TIP = { field: "max_priority_fee_per_gas", label: "Max priority fee per gas", example: "2gwei" };

/** Returns the typed way, which excludes the others; one of the two fees may be missing. */
function typedWay({ has }: BodyPrompts): Way | undefined {
  if (has("speed") || has("gas_price")) return "none";
  return has(MAX_FEE.field) || has(TIP.field) ? "fees" : undefined;
}

/** The first choice for a new transaction, which isn't urgent by default. */
const USUAL_SPEED = "average";

async function askSpeed({ act, prompts, before, take }: BodyPrompts): Promise<void> {
  const now = SPEEDS.find((speed) => speed === before?.speed);
  const speeds = act === "replace" ? SPEEDS : [USUAL_SPEED, ...SPEEDS.filter((speed) => speed !== USUAL_SPEED)];
  const choices = speeds.map((speed) => ({ value: speed, name: speed === now ? `${speed} (now)` : speed }));
  take("speed", await prompts.select("Speed:", choices));
}

/** Prompts for prices, at least the minimum that replaces a price: a tenth more, and at least one wei (facts 5.4). */
async function askPriceOf(bodyPrompts: BodyPrompts, { field, label, example }: typeof TIP): Promise<void> {
  const ceiling = field === TIP.field ? wireAmount(await bodyPrompts.value(MAX_FEE.field)) : undefined;
  const now = wireAmount(bodyPrompts.before?.[field]);
  if (now === undefined)
    return await bodyPrompts.request({
      field,
      question: `${label}:`,
      example: suggestedPrice(parseAmount(example, GAS_PRICE), ceiling),
    });
  const least = leastReplacementPrice(now);
  const suggestion = suggestedPrice(least, ceiling);
  if (ceiling !== undefined && ceiling < least)
    return await bodyPrompts.request({
      field,
      question: `${label} (now ${priceText(now)}):`,
      suggestion,
      example: suggestion,
    });
  const question = `${label} (now ${priceText(now)}; at least 10% more):`;
  const says = (answer: string) => (readAmount(answer, GAS_PRICE).amount < least ? TOO_LITTLE : undefined);
  return await bodyPrompts.request({ field, question, suggestion, example: suggestion, says });
}

const TOO_LITTLE = "must be at least 10% more than it is now, or nothing is replaced";

/** Prompts for the fields of interface 3.1, each with its current value. */
async function askEvm(bodyPrompts: BodyPrompts): Promise<void> {
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
  const free = keptAnswer(before?.to, "To:", "To (Enter sets none, which creates a contract):");
  const isListed = Array.isArray(relayerPolicies(relayer ?? {}).whitelist_receivers);
  const isNeeded = isListed || isCall || (act === "complete" && !has("data"));
  const question = isNeeded && "optional" in free ? { question: "To:" } : free;
  return { field: "to", ...question, example: "@treasury" };
}

/** Returns the data's prompt: either a receiver or data is required (facts 5.3, rule 3). */
function dataQuestion({ act, before, has }: BodyPrompts) {
  const free = keptAnswer(before?.data, "Data:", "Data (Enter sets none):");
  const question = act !== "replace" && !has("to") ? { question: "Data, the code of the contract:" } : free;
  return { field: "data", ...question, example: "0xa9059cbb" };
}

/** With data, a replacement requires one, since 21000 gas would fail (facts 5.4), and a policy may (facts 5.3). */
function gasQuestion({ act, before, has, relayer }: BodyPrompts) {
  const isPolicy = relayerPolicies(relayer ?? {}).gas_limit_estimation === false;
  if (act !== "replace") {
    const free = { question: "Gas limit (Enter sets none; the service estimates it):", optional: true };
    const question = isPolicy ? { question: "Gas limit:" } : free;
    return { field: "gas_limit", ...question, example: "65000" };
  }
  const limit = wireAmount(before?.gas_limit);
  const free = keptAnswer(
    limit === undefined ? undefined : String(limit),
    "Gas limit:",
    `Gas limit (Enter sets none; signed with ${TRANSFER_GAS}):`,
  );
  const question = (isPolicy || has("data")) && free.optional ? { question: "Gas limit:" } : free;
  return { field: "gas_limit", ...question, example: "65000" };
}

const UNTIL = {
  field: "valid_until",
  question: "Valid until (Enter sets no limit):",
  optional: true,
  example: "2030-01-31T12:00:00Z",
};

function keptAnswer(now: JsonValue | undefined, question: string, without: string) {
  return typeof now === "string" && now !== ""
    ? { question, suggestion: now }
    : { question: without, optional: true as const };
}

function amountText(value: JsonValue | undefined, coin: Currency): string | undefined {
  const amount = wireAmount(value);
  return amount === undefined ? undefined : typedAmount(amount, coin);
}

async function askStellar(bodyPrompts: BodyPrompts): Promise<void> {
  await askSender(bodyPrompts);
  await askStellarContent(bodyPrompts);
  await askMemo(bodyPrompts);
  await askFeeBump(bodyPrompts);
  await askLimits(bodyPrompts);
}

async function askSender(bodyPrompts: BodyPrompts): Promise<void> {
  const { relayer, before } = bodyPrompts;
  const account = typeof before?.source_account === "string" ? before.source_account : undefined;
  const network = relayer?.network ?? undefined;
  await bodyPrompts.request({
    field: "network",
    question: "Network:",
    suggestion: network,
    example: network ?? "testnet",
    says: (answer) => (network && answer !== network ? `is not the relayer's network, which is ${network}` : undefined),
  });
  await bodyPrompts.request({
    field: "source_account",
    ...(account === undefined
      ? { question: "Source account (Enter skips it):", optional: true }
      : { question: "Source account:", suggestion: account }),
    example: "GAAZI4TCR3TY5OJHCTJC2A4QSY6CJWJH5IAJTGKIN2ER7LBNVKOCCWN7",
  });
}

async function askStellarContent(bodyPrompts: BodyPrompts): Promise<void> {
  if (STELLAR_CONTENTS.some(({ value }) => bodyPrompts.has(value.field))) return;
  return await bodyPrompts.request(await bodyPrompts.prompts.select("What it does:", STELLAR_CONTENTS));
}

const STELLAR_CONTENTS = [
  {
    name: "operations, from a JSON file",
    value: { field: "operations", question: "File with the operations:", example: "operations.json" },
  },
  {
    name: "a built transaction, as XDR",
    value: { field: "transaction_xdr", question: "Transaction XDR, as base64:", example: "AAAAAgAAAAE=" },
  },
];

/** Prompts for a fee bump of a signed transaction. A new one requires it (facts 5.7). */
async function askFeeBump(bodyPrompts: BodyPrompts): Promise<void> {
  const xdr = await bodyPrompts.value("transaction_xdr");
  if (bodyPrompts.has("fee_bump") || typeof xdr !== "string" || isSignedXdr(xdr) !== true) return;
  // An entry signed by a user replaces it.
  if (bodyPrompts.act !== "replace" && bodyPrompts.has("signed_auth_entry")) return;
  const wrap = { value: ["--fee-bump"], name: "wrap the signed transaction" };
  const leave = bodyPrompts.act === "replace" ? [{ value: [], name: "leave it as it is" }] : [];
  bodyPrompts.entered.add(await bodyPrompts.prompts.select<string[]>("Fee bump:", [wrap, ...leave]));
}

async function askLimits(bodyPrompts: BodyPrompts): Promise<void> {
  await bodyPrompts.request({
    field: "max_fee",
    question: "Max fee (Enter sets 1000000 stroops):",
    optional: true,
    example: "0.1xlm",
  });
  await bodyPrompts.request({
    field: "valid_until",
    question: "Valid until (Enter skips it):",
    optional: true,
    example: "2030-01-31T12:00:00Z",
  });
}

const HASH = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
const EXAMPLES: Record<string, string> = { text: "refund", id: "7", hash: HASH, return: HASH };

async function askMemo(bodyPrompts: BodyPrompts): Promise<void> {
  if (bodyPrompts.has("memo") || bodyPrompts.act === "complete") return;
  const type = await bodyPrompts.prompts.select("Memo:", [
    { value: undefined, name: "leave it out" },
    ...MEMO_TYPES.map((value) => ({ value, name: value })),
  ]);
  if (type === undefined) return;
  const example = EXAMPLES[type];
  if (example === undefined) return bodyPrompts.take("memo", type);
  return await bodyPrompts.request({ field: "memo", question: `Memo, ${type}:`, prefix: `${type}:`, example });
}

import { GOALS } from "../chain/follow/followed.ts";
import { parseNodeUrl } from "../config/nodes.ts";
import { isJsonObject } from "../contract/json.ts";
import { SPEEDS } from "../contract/transaction/replacement-price.ts";
import { ALL_CODES } from "../doctor/codes.ts";
import type { Problem } from "../errors.ts";
import { didYouMean, nearestChoice } from "../nearest.ts";

type Rule = (value: unknown) => string | undefined;

const must =
  (isRight: (value: unknown) => boolean, rule: string): Rule =>
  (value) =>
    isRight(value) ? undefined : `must be ${rule}`;
const isList = (isItem: (item: unknown) => boolean) => (value: unknown) => Array.isArray(value) && value.every(isItem);
const isText = (value: unknown) => typeof value === "string";
const isWhole = (least: number) => (value: unknown) => Number.isInteger(value) && Number(value) >= least;
const isPositive = (value: unknown) => typeof value === "bigint" && value >= 0n;

const aSwitch = must((value) => typeof value === "boolean", "true or false");
const texts = must(isList(isText), "a list of strings");
const aText = must(isText, "a string");
const anObject = must(isJsonObject, "an object");
const aCount = must(isWhole(0), "a whole number of 0 or more");
const atLeastOne = must(isWhole(1), "a whole number of 1 or more");
const anAmount = must(isPositive, "a bigint of 0 or more");
const aFunction = must((value) => typeof value === "function", "a function");
const createAny = (words: readonly string[]) => must((value) => words.some((word) => word === value), words.join(", "));
const codes = must(
  isList((item) => ALL_CODES.some((code) => code === item)),
  "a list of the codes in `relayctl help codes`",
);

const aNode: Rule = (value) => {
  try {
    return typeof value === "string" ? void parseNodeUrl(value) : "must be a string";
  } catch (error) {
    return error instanceof Error ? error.message : undefined;
  }
};

function validatedLater(): undefined {}

const OPTION_RULES = {
  ...{ page: aCount, perPage: aCount, concurrency: atLeastOne, enough: aCount, maxItems: atLeastOne },
  ...{ byRoute: aSwitch, withNewId: aSwitch, force: aSwitch, chain: aSwitch, all: aSwitch },
  ...{ prune: aSwitch, sendHidden: aSwitch, allowUnknown: aSwitch, networks: aText, nodeUrl: aNode, node: aNode },
  ...{ relayers: texts, hashes: texts, allowEnv: texts, allowFile: texts, only: codes, ignore: codes },
  ...{ until: createAny(GOALS), speed: createAny(SPEEDS), change: createAny(["cancel", "replace"]) },
  ...{ confirmations: anAmount, maxFee: anAmount, value: anAmount, gas: anAmount },
  ...{ body: anObject, env: anObject, data: aText, run: aText, reason: aText, onRow: aFunction, onWarning: aFunction },
  earlier: must(isList(isJsonObject), "a list of records"),
  to: must((value) => value === null || isText(value), "an address, or null"),
  deadline: must((value) => typeof value === "number" && value >= 0, "a number of milliseconds"),
  block: must(
    (value) => isPositive(value) || value === "latest" || value === "pending",
    '"latest", "pending", or a bigint',
  ),
  signal: must((value) => value instanceof AbortSignal, "an AbortSignal"),
  wait: (value) => {
    if (typeof value === "boolean") return undefined;
    const [problem] = optionProblems(value, WAIT_OPTIONS);
    return problem && `${problem.where} ${problem.rule}`;
  },
  clientCertificate: must(isJsonObject, "an object with cert and key, or with pfx"),
  ...{ allowHttp: aSwitch, readOnly: aSwitch, needsSignatures: aSwitch, onEvent: aFunction, caCertificates: texts },
  ...{
    server: validatedLater,
    token: validatedLater,
    headers: validatedLater,
    timeout: validatedLater,
    retries: validatedLater,
  },
  ...{ proxy: validatedLater, state: validatedLater, confirm: validatedLater, allowDuplicates: validatedLater },
  ...{ resume: validatedLater, again: validatedLater, assumeNotSent: validatedLater, maxInFlight: validatedLater },
  ...{ rate: validatedLater, stopAfter: validatedLater },
} satisfies Readonly<Record<string, Rule>>;

export const WAIT_OPTIONS: readonly OptionName[] = ["until", "confirmations", "chain", "node", "deadline"];

export type OptionName = keyof typeof OPTION_RULES;

/** Returns the options' problems, one for each: without a compiler, a caller can pass anything. */
export function optionProblems(options: unknown, names: readonly OptionName[]): Problem[] {
  if (options === undefined) return [];
  if (!isJsonObject(options)) return [{ where: "options", rule: "must be an object" }];
  return Object.entries(options).flatMap(([where, value]) => {
    const name = names.find((each) => each === where);
    if (name === undefined)
      return [{ where, rule: `is not an option${didYouMean([where], names) || nearestChoice([where], names)}` }];
    const rule = value === undefined ? undefined : OPTION_RULES[name](value);
    return rule === undefined ? [] : [{ where, rule }];
  });
}

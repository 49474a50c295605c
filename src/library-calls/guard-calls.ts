import { GOALS } from "../chain/follow/followed.ts";
import { parseNodeUrl } from "../config/nodes.ts";
import { copyJsonObject, isJsonObject, isPlainObject, type JsonValue, MAX_DEPTH } from "../contract/json.ts";
import { SPEEDS } from "../contract/transaction/replacement-price.ts";
import { METHODS } from "../contract/wire.ts";
import { ALL_CODES } from "../doctor/codes.ts";
import { type Problem, RelayctlError, usageError } from "../errors.ts";
import { didYouMean, nearestChoice } from "../nearest.ts";

type Rule = (value: unknown) => string | undefined;

const mustBe =
  (isRight: (value: unknown) => boolean, rule: string): Rule =>
  (value) =>
    isRight(value) ? undefined : `must be ${rule}`;
const isList = (isItem: (item: unknown) => boolean) => (value: unknown) =>
  Array.isArray(value) && [...value].every(isItem);
const isText = (value: unknown) => typeof value === "string";
const isPem = (value: unknown) => typeof value === "string" && value.includes("-----BEGIN CERTIFICATE-----");
const isWhole = (least: number) => (value: unknown) => Number.isInteger(value) && Number(value) >= least;
const isPositive = (value: unknown) => typeof value === "bigint" && value >= 0n;
const isCertificate = (value: unknown) =>
  isJsonObject(value) &&
  isText(value.passphrase ?? "") &&
  (ArrayBuffer.isView(value.pfx) || (isText(value.cert) && isText(value.key)));

const aSwitch = mustBe((value) => typeof value === "boolean", "true or false");
const texts = mustBe(isList(isText), "a list of strings");
const aText = mustBe(isText, "a string");
const anObject = mustBe(isJsonObject, "an object");
const aCount = mustBe(isWhole(0), "a whole number of 0 or more");
const atLeastOne = mustBe(isWhole(1), "a whole number of 1 or more");
const anAmount = mustBe(isPositive, "a bigint of 0 or more");
const aFunction = mustBe((value) => typeof value === "function", "a function");
const createAny = (words: readonly string[]) =>
  mustBe((value) => words.some((word) => word === value), words.join(", "));
const codes = mustBe(
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

const later: Rule = () => undefined;

const OPTION_RULES = {
  ...{ page: aCount, perPage: aCount, concurrency: atLeastOne, enough: aCount, maxItems: atLeastOne },
  ...{ byRoute: aSwitch, withNewId: aSwitch, force: aSwitch, chain: aSwitch, all: aSwitch },
  ...{ prune: aSwitch, sendHidden: aSwitch, allowUnknown: aSwitch, networks: aText, nodeUrl: aNode, node: aNode },
  ...{ relayers: texts, hashes: texts, allowEnv: texts, allowFile: texts, only: codes, ignore: codes },
  ...{ until: createAny(GOALS), speed: createAny(SPEEDS), change: createAny(["cancel", "replace"]) },
  ...{ confirmations: anAmount, maxFee: anAmount, value: anAmount, gas: anAmount },
  ...{ body: anObject, env: anObject, data: aText, run: aText, reason: aText, onRow: aFunction, onWarning: aFunction },
  earlier: mustBe(isList(isJsonObject), "a list of records"),
  to: mustBe((value) => value === null || isText(value), "an address, or null"),
  deadline: mustBe((value) => typeof value === "number" && value >= 0, "a number of milliseconds"),
  block: mustBe(
    (value) => isPositive(value) || value === "latest" || value === "pending",
    '"latest", "pending", or a bigint',
  ),
  signal: mustBe((value) => value instanceof AbortSignal, "an AbortSignal"),
  wait: (value) => {
    if (typeof value === "boolean") return undefined;
    const [problem] = optionProblems(value, WAIT_OPTIONS);
    return problem && `${problem.where} ${problem.rule}`;
  },
  clientCertificate: mustBe(isCertificate, "an object with cert and key, or with pfx"),
  ...{ allowHttp: aSwitch, readOnly: aSwitch, needsSignatures: aSwitch, onEvent: aFunction },
  caCertificates: mustBe(isList(isPem), "a list of PEM certificates"),
  ...{ server: later, token: later, headers: later, timeout: later, retries: later, proxy: later, state: later },
  ...{ confirm: later, allowDuplicates: later, resume: later, again: later, maxInFlight: later, rate: later },
  ...{ stopAfter: later, assumeNotSent: mustBe(Array.isArray, "a list of rows") },
} satisfies Readonly<Record<string, Rule>>;

const WAIT_OPTIONS: readonly OptionName[] = ["until", "confirmations", "chain", "node", "deadline"];

type OptionName = keyof typeof OPTION_RULES;

const UNREADABLE = `is a symbol, contains itself, throws when read, or is nested more than ${MAX_DEPTH} deep`;

/** Returns the first member that cannot be read to its end, or `where` if the value itself can't. */
function unreadableProblems(value: unknown, where: string): Problem[] {
  const found = unreadablePlace(value, where, []);
  return found === undefined ? [] : [{ where: found, rule: UNREADABLE }];
}

function unreadablePlace(value: unknown, place: string, above: readonly unknown[]): string | undefined {
  try {
    if (typeof value === "symbol") return place;
    if (!Array.isArray(value) && !isJsonObject(value)) return undefined;
    if (above.length > MAX_DEPTH || above.includes(value)) return place;
    const path = [...above, value];
    for (const [name, member] of Object.entries(value)) {
      const found = unreadablePlace(member, above.length > 0 ? place : name, path);
      if (found !== undefined) return found;
    }
    return undefined;
  } catch {
    return place;
  }
}

/** Returns the options' problems, one for each: without a compiler, a caller can pass anything. */
export function optionProblems(options: unknown, names: readonly OptionName[]): Problem[] {
  if (options === undefined) return [];
  const unreadable = unreadableProblems(options, "options");
  if (unreadable.length > 0) return unreadable;
  if (!isJsonObject(options)) return [{ where: "options", rule: "must be an object" }];
  return Object.entries(options).flatMap(([where, value]) => {
    const name = names.find((each) => each === where);
    if (name === undefined)
      return [{ where, rule: `is not an option${didYouMean([where], names) || nearestChoice([where], names)}` }];
    const rule = value === undefined ? undefined : OPTION_RULES[name](value);
    return rule === undefined ? [] : [{ where, rule }];
  });
}

type Names = readonly OptionName[];

const BOUNDS: Names = ["page", "perPage", "concurrency", "enough", "maxItems"];
const BY_ROUTE = [undefined, ["byRoute"]] as const;
const SENDING: Names = [
  ...(["state", "confirm", "speed", "allowDuplicates", "resume", "run", "again", "assumeNotSent"] as const),
  ...(["maxInFlight", "rate", "stopAfter", "wait", "signal", "reason", "onRow"] as const),
];

const OPTIONS: Readonly<Record<string, readonly (Names | undefined)[]>> = {
  ...Object.fromEntries(
    ["relayers", "notifications", "signers", "networks", "plugins"].flatMap((noun) => [
      [`${noun}.list`, [BOUNDS]],
      [`${noun}.get`, BY_ROUTE],
    ]),
  ),
  pages: [undefined, BOUNDS],
  "tx.list": [undefined, BOUNDS],
  "relayers.rpc": [undefined, undefined, ["withNewId"]],
  "chain.open": [undefined, ["nodeUrl"]],
  "chain.diagnose": [undefined, ["nodeUrl", "speed"]],
  "chain.simulate": [undefined, ["to", "value", "data", "gas"], ["nodeUrl", "block"]],
  "chain.verdict": [undefined, undefined, ["nodeUrl", "earlier", "hashes", "confirmations"]],
  "tx.wait": [undefined, undefined, WAIT_OPTIONS],
  "tx.sendMany": [undefined, undefined, SENDING],
  "tx.predict": [undefined, undefined, ["change", "body"], ["node"]],
  "tx.bump": [undefined, undefined, ["speed", "maxFee", "force", "node"]],
  doctor: [["relayers", "all", "only", "ignore", "deadline"]],
};

function hasOperation(given: unknown): boolean {
  const { kind, method, path, data } = Object(Object(given).operation);
  const isKnown = /^(?:read|patch|create|remove|once)$/.test(kind) && METHODS.includes(method);
  return isKnown && typeof data === "function" && /^\/[!-~]*$/.test(path);
}

/** The required values besides texts: their place, name, and condition. */
const REQUIRED: Readonly<Record<string, readonly [place: number, name: string, isRight: (given: unknown) => boolean]>> =
  {
    ...Object.fromEntries(
      ["relayers", "notifications", "signers"].map((noun) => [`${noun}.create`, [0, "body", isJsonObject]]),
    ),
    "tx.wait": [1, "ids", Array.isArray],
    "tx.predict": [2, "change", isJsonObject],
    "tx.sendMany": [2, "options", isJsonObject],
    "chain.simulate": [1, "call", isJsonObject],
    "plugins.call": [1, "call", isJsonObject],
    request: [0, "request.operation", hasOperation],
    pages: [0, "request.operation", hasOperation],
  };

type Mask = <T>(value: T) => T;

/** The member of a client that masks its secrets in what a function concludes from the service's data. */
export const MASKED = Symbol("masked");

/**
 * Returns a client that rejects invalid arguments before anything is sent, and names options in place of flags in
 * errors. @param mask for errors and what methods conclude, not for the data of the service
 */
export function guardCalls<T extends object>(client: T, mask: Mask, path = ""): T {
  const guarded = Object.entries(client).map(([name, member]: [string, unknown]) => {
    const at = path + name;
    if (typeof member === "function") return [name, guardCall(at, member as Method, mask)];
    return [name, isJsonObject(member) ? guardCalls(member, mask, `${at}.`) : member];
  });
  return Object.fromEntries(guarded) as T;
}

type Method = (...given: readonly unknown[]) => unknown;

function guardCall(at: string, method: Method, mask: Mask): Method {
  const isIterable = /(?:^pages|\.list|\.wait)$/.test(at);
  const called = { method, mask, shown: CONCLUDING.test(at) ? mask : <T>(value: T) => value };
  return (...given) => {
    const problems = callProblems(at, given);
    const copies = problems.length === 0 ? given.map(copyPlain) : [];
    if (problems.length === 0) return isIterable ? guardPages(called, copies) : guardCalled(at, called, copies);
    if (isIterable) throw usageError(problems);
    return Promise.reject(usageError(problems));
  };
}

/** Copies lists and plain objects, which the caller may change during the call. */
function copyPlain(value: unknown): unknown {
  if (Array.isArray(value)) return Array.from(value, copyPlain);
  if (!isPlainObject(value)) return value;
  const copy = copyJsonObject(value);
  for (const name of Object.keys(copy)) copy[name] = copyPlain(copy[name]) as JsonValue;
  return copy;
}

function callProblems(at: string, given: readonly unknown[]): Problem[] {
  const unreadable = given.flatMap((value, index) =>
    unreadableProblems(value, OPTIONS[at]?.[index] ? "options" : "body"),
  );
  if (unreadable.length > 0) return unreadable;
  const [place = 0, where = "", isRight = () => true] = REQUIRED[at] ?? [];
  const right = isRight === hasOperation ? "an operation" : isRight === Array.isArray ? "a list" : "an object";
  if (!isRight(given[place])) return [{ where, rule: `must be ${right}` }];
  return (OPTIONS[at] ?? []).flatMap((names, index) => (names ? optionProblems(given[index], names) : []));
}

/** Methods whose results have words about the service's data. */
const CONCLUDING = /^(?:doctor|chain\.(?!open).*|tx\.(?:bump|predict|sendMany|wait))$/;

interface Called {
  method: Method;
  mask: Mask;
  shown: Mask;
}

async function guardCalled(at: string, { method, mask, shown }: Called, given: readonly unknown[]): Promise<unknown> {
  try {
    const result = shown(await method(...given));
    const { failure } = Object(result);
    if (failure instanceof RelayctlError) return { ...Object(result), failure: failure.masked(mask) };
    return at === "doctor" ? inWords(result) : result;
  } catch (error) {
    return rethrowCallError(error, mask);
  }
}

async function* guardPages({ method, mask, shown }: Called, given: readonly unknown[]): AsyncGenerator<unknown> {
  try {
    for await (const each of method(...given) as AsyncIterable<unknown>) yield shown(each);
  } catch (error) {
    rethrowCallError(error, mask);
  }
}

/** The options that texts of the command line name by their flags. */
const FLAGS: Readonly<Record<string, string>> = {
  "--allow-env NAME": "allowEnv",
  "--allow-file FOLDER": "allowFile",
  "--networks FOLDER": "networks",
  "--allow-unknown": "allowUnknown: true",
  "--abi": "abi",
  "--all": "all: true",
  "--rpc-url": "custom_rpc_urls",
  "--valid-until": "valid_until",
};

/** Members with commands of the program, which stay unchanged. */
const COMMANDS = ["hint", "next", "again", "remedy"];

export function rethrowCallError(error: unknown, mask: Mask = (value) => value): never {
  if (!(error instanceof RelayctlError)) throw error;
  const known = error.masked(mask);
  const { failure, http, details, hint } = known;
  if (failure !== "usage" || http || details.length === 0)
    throw known.masked((value) => inWords(value) as typeof value);
  throw usageError(
    details.map((each) => ({
      ...each,
      where: String(inWords(each.where)).replace(/^([a-z]+)_id$/, "$1Id"),
      rule: String(inWords(each.rule)),
    })),
    hint,
  );
}

function inWords(value: unknown): unknown {
  // An ID may contain a flag: `team--all-hot`.
  if (typeof value === "string")
    return value.replace(/(?<![\w-])--[a-z-]+(?: NAME| FOLDER)?(?![\w-])/g, (flag) => FLAGS[flag] ?? flag);
  if (Array.isArray(value)) return value.map(inWords);
  if (Object.getPrototypeOf(value ?? 0) !== Object.prototype) return value;
  const members = Object.entries(value as object);
  return Object.fromEntries(
    members.map(([name, member]) => [name, COMMANDS.includes(name) ? member : inWords(member)]),
  );
}

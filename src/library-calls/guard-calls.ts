import { isJsonObject } from "../contract/json.ts";
import { type Problem, RelayctlError, usageError } from "../errors.ts";
import { type OptionName, optionProblems, WAIT_OPTIONS } from "./option-rules.ts";

type Names = readonly OptionName[];

const BOUNDS: Names = ["page", "perPage", "concurrency", "enough", "maxItems"];
const BY_ROUTE = [undefined, ["byRoute"]] as const;
const CHAIN: Names = ["nodeUrl"];
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
  "chain.open": [undefined, CHAIN],
  "chain.diagnose": [undefined, ["nodeUrl", "speed"]],
  "chain.simulate": [undefined, ["to", "value", "data", "gas"], ["nodeUrl", "block"]],
  "chain.verdict": [undefined, undefined, ["nodeUrl", "earlier", "hashes", "confirmations"]],
  "tx.wait": [undefined, undefined, WAIT_OPTIONS],
  "tx.sendMany": [undefined, undefined, SENDING],
  "tx.predict": [undefined, undefined, ["change", "body"], ["node"]],
  "tx.bump": [undefined, undefined, ["speed", "maxFee", "force", "node"]],
  doctor: [["relayers", "all", "only", "ignore", "deadline"]],
};

/** The required values besides texts: their place, name, and condition. */
const REQUIRED: Readonly<Record<string, readonly [place: number, name: string, isRight: (given: unknown) => boolean]>> =
  {
    "tx.wait": [1, "ids", Array.isArray],
    "tx.predict": [2, "change", isJsonObject],
    "tx.sendMany": [2, "options", isJsonObject],
    "chain.simulate": [1, "call", isJsonObject],
  };

/**
 * Returns a client that rejects invalid arguments before anything is sent, and names options in place of flags in
 * errors.
 */
export function guardCalls<T extends object>(client: T, path = ""): T {
  const guarded = Object.entries(client).map(([name, member]: [string, unknown]) => {
    const at = path + name;
    if (typeof member === "function") return [name, guardCall(at, member as Method)];
    return [name, isJsonObject(member) ? guardCalls(member, `${at}.`) : member];
  });
  return Object.fromEntries(guarded) as T;
}

type Method = (...given: readonly unknown[]) => unknown;

function guardCall(at: string, method: Method): Method {
  const isIterable = /(?:^pages|\.list|\.wait)$/.test(at);
  return (...given) => {
    const problems = callProblems(at, given);
    if (problems.length === 0) return isIterable ? iterated(method, given) : called(at, method, given);
    if (isIterable) throw usageError(problems);
    return Promise.reject(usageError(problems));
  };
}

function callProblems(at: string, given: readonly unknown[]): Problem[] {
  const [place = 0, where = "", isRight = () => true] = REQUIRED[at] ?? [];
  if (!isRight(given[place]))
    return [{ where, rule: Array.isArray === isRight ? "must be a list" : "must be an object" }];
  return (OPTIONS[at] ?? []).flatMap((names, index) => (names ? optionProblems(given[index], names) : []));
}

async function called(at: string, method: Method, given: readonly unknown[]): Promise<unknown> {
  try {
    const result = await method(...given);
    return at === "doctor" ? inWords(result) : result;
  } catch (error) {
    return rethrowCallError(error);
  }
}

async function* iterated(method: Method, given: readonly unknown[]): AsyncGenerator<unknown> {
  try {
    yield* method(...given) as AsyncIterable<unknown>;
  } catch (error) {
    rethrowCallError(error);
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

export function rethrowCallError(error: unknown): never {
  if (!(error instanceof RelayctlError)) throw error;
  const { failure, http, details, hint } = error;
  if (failure !== "usage" || http || details.length === 0)
    throw error.masked((value) => inWords(value) as typeof value);
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
  if (typeof value === "string")
    return Object.entries(FLAGS).reduce((text, [flag, option]) => text.replaceAll(flag, option), value);
  if (Array.isArray(value)) return value.map(inWords);
  if (Object.getPrototypeOf(value ?? 0) !== Object.prototype) return value;
  const members = Object.entries(value as object);
  return Object.fromEntries(
    members.map(([name, member]) => [name, COMMANDS.includes(name) ? member : inWords(member)]),
  );
}

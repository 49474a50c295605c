import { createServer } from "node:http";
import { inspect } from "node:util";
import {
  type ClientWithChain,
  createClient,
  formatAmount,
  parseAmount,
  planFleet,
  RelayctlError,
} from "../../src/index.ts";
import { temporaryFolder } from "../config/temporary-folder.ts";
import { sampled } from "../helpers/deep.ts";
import { listen, listenInTest } from "../helpers/service/listen.ts";

const TOKEN = "canary\"'&<|_.-token-0123456789";
const HEADER = `Gw7"k&x'<Zp 4|vQ-header`;
const sent: string[] = [];
const withoutHeader: string[] = [];
let reply: { status: number; body: string } = { status: 500, body: "" };
const server = createServer((request, response) => {
  sent.push(String(request.url));
  if (request.headers["x-gateway"] !== HEADER) withoutHeader.push(String(request.url));
  response.writeHead(reply.status, { "content-type": "application/json" }).end(reply.body);
});
let origin: string;
let client: ClientWithChain;

/** Returns a client that was refused by rate never before. */
function freshClient(more: object = {}): ClientWithChain {
  return createClient({ server: origin, token: TOKEN, headers: { "X-Gateway": HEADER }, retries: 0, ...more });
}

beforeAll(async () => {
  origin = `http://127.0.0.1:${await listen(server)}`;
  client = freshClient();
});
afterAll(() => void server.close());

const TO = `0x${"52".repeat(20)}`;
const PAYMENTS = { payments: [{ to: TO, value: 1n, gasLimit: 30_000n }] };

type Anything = Record<string, unknown>;
// Without types, as a program in JavaScript calls it.
const loose = () => client as unknown as Record<string, Record<string, (...given: unknown[]) => unknown>>;

/** Every method, called with options in their place. */
const METHODS: Readonly<Record<string, (options?: unknown) => unknown>> = {
  ...Object.fromEntries(
    ["relayers", "notifications", "signers", "networks", "plugins"].flatMap((noun) => [
      [`${noun}.list`, (options: unknown) => loose()[noun]?.list?.(options)],
      [`${noun}.get`, (options: unknown) => loose()[noun]?.get?.("r1", options)],
    ]),
  ),
  "tx.list": (options) => loose().tx?.list?.("r1", options),
  "relayers.rpc": (options) => loose().relayers?.rpc?.("r1", { jsonrpc: "2.0", method: "eth_chainId" }, options),
  "chain.open": (options) => loose().chain?.open?.("r1", options),
  "chain.diagnose": (options) => loose().chain?.diagnose?.("r1", options),
  "chain.simulate": (options) => loose().chain?.simulate?.("r1", { to: TO, value: 1n }, options),
  "chain.verdict": (options) => loose().chain?.verdict?.("r1", "t1", options),
  "tx.wait": (options) => loose().tx?.wait?.("r1", ["t1"], options),
  "tx.predict": (options) => loose().tx?.predict?.("r1", "t1", { change: "cancel" }, options),
  "tx.bump": (options) => loose().tx?.bump?.("r1", "t1", options),
  doctor: (options) => (client as unknown as { doctor(given: unknown): unknown }).doctor(options),
  planFleet: (options) => planFleet("fleet.json", client, options as Anything),
  "tx.sendMany": (options) =>
    loose().tx?.sendMany?.("r1", PAYMENTS, { state: temporaryFolder(), confirm: 1n, ...(options as Anything) }),
};

/** Values that each option refuses, of the methods that have it. */
const WRONG: readonly (readonly [method: RegExp, option: string, values: readonly unknown[]])[] = [
  [/list$/, "page", [-1, 1.5, "1", null, Number.NaN]],
  [/list$/, "perPage", [-1, 1.5, "10"]],
  [/list$/, "concurrency", [0, -1, "x"]],
  [/list$/, "enough", [-1, "x"]],
  [/list$/, "maxItems", [0, "x"]],
  [/get$/, "byRoute", ["yes", 1]],
  [/rpc$/, "withNewId", ["yes", 1]],
  [/^chain/, "nodeUrl", ["", "ftp://x", "not a URL", 5, {}]],
  [/diagnose|bump/, "speed", ["quick", 5]],
  [/simulate/, "block", ["oldest", 5, -1n]],
  [/verdict/, "earlier", ["x", [5]]],
  [/verdict/, "hashes", ["x", [5]]],
  [/verdict|wait/, "confirmations", [5, -1n, "2"]],
  [/wait/, "until", ["done", 5]],
  [/wait/, "chain", ["no", 0]],
  [/wait|predict|bump/, "node", ["", "ftp://x", 5]],
  [/wait|doctor/, "deadline", [-1, "10s", Number.NaN]],
  [/bump/, "maxFee", [5, -1n, "1gwei"]],
  [/bump/, "force", ["yes"]],
  [/doctor/, "relayers", ["r1", [5]]],
  [/doctor/, "all", ["yes"]],
  [/doctor/, "only", ["SVC-AUTH", ["SVC-NONE"]]],
  [/doctor/, "ignore", ["SVC-AUTH", ["SVC-NONE"]]],
  [/planFleet/, "env", ["x", 5]],
  [/planFleet/, "allowEnv", ["NAME", [5]]],
  [/planFleet/, "allowFile", ["folder", [5]]],
  [/planFleet/, "prune", ["yes"]],
  [/planFleet/, "sendHidden", ["yes"]],
  [/planFleet/, "onWarning", ["yes"]],
  [/sendMany/, "state", ["", 5]],
  [/sendMany/, "confirm", [1, "1"]],
  [/sendMany/, "maxInFlight", [0, 101, "x"]],
  [/sendMany/, "rate", [0, "x"]],
  [/sendMany/, "stopAfter", [0, "x"]],
  [/sendMany/, "resume", ["yes"]],
  [/sendMany/, "again", ["yes"]],
  [/sendMany/, "assumeNotSent", [1, "x", {}, null]],
  [/sendMany/, "allowDuplicates", ["yes"]],
  [/sendMany/, "speed", ["quick", 5]],
  [/sendMany/, "wait", ["yes", { until: "done" }, { deadline: -1 }]],
  [/sendMany/, "signal", ["yes"]],
  [/sendMany/, "onRow", ["yes"]],
  [/sendMany/, "reason", [5]],
  [/./, "color", [1]],
];

const ROWS = WRONG.flatMap(([of, option, values]) =>
  Object.keys(METHODS).flatMap((method) => (of.test(method) ? [[method, option, values] as const] : [])),
);

/** Returns what a call threw, at once or later; undefined if it did not. */
async function thrownBy(call: () => unknown): Promise<unknown> {
  try {
    const called = call();
    if (Symbol.asyncIterator in Object(called)) for await (const _ of called as AsyncIterable<unknown>) break;
    await called;
    return undefined;
  } catch (error) {
    return error;
  }
}

function expectNamed(error: unknown, name: string, given: string): void {
  expect(error, given).toBeInstanceOf(RelayctlError);
  const { failure, message, details } = error as RelayctlError;
  expect(failure, `${given}: ${message}`).toBe("usage");
  expect(details.map(({ where }) => where).join(), given).toContain(name);
  expect(inspect(error, { depth: 9 }).replace(/^ +at .*$/gm, ""), given).not.toMatch(/ --[a-z]|-o json|column/);
}

test("every option of every method has a wrong value here", () =>
  expect(new Set(ROWS.map(([method]) => method))).toEqual(new Set(Object.keys(METHODS))));

describe("an option is refused by its name, before anything is sent", () => {
  test.each(ROWS)("%s: %s", async (method, option, values) => {
    for (const value of values) {
      sent.length = 0;
      const error = await thrownBy(() => METHODS[method]?.({ [option]: value }));
      expectNamed(error, option, inspect(value));
      expect(sent).toEqual([]);
    }
  });

  test.each(Object.keys(METHODS).filter((method) => method !== "tx.sendMany"))("%s: no object", async (method) => {
    for (const options of ["x", 5, null, []])
      expectNamed(await thrownBy(() => METHODS[method]?.(options)), "options", inspect(options));
  });

  test.each<[string, () => unknown, string]>([
    ["ids of tx.wait", () => loose().tx?.wait?.("r1", undefined), "ids"],
    ["the change of tx.predict", () => loose().tx?.predict?.("r1", "t1"), "change"],
    ["another change", () => loose().tx?.predict?.("r1", "t1", { change: "pause" }), "change"],
    ["the call of chain.simulate", () => loose().chain?.simulate?.("r1"), "call"],
    ["an amount as a number", () => loose().chain?.simulate?.("r1", { to: TO, value: 1 }), "value"],
    ["files of planFleet", () => planFleet(5 as unknown as string, client), "files"],
    ["the client of planFleet", () => planFleet("fleet.json", undefined as unknown as ClientWithChain), "client"],
    ["an ID that is none", () => loose().relayers?.get?.(5), "relayerId"],
    ["no ID", () => loose().tx?.get?.("r1"), "transactionId"],
  ])("%s", async (_, call, name) => {
    sent.length = 0;
    expectNamed(await thrownBy(call), name, name);
    expect(sent).toEqual([]);
  });
});

test.each(["..", "a/b", ""])(
  "an ID that no request can have, %j, is refused by the name of its argument",
  async (id) => {
    for (const [name, call] of Object.entries(loose()).flatMap(([noun, methods]) =>
      Object.entries(methods).map(([verb, method]) => [`${noun}.${verb}`, method] as const),
    )) {
      if (typeof call !== "function" || /list|create|pages|server|origin|networks\.get|chain|sendMany/.test(name))
        continue;
      const error = await thrownBy(() => call(id, name.startsWith("tx.wait") ? ["t1"] : "t1", { change: "cancel" }));
      if (!(error instanceof RelayctlError) || error.failure !== "usage" || error.http) continue;
      expect(`${name}: ${error.message} ${error.details.map(({ where }) => where)}`).not.toMatch(/_id\b/);
    }
  },
);

test("an ID that contains a flag stays as it is in errors", async () => {
  reply = { status: 404, body: JSON.stringify({ success: false, data: null, error: "none of team--all-hot" }) };
  const error = (await thrownBy(() => client.relayers.update("team--all-hot", { name: "x" }))) as RelayctlError;
  expect([error.message, error.http?.path]).toEqual(["none of team--all-hot", "/api/v1/relayers/team--all-hot"]);
});

test.each([
  ["timeout", ["5", true, [5], 5n, Number.NaN, null]],
  ["clientCertificate", [{ pfx: "x" }, { pfx: 5 }, { cert: "a", key: "b", passphrase: 5 }, { cert: "a" }]],
])("%s with another type is refused when the client is created", (option, values) => {
  for (const value of values)
    expect(() => freshClient({ [option]: value }), inspect(value)).toThrow(new RegExp(`^${option}: must be`));
});

test("with the proxy none, connections are direct", async () => {
  reply = { status: 200, body: '{"success":true,"data":{"id":"r1"},"error":null}' };
  const direct = createClient({ server: origin, token: TOKEN, proxy: "none" });
  expect((await direct.relayers.get("r1")).data.id).toBe("r1");
});

test("an amount has the unit of its coin, and is never written as another number", () => {
  expect([formatAmount(15n, "lamport"), parseAmount("1.5sol", "lamport")]).toEqual(["0.000000015 SOL", 1_500_000_000n]);
  for (const unit of ["sol", "lamports", "constructor"] as unknown as "wei"[]) {
    expect(() => formatAmount(1n, unit)).toThrow(/^the unit must be wei, lamport, or stroop, not /);
    expect(() => parseAmount("1", unit)).toThrow(/^the unit must be/);
  }
  for (const amount of [1.5, null, Number.NaN, "x"])
    expect(() => formatAmount(amount as unknown as bigint, "wei")).toThrow();
});

test.each([
  ["throws", () => JSON.parse("")],
  ["is rejected", async () => JSON.parse("")],
])("a listener of events that %s hides no accepted write", async (_, onEvent) => {
  reply = { status: 200, body: '{"success":true,"data":{"id":"t1"},"error":null}' };
  const heard = createClient({ server: origin, token: TOKEN, onEvent });
  const { data } = await heard.tx.send("r1", { to: TO, value: 1 });
  expect(data.id).toBe("t1");
});

test("a response that does not come in time is reported by the option, in errors and in results", async () => {
  const silent = createServer(() => {});
  const url = `http://127.0.0.1:${await listenInTest(silent)}`;
  const waiting = createClient({ server: url, token: TOKEN, retries: 0, timeout: 50 });
  const error = (await thrownBy(() => waiting.relayers.get("r1"))) as RelayctlError;
  expect([error.message, ...error.because].join()).toContain("(timeout, deadline)");
  reply = {
    status: 200,
    body: '{"success":true,"data":{"id":"r1","network":"mainnet","network_type":"evm"},"error":null}',
  };
  // A request that timed out may arrive in the next test, which finds those without the header.
  const reading = freshClient({ timeout: 50 });
  const result = await reading.chain.diagnose("r1", { nodeUrl: url }).catch((caught: unknown) => caught);
  expect(inspect(result, { depth: 9 }).replace(/^ +at .*$/gm, "")).not.toMatch(/ \(?--[a-z]/);
});

/** Every method that asks the service. */
const CALLS: Readonly<Record<string, () => unknown>> = {
  ...Object.fromEntries(Object.entries(METHODS).map(([name, call]) => [name, () => call()])),
  // What fails for now is read again until the time is up.
  "tx.wait": () => client.tx.wait("r1", ["t1"], { deadline: 50 }),
  "relayers.create": () => client.relayers.create({ id: "r1" }),
  "relayers.update": () => client.relayers.update("r1", { paused: true }),
  "relayers.delete": () => client.relayers.delete("r1"),
  "relayers.status": () => client.relayers.status("r1"),
  "relayers.balance": () => client.relayers.balance("r1"),
  "relayers.sign": () => client.relayers.sign("r1", { message: "0x00" }),
  "tx.get": () => client.tx.get("r1", "t1"),
  "tx.send": () => client.tx.send("r1", { to: TO, value: 1 }),
  "tx.cancel": () => client.tx.cancel("r1", "t1"),
  "notifications.create": () => client.notifications.create({ id: "n", type: "webhook", url: "https://x.example.org" }),
  "notifications.update": () => client.notifications.update("n", { url: "https://x.example.org" }),
  "notifications.delete": () => client.notifications.delete("n"),
  "signers.delete": () => client.signers.delete("s"),
  "server.ready": () => client.server.ready(),
};

const escaped = JSON.stringify(TOKEN).slice(1, -1);
const QUOTING: readonly (readonly [status: number, body: string])[] = [
  ...[400, 401, 403, 404, 409, 429, 500, 503].map(
    (status) =>
      [status, JSON.stringify({ success: false, data: null, error: `no: Bearer ${TOKEN} ${HEADER}` })] as const,
  ),
  [502, `<html>${TOKEN}</html>`],
  [401, `<html><title>no ${HEADER}</title></html>`],
  [400, `${TOKEN} ${HEADER}`],
  [200, JSON.stringify({ success: false, data: null, error: `no: ${TOKEN}` })],
  [200, JSON.stringify({ success: true, data: `x ${TOKEN}`, error: null })],
  [200, `{"success":true,"data":{"id":"${escaped}"`],
];

test.each(Object.keys(CALLS))("the token that a response quotes is in no error, and in no report: %s", async (name) => {
  const turn = Object.keys(CALLS).indexOf(name);
  for (const [status, body] of sampled(QUOTING, 4, turn)) {
    reply = { status, body };
    client = freshClient();
    withoutHeader.length = 0;
    let result: unknown;
    const error = await thrownBy(async () => {
      const called = CALLS[name]?.();
      if (Symbol.asyncIterator in Object(called))
        for await (const each of called as AsyncIterable<unknown>) result = each;
      else result = await called;
    });
    const seen = [
      inspect(error, { depth: 9, showHidden: true }),
      ...(error instanceof Error ? [error.stack, error.message, inspect(error.cause, { depth: 9 })] : []),
      JSON.stringify(error, (_, value) => (typeof value === "bigint" ? String(value) : value)),
      ...(["doctor", "tx.sendMany"].includes(name) ? [inspect(result, { depth: 9 })] : []),
    ].join("\n");
    expect(error === undefined || error instanceof RelayctlError, `${status}: ${inspect(error)}`).toBe(true);
    expect(withoutHeader).toEqual([]);
    for (const form of [TOKEN, escaped, TOKEN.slice(10), HEADER]) expect(seen, `${status} ${body}`).not.toContain(form);
  }
});

test("items of lists have the types of their noun", async () => {
  reply = {
    status: 200,
    body: '{"success":true,"data":[{"id":"r1","paused":true}],"error":null,"pagination":{"current_page":1,"per_page":1000,"total_items":1}}',
  };
  for await (const { items } of client.relayers.list()) {
    const paused: boolean | null | undefined = items[0]?.paused;
    expect([items[0]?.id, paused]).toEqual(["r1", true]);
  }
  for await (const { items } of client.networks.list()) {
    // @ts-expect-error no member of a network
    expect(items[0]?.paused?.never).toBeUndefined();
  }
});

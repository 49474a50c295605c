import { openzeppelinDialect } from "../../../src/embedded-server/openzeppelin/dialect.ts";
import { invalidToken, tooLarge } from "../../../src/embedded-server/refusal.ts";
import { failureReply } from "../../../src/embedded-server/reply.ts";
import { stateFromText, stateToText } from "../../../src/embedded-server/state/state-text.ts";
import { memoryStore } from "../../../src/embedded-server/state/store.ts";
import { askDemo, START, stoppedClock, UUID } from "../ask.ts";
import { askService } from "./ask-service.ts";
import { localService, TO } from "./local-service.ts";

const TEXT = "text/plain; charset=utf-8";

/** Returns a response's parts as one line. */
async function parts(...asked: Parameters<ReturnType<typeof askService>["ask"]>) {
  const { status, headers, text } = await askService().ask(...asked);
  return [status, headers["content-type"], text];
}

test("only a 401 of the rate limiter, for a request without credentials, has no request ID", async () => {
  const wrong = await askService().ask("GET", "/relayers", undefined, { authorization: "Bearer wrong" });
  expect(wrong.headers["x-request-id"]).toBeDefined();
  const { headers } = openzeppelinDialect({ uuid: () => "u" }).refuse(invalidToken(), {});
  expect(headers).toEqual({ "content-type": "application/json", "x-relayctl-demo": "1" });
});

test("an unknown method is an unknown route: an empty 404 without a content type", async () =>
  expect(await parts("OPTIONS" as "GET", "/relayers")).toEqual([404, undefined, ""]));

test("metrics need a token", async () =>
  expect((await askService().ask("GET", "/metrics", undefined, { authorization: "" })).status).toBe(401));

test("a request ID is echoed or generated", async () => {
  const { ask } = askService();
  expect((await ask("GET", "/relayers", undefined, { "x-request-id": "my-id-1" })).headers["x-request-id"]).toBe(
    "my-id-1",
  );
  expect((await ask("GET", "/relayers")).headers["x-request-id"]).toMatch(/^[0-9a-f-]{36}$/);
});

test("a rate-limited request gets a special body and no request ID", async () => {
  const { ask } = askService({ rateLimit: { perSecond: 1, burst: 0 } });
  const { status, headers, text } = await ask("GET", "/relayers");
  expect([status, text]).toEqual([
    429,
    '{ "success": false, "code":429, "error": "TooManyRequests", "message": "Too Many Requests", "after": 0}',
  ]);
  expect(headers).toEqual({
    "content-type": "application/json",
    "retry-after": "0",
    "x-ratelimit-after": "0",
    "x-relayctl-demo": "1",
  });
});

test("an injected 504 has the text of the service's timeout", async () => {
  const { ask } = askService({ failures: [{ method: "*", path: "*", status: 504, rate: 1 }] });
  const { status, headers, text } = await ask("GET", "/relayers");
  expect([status, headers["content-type"], headers["x-request-id"], text]).toEqual([
    504,
    TEXT,
    undefined,
    "Request handler timeout",
  ]);
});

test("an injected 500 has the service's message", async () => {
  const { ask } = askService({ failures: [{ method: "*", path: "*", status: 500, rate: 1 }] });
  expect((await ask("GET", "/relayers")).text).toBe(
    '{"success":false,"data":null,"error":"An unknown error occurred"}',
  );
});

test("an oversized body is reported as text", () => {
  const { status, headers, text } = openzeppelinDialect({ uuid: () => "u" }).refuse(tooLarge(2_097_152), {});
  expect([status, headers["content-type"]]).toEqual([413, TEXT]);
  expect(text).toBe("JSON payload has exceeded limit (2097152 bytes).");
  expect(failureReply(tooLarge(1)).headers["content-type"]).toBe("application/json");
});

test.each([
  ["notifications?per_page=abc", "invalid digit found in string"],
  ["relayers?page=", "cannot parse integer from empty string"],
])("GET %s is a 400 as text: %s", async (path, why) =>
  expect(await parts("GET", `/${path}`)).toEqual([400, TEXT, `Query deserialize error: ${why}`]),
);

describe("the relayer's creation", () => {
  const EVM = { name: "Name", network: "sepolia", network_type: "evm", paused: false, signer_id: "s2" };

  test.each([
    [{ unknown: 1 }, /^Json deserialize error: unknown field `unknown`, expected one of `id`, `name`/],
    [{ network_type: "tron" }, /^Json deserialize error: unknown variant `tron`/],
    [{ policies: { min_balance: "1e9" } }, /^Json deserialize error: Bad Request: Invalid EVM policy: invalid digit/],
  ])("reports %j as text", async (change, words) => {
    const { status, text } = await askServiceFor(change);
    expect(status).toBe(400);
    expect(text).toMatch(words);
  });

  test.each([
    [{ id: "" }, "ID cannot be empty"],
    [{ id: "x".repeat(37) }, "ID must not exceed 36 characters"],
    [{ name: "" }, "Name cannot be empty"],
    [{ network: "" }, "Network cannot be empty"],
    [{ signer_id: "" }, "Invalid relayer policy: Signer ID cannot be empty"],
    [{ custom_rpc_urls: [{ url: "http://x", weight: 101 }] }, "RPC URL weight must be in range 0-100"],
  ])("refuses %j", async (change, error) => {
    const { status, text } = await askServiceFor(change);
    expect([status, JSON.parse(text)]).toEqual([400, { success: false, data: null, error }]);
  });

  function askServiceFor(change: object) {
    return askService().ask("POST", "/relayers", { ...EVM, ...change });
  }
});

const dead = (path: string) => ({ failures: [{ method: "WORKER", path, status: "dead" as const, rate: 1 }] });
const node = (path: string, status: number | "lost") => ({ failures: [{ method: "NODE", path, status, rate: 1 }] });
const DAY = 86_400;

describe("with a dead worker, a transaction", () => {
  test.each([
    ["*", { status: "pending", nonce: null }],
    ["prepare", { status: "pending", nonce: null }],
    ["submit", { status: "sent", nonce: 0, sent_at: null }],
    ["status", { status: "submitted", nonce: 0 }],
  ])("stays where %s would take it on: %o", async (worker, fields) => {
    const { send, record } = localService(dead(worker));
    expect(await record(await send(), DAY)).toMatchObject(fields);
  });

  test("is not on the chain if nothing sends it", async () => {
    const { send, record, byHash } = localService(dead("submit"));
    const { hash } = await record(await send(), DAY);
    expect(hash).toMatch(/^0x/);
    expect(await byHash(hash)).toBe(null);
  });

  test.each([
    ["replaced", "PUT"],
    ["canceled", "DELETE"],
  ] as const)("that nothing sends is not sent either once it is %s", async (_, method) => {
    const { ask, send, record, byHash, minedAt } = localService(dead("submit"));
    const id = await send();
    await record(id, 60);
    const body = method === "PUT" ? { to: TO, value: "2", speed: "fastest" } : undefined;
    expect((await ask(method, `/relayers/local-1/transactions/${id}`, body)).status).toBe(200);
    const { status, sent_at, hash } = await record(id, DAY);
    expect([status, sent_at, await byHash(hash), await minedAt(0)]).toEqual(["sent", null, null, undefined]);
  });

  test("is mined even if nothing notices it", async () => {
    const { send, record, minedAt } = localService(dead("status"));
    const { hash } = await record(await send(), DAY);
    expect(await minedAt(0)).toMatchObject({ hash, value: "0x1" });
  });

  test.each(["*", "prepare", "submit", "status"])("is confirmed after a restart with %s alive", async (worker) => {
    const { send, record, state } = localService(dead(worker));
    const id = await send();
    await record(id, 60);
    const clock = { ...stoppedClock(), now: () => START + 600_000 };
    const random = { uuid: () => UUID, fraction: () => 0 };
    const store = memoryStore(stateFromText(stateToText(state)));
    const restarted = askDemo({ clock, store, random, dialect: openzeppelinDialect(random) });
    expect((await restarted("GET", `/relayers/local-1/transactions/${id}`)).data.status).toBe("confirmed");
  });
});

test("a call to a node can fail with a code, which is all that the service passes on", async () => {
  const { ask } = localService(node("eth_getBalance", -32_005));
  const { status, text } = await ask("POST", "/relayers/local-1/rpc", { method: "eth_getBalance", params: ["0x1"] });
  const error = { code: -32603, message: "Internal error", description: "RPC error occurred (code: -32005)" };
  expect([status, JSON.parse(text)]).toEqual([200, { jsonrpc: "2.0", id: 1, error }]);
});

const TYPED = "Json deserialize error: ";

// facts 8.2, and facts 1.8 for a wrong shape, whatever the network.
test.each([
  ["null", "At least one field must be provided for update"],
  ['{"rpc_urls":null}', "At least one field must be provided for update"],
  ['{"rpc_urls":[]}', "rpc_urls must contain at least one RPC endpoint"],
  [
    '{"rpc_urls":["ftp://a.example.org"]}',
    "Invalid URL scheme for ftp://a.example.org: Only HTTP and HTTPS are supported",
  ],
  ['{"name":"x"}', `${TYPED}unknown field \`name\`, expected \`rpc_urls\` at line 1 column 7`],
  ['{"rpc_urls":"x"}', `${TYPED}invalid type: string "x", expected a sequence at line 1 column 15`],
  ['{"rpc_urls":[{"url":"http://a.example.org","weight":300}]}', "data did not match any variant of untagged enum"],
])("PATCH %s is refused before the network is looked up", async (body, words) => {
  const { status, text } = await askService().ask("PATCH", "/networks/evm:zz", body);
  expect(status).toBe(400);
  expect(text).toContain(words);
});

test("a weight may be up to 255, and is 100 by default", async () => {
  const body = { rpc_urls: ["http://a.example.org", { url: "http://b.example.org", weight: 255 }] };
  const { data } = await askService().ask("PATCH", "/networks/evm:sepolia", body);
  expect(data.rpc_urls).toEqual([
    { url: "http://a.example.org", weight: 100 },
    { url: "http://b.example.org", weight: 255 },
  ]);
});

test("a key that is too short is refused in an update", async () => {
  const { status, text } = await askService().ask("PATCH", "/notifications/ops-hook", { signing_key: "short" });
  expect([status, JSON.parse(text).error]).toEqual([400, "Signing key must be at least 32 characters long"]);
});

test("a URL that is not text is reported as malformed, with the position", async () => {
  const { text } = await askService().ask("POST", "/notifications", '{"url":7}');
  expect(text).toBe("Json deserialize error: invalid type: integer `7`, expected a string at line 1 column 8");
});

test("all demo relayers have the policies of their network type", async () => {
  const { items } = await askService().ask("GET", "/relayers?per_page=100");
  expect(items).toHaveLength(9);
  expect(items.filter(({ policies }) => policies === undefined)).toEqual([]);
});

const WHOLE = "ab".repeat(32);
const hashes = (domain_separator: string, hash_struct_message = WHOLE) => ({ domain_separator, hash_struct_message });

// facts 1.8: the shape is checked before the relayer is looked up; facts 3.2: and the hashes last.
test.each([
  ["nobody", "sign", {}, 400, `${TYPED}missing field \`message\` at line 1 column 2`],
  [
    "nobody",
    "sign-transaction",
    {},
    400,
    `${TYPED}data did not match any variant of untagged enum SignTransactionRequest at line 1 column 2`,
  ],
  ["nobody", "sign", { message: "" }, 404, "Relayer with ID nobody not found"],
  ["xlm-treasury", "sign-typed-data", hashes(""), 400, "Signing typed data not supported for Stellar"],
  ["evm-1", "sign-typed-data", hashes("zz"), 500, "Failed to sign transaction: Invalid character 'z' at position 0"],
  ["evm-1", "sign-typed-data", hashes("0x1"), 500, "Failed to sign transaction: Odd number of digits"],
  [
    "evm-1",
    "sign-typed-data",
    hashes(WHOLE, "22"),
    500,
    "Failed to sign transaction: Invalid hash struct message length: expected 32 bytes, got 1",
  ],
])("%s: %s of %j is %i", async (id, action, body, status, words) => {
  const reply = await askService().ask("POST", `/relayers/${id}/${action}`, body);
  expect(reply.status).toBe(status);
  expect(reply.text).toContain(words);
});

test("ignores unknown fields", async () => {
  const { ask } = askService();
  const [plain, more] = await Promise.all([
    ask("POST", "/relayers/evm-1/sign", { message: "hello" }),
    ask("POST", "/relayers/evm-1/sign", { message: "hello", more: 1 }),
  ]);
  expect(more?.text).toBe(plain?.text);
  expect(Object.keys(plain?.data ?? {})).toEqual(["r", "s", "v", "sig"]);
});

import { runArgv } from "../../src/cli/run.ts";
import { type Transport, TransportFailure } from "../../src/client/transport/transport.ts";
import { EXIT_CODES, RelayctlError } from "../../src/errors.ts";
import { cli, ends, exits, printedError, SERVER, testApp } from "../helpers/cli.ts";
import { reply } from "../helpers/service/reply.ts";

const fails =
  (failure: TransportFailure): Transport =>
  () =>
    Promise.reject(failure);
const answers =
  (status: number, body: string): Transport =>
  async () =>
    reply(status, body);
const says = (status: number, message: string): Transport =>
  answers(status, JSON.stringify({ success: false, data: null, message }));
const PAUSE = "relayers pause r1";

const EXITS = {
  ...{ usage: 2, declined: 3, auth: 4, not_found: 5, conflict: 6, rejected: 7, rate_limited: 8, server: 9 },
  ...{ network: 10, unknown: 11, mismatch: 14 },
};

/** What goes wrong, the failure, and the next command. */
const FAILURES: readonly [string, string, Transport, keyof typeof EXITS, string | null][] = [
  ["401", PAUSE, says(401, "Unauthorized"), "auth", "relayctl auth status"],
  ["403", PAUSE, says(403, "Forbidden"), "auth", "relayctl auth status"],
  ["404 with the envelope", PAUSE, says(404, "Relayer with ID r1 not found"), "not_found", "relayctl relayers list"],
  ["404 without the envelope", PAUSE, answers(404, ""), "rejected", "relayctl relayers pause r1 --dry-run"],
  ["400", PAUSE, says(400, "Bad Request"), "rejected", "relayctl relayers pause r1 --dry-run"],
  [
    "400 for a signature",
    "relayers sign r1 --message m",
    says(400, "Signing data not supported for Stellar"),
    "rejected",
    null,
  ],
  [
    "500 for a call of a node",
    "relayers rpc r1 eth_blockNumber --retries 0",
    says(500, "boom"),
    "server",
    "relayctl server ready",
  ],
  [
    "400 for a confirmed write",
    "api PUT /signers/s1 --yes",
    says(400, "Bad Request"),
    "rejected",
    "relayctl api PUT /signers/s1 --dry-run",
  ],
  [
    "429 for a confirmed write",
    "api DELETE /relayers/r1 -qy --confirm r1",
    says(429, "Too Many Requests"),
    "rate_limited",
    "relayctl api DELETE /relayers/r1 -q",
  ],
  ["400 for a state", PAUSE, says(400, "Relayer is disabled"), "conflict", "relayctl relayers status r1"],
  ["403 for a state", PAUSE, says(403, "Relayer paused"), "conflict", "relayctl relayers resume r1"],
  [
    "409",
    "notifications create --url https://h.example",
    says(409, "Notification with this ID already exists"),
    "conflict",
    null,
  ],
  [
    "400 for an unknown network",
    "relayers create --name x --network nonet --network-type evm --signer-id s",
    says(400, "Network 'nonet' not found for network type 'evm'. Please ensure the network configuration exists."),
    "rejected",
    "relayctl networks list",
  ],
  [
    "404 for a plugin",
    "plugins get p1",
    says(404, "Plugin with id p1 not found"),
    "not_found",
    "relayctl plugins list",
  ],
  ["404 for a list", "relayers list --limit 5", says(404, "Not found"), "not_found", "relayctl auth status"],
  ["404 for a metric", "server metrics zz", says(404, "Metric not found"), "not_found", "relayctl server metrics"],
  ["500 for the check itself", "server ready", says(500, "Internal Server Error"), "server", null],
  ["429", PAUSE, says(429, "Too Many Requests"), "rate_limited", "relayctl relayers pause r1"],
  ["500 for a read", "relayers get r1", says(500, "Internal Server Error"), "server", "relayctl server ready"],
  [
    "refused connection",
    PAUSE,
    fails(new TransportFailure("connect", "connection refused", { sent: false })),
    "network",
    "relayctl auth status",
  ],
  ["500 for a write", PAUSE, says(500, "Internal Server Error"), "unknown", "relayctl relayers get r1"],
  [
    "reset during a write",
    PAUSE,
    fails(new TransportFailure("reset", "the connection was reset", { sent: true })),
    "unknown",
    "relayctl relayers get r1",
  ],
  [
    "another ID in the response",
    PAUSE,
    answers(200, '{"success":true,"data":{"id":"r2"}}'),
    "mismatch",
    "relayctl relayers get r1",
  ],
  [
    "another value in the response",
    PAUSE,
    answers(200, '{"success":true,"data":{"id":"r1","paused":false}}'),
    "mismatch",
    "relayctl relayers get r1",
  ],
  [
    "no confirmation",
    "api DELETE /relayers/r1",
    answers(200, ""),
    "declined",
    "relayctl api DELETE /relayers/r1 --yes",
  ],
  ["an invalid flag", "relayers list --page x", answers(200, ""), "usage", "relayctl relayers list --help"],
];

describe("each failure has its code, its exit code, which promises up to 10 that nothing was applied, and the next command", () => {
  test.each(FAILURES)("%s", async (_, line, service, code, hint) => {
    const exitCode = EXITS[code];
    const ran = await ends({ exitCode, stdout: "" }, `${line} -o json`, { service });
    const told = printedError(ran.stderr);
    expect(told).toMatchObject({ code, exit_code: exitCode });
    expect(told.hint?.replace(" -o json", "") ?? null).toBe(hint);
    expect(EXIT_CODES[code]).toBe(exitCode);
    expect(told.applied === "no").toBe(exitCode <= 10);
    const isForNow = exitCode === 6 && /disabled|paused/.test(told.message);
    expect(told.retryable).toBe([8, 9, 10].includes(exitCode) || isForNow);
  });
});

describe("an ID that does not exist", () => {
  const onTerminal = (line: string) => cli(line, { terminal: true });

  test.each([
    ["relayers get eth-main-3", "did you mean eth-main-1?"],
    ["notifications get ops-hok", "did you mean ops-hook?"],
    ["tx list polygon-blk", "did you mean polygon-bulk?"],
  ])("is reported with the closest one on a terminal: %s", async (line, words) => {
    expect((await onTerminal(line)).stderr).toContain(`  ${words}\n`);
  });

  test("is reported after a second look in a script, and without a suggestion if none is close", async () => {
    const ran = await cli("relayers get eth-main-3");
    expect(ran.stderr).toBe("error: Relayer with ID eth-main-3 not found\n  hint: relayctl relayers list\n");
    expect(ran.requests).toHaveLength(2);
    expect((await onTerminal("relayers get something-else")).stderr).not.toContain("did you mean");
  });

  test("is reported as before if the list cannot be read", async () => {
    const service: Transport = async ({ target }) =>
      target.includes("?")
        ? reply(500, "boom")
        : reply(404, { success: false, data: null, error: "Relayer with ID r1 not found" });
    const ran = await exits(5, "relayers get r1", { terminal: true, service });
    expect(ran.stderr).not.toContain("did you mean");
  });
});

describe("an error", () => {
  test("prints what failed, why, and the next command", async () => {
    const service = fails(
      new TransportFailure("reset", "the connection was reset after the request had left", { sent: true }),
    );
    expect((await cli("tx replace r1 t1 --value 1 --yes", { service: lostWrites(service) })).stderr).toBe(
      [
        "note: this service cannot return a single relayer; its policies are unknown",
        "warning: services up to v1.8 refuse --to: Both txs `to` and `data` fields are missing. At least one of them has to be set.",
        "warning: services up to v1.8 refuse --speed: Transaction must specify either gasPrice, speed, or EIP1559 parameters",
        "error: unknown whether the request was applied: the connection was reset after the request had left",
        "  at 2026-11-21T03:12:07Z the service shows value: requested 1, got 5; it may still arrive",
        "  check the outcome before you send the request again",
        "  the hash before: no hash yet",
        "  hint: relayctl tx get r1 t1",
        "",
      ].join("\n"),
    );
  });

  const person = async (line: string, service: Transport) => (await cli(line, { service })).stderr.split("\n");

  test.each([
    ["400 for a state", PAUSE, says(400, "Bad Request")],
    ["400 of a state", PAUSE, says(400, "Relayer is disabled")],
    ["401", PAUSE, says(401, "Unauthorized")],
    ["404", PAUSE, says(404, "Relayer with ID r1 not found")],
    ["429", `${PAUSE} --retries 0`, says(429, "Too Many Requests")],
  ])("reports once as text that a refused write was not applied: %s", async (_, line, service) => {
    expect((await person(line, service)).filter((told) => told === "  nothing was applied")).toHaveLength(1);
  });

  test("doesn't report that a read was not applied", async () =>
    expect(await person("relayers list --retries 0", says(429, "Too Many Requests"))).toEqual([
      "error: Too Many Requests",
      "  hint: relayctl relayers list --retries 0",
      "",
    ]));

  test.each([
    ["a GET", "relayers get r1"],
    ["a POST that only signs", "relayers sign r1 --message hello"],
  ])("does not report this for a request that applies nothing: %s", async (_, line) => {
    expect(await person(line, says(400, "Bad Request"))).not.toContain("  nothing was applied");
  });

  test.each([
    ["Json deserialize error: missing field `url`"],
    ['invalid type: string "5", expected u64'],
    ["unknown variant `quick`, expected one of `fast`, `slow` at line 1 column 17"],
  ])("introduces the words of the service's parser: %s", async (words) => {
    expect((await person(PAUSE, answers(400, words))).slice(0, 2)).toEqual([
      "error: the service cannot read the request",
      `  its words: ${words}`,
    ]);
    expect((await cli(`${PAUSE} -o json`, { service: answers(400, words) })).stderr).toContain(
      JSON.stringify(words).slice(1, -1),
    );
  });

  test("does not blame the request for a response that is not JSON", async () =>
    expect((await person("relayers list", answers(200, '{"data":[{"id":"r1"')))[0]).toBe(
      "error: the response is not the expected JSON: expected } at line 1 column 20",
    ));

  test("says where a rejected token comes from", async () => {
    const service = says(401, "Unauthorized");
    expect(await person("relayers get r1", service)).toContain(
      `  the token is from RELAYCTL_TOKEN; the server is ${SERVER}`,
    );
    const ran = await cli("relayers list --token-file token", { service, files: { token: "abcdefghijkl" } });
    expect(ran.stderr).toContain(`  the token is from --token-file; the server is ${SERVER}\n`);
    expect(ran.stderr).not.toContain("abcdefghijkl");
  });

  test("is one line for a script, with every field in this order", async () => {
    const { stderr } = await cli("relayers get r1 -o ndjson", { service: says(404, "Relayer with ID r1 not found") });
    expect(stderr.split("\n")).toHaveLength(2);
    expect(stderr).toBe(
      '{"error":{"code":"not_found","message":"Relayer with ID r1 not found","exit_code":5,"applied":"no","retryable":false,' +
        '"http":{"status":404,"method":"GET","path":"/api/v1/relayers/r1"},"hint":"relayctl relayers list","details":[]}}\n',
    );
  });

  test.each(["-o json", "-ojson", "--output=json", "--output json", "--json", "-qo json", "-o ndjson"])(
    "is JSON with %s, even if the command line is invalid",
    async (flag) => expect(JSON.parse((await cli(`relayers list ${flag} --nope`)).stderr).error.code).toBe("usage"),
  );

  test("is JSON with RELAYCTL_OUTPUT=json, unless -o table overrides it", async () => {
    const env = { RELAYCTL_OUTPUT: "json" };
    expect(JSON.parse((await cli("relayers list --nope", { env })).stderr).error.code).toBe("usage");
    expect((await cli("relayers list --nope -o table", { env })).stderr).toMatch(/^error: /);
  });

  test("is printed even with --quiet", async () =>
    expect((await cli("relayers get r1 -q", { service: says(404, "Relayer with ID r1 not found") })).stderr).toMatch(
      /^error: /,
    ));

  test("escapes text from the service, as text and as JSON", async () => {
    const service = says(400, "no\u001b[31m red\nline\u202e\u200b");
    expect((await cli(PAUSE, { service })).stderr.split("\n")[0]).toBe(
      "error: no\\u{1b}[31m red line\\u{202e}\\u{200b}",
    );
    const { stderr } = await cli(`${PAUSE} -o json`, { service });
    expect(stderr).toMatch(/^[\x20-\x7e]*\n$/);
    expect(JSON.parse(stderr).error.message).toBe("no\u001b[31m red line\u202e\u200b");
  });

  test("shows the class and position of a bug, and no data", async () => {
    const service: Transport = () => Promise.reject(new RangeError("SECRET-IN-A-BUG"));
    const { app, stderr } = testApp({ service });
    expect(await runArgv(app, ["relayers", "list"])).toBe(1);
    expect(stderr.text()).toMatch(
      /^error: a bug in relayctl: RangeError at [\w.-]+\.ts:\d+\n {2}hint: relayctl relayers list --verbose\n$/,
    );
  });

  test("exits with 130 after a signal if nothing was applied", async () => {
    const interrupt = AbortSignal.abort();
    const failure = new TransportFailure("interrupted", "interrupted", { sent: false });
    expect((await cli("relayers list", { interrupt, service: fails(failure) })).exitCode).toBe(130);
  });
});

function lostWrites(write: Transport): Transport {
  const data = '{"id":"t1","relayer_id":"r1","status":"sent","value":"5"}';
  return async (request, limits) => {
    if (request.method !== "GET") return await write(request, limits);
    const isTransaction = request.target.includes("/transactions/");
    return isTransaction ? reply(200, `{"success":true,"data":${data}}`) : reply(404, "");
  };
}

test.each([
  ["is offline", ["nothing was sent", "nothing was sent"], ["nothing was sent"]],
  ["is offline; nothing was sent", ["why", "nothing was sent"], ["why"]],
  ["2 problems, nothing was sent", ["nothing was sent"], []],
  ["Canceled. Nothing was sent.", ["nothing was sent"], []],
  ["is offline", ["nothing was sent", "nothing was sent; use another key"], ["nothing was sent; use another key"]],
  ["nothing was sent now", ["nothing was sent", "not sent"], ["not sent"]],
  ["2 relayers", ["hot is paused", "base-hot is paused"], ["hot is paused", "base-hot is paused"]],
  ["2 nonces", ["r1: nonce 1", "r1: nonce 12"], ["r1: nonce 1", "r1: nonce 12"]],
])("an error says no sentence twice: %s, %j", (message, because, kept) => {
  const error = new RelayctlError("network", message, { because: because.slice(0, 1) });
  expect(error.with({ because: because.slice(1) }).because).toEqual(kept);
});

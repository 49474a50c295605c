import { createServer } from "node:http";
import { openTransport } from "../../../src/client/transport.ts";
import { EVENT_WORDS } from "../../../src/contract/webhook/catalog.ts";
import { readWebhookEvent } from "../../../src/contract/webhook/event.ts";
import { verifyWebhook, webhookSignature } from "../../../src/contract/webhook/signature.ts";
import type { WireRequest } from "../../../src/contract/wire.ts";
import { cli, exits } from "../../helpers/cli.ts";
import { listenInTest } from "../../helpers/service/listen.ts";
import { argvUnderSh } from "../../helpers/shell.ts";
import { HOOK, hanging, KEY, ORIGIN, receiving, unreachable, verifying } from "./receivers.ts";

const SIGNED = "--signing-key-file signing.key";

function bodyOf(request: WireRequest | undefined): Uint8Array {
  return request?.bytes ?? new Uint8Array();
}

test("sends one event as the service sends it, signed", async () => {
  const { got, world } = receiving(verifying);
  const ran = await cli(`webhooks test --to ${HOOK} ${SIGNED} -o json`, world);
  expect([ran.exitCode, ran.requests, got.length]).toEqual([0, [], 1]);
  const [{ method, target, headers } = {} as WireRequest] = got;
  expect([method, target]).toEqual(["POST", "/hook?tenant=1"]);
  const body = bodyOf(got[0]);
  const signature = webhookSignature(KEY, body);
  expect(headers).toEqual({ "content-type": "application/json", accept: "*/*", "x-signature": signature });
  const event = readWebhookEvent(body);
  expect(new TextDecoder().decode(body)).toBe(JSON.stringify(JSON.parse(new TextDecoder().decode(body))));
  expect(event).toMatchObject({ event: "transaction_update", id: "00000000-0000-4000-8000-000000000001" });
  expect(event?.timestamp).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+\+00:00$/);
  expect(JSON.parse(ran.stdout)).toEqual({
    url: HOOK,
    event: "transaction_update",
    payload_type: "transaction",
    passed: true,
    checks: [{ signature: "valid", id: event?.id, status: 204, ms: 0, passed: true, problem: null }],
  });
  expect(ran.stderr).toBe("note: the ID of each event is new, so the receiver handles it as a new event\n");
});

test.each([
  ["evm", { status_reason: "test delivery of relayctl", relayer_id: "relayctl-test" }],
  ["solana", {}],
  ["stellar", { status_reason: "test delivery of relayctl", relayer_id: "relayctl-test" }],
])("confirms no transaction of kind %s", async (kind, marks) => {
  const { got, world } = receiving(verifying);
  expect((await cli(`webhooks test --to ${HOOK} ${SIGNED} --network-type ${kind}`, world)).exitCode).toBe(0);
  const { id = "", payload = {} } = readWebhookEvent(bodyOf(got[0])) ?? {};
  expect(payload).toMatchObject({ status: "submitted", confirmed_at: null, ...marks });
  expect(payload).not.toMatchObject({ id });
});

test.each(EVENT_WORDS)("sends %s", async (word) => {
  const { got, world } = receiving(verifying);
  expect((await cli(`webhooks test --to ${HOOK} ${SIGNED} --event ${word}`, world)).exitCode).toBe(0);
  const event = readWebhookEvent(bodyOf(got[0]));
  expect([event?.event, event?.payload.payload_type]).toContain(word);
});

test("sends no signature without a key", async () => {
  const { got, world } = receiving(() => 200);
  const { exitCode, stdout } = await cli(`webhooks test --to ${HOOK} --network-type stellar -o json`, world);
  expect([exitCode, got[0]?.headers]).toEqual([0, { "content-type": "application/json", accept: "*/*" }]);
  expect(JSON.parse(stdout).checks).toMatchObject([{ signature: "unsigned", passed: true }]);
  expect(readWebhookEvent(bodyOf(got[0]))?.payload.sequence_number).toBe("4294967301");
});

test("sends the user-info of the URL as the service does, and never prints it", async () => {
  const { got, world } = receiving(verifying);
  const url = HOOK.replace("//", "//ada:correct-horse@");
  const ran = await cli(`webhooks test --to ${url} ${SIGNED} -o json`, world);
  expect(got[0]?.headers.authorization).toBe(`Basic ${btoa("ada:correct-horse")}`);
  expect(ran.stdout + ran.stderr).not.toContain("correct-horse");
  expect(JSON.parse(ran.stdout).url).toBe(HOOK);
});

test.each([
  [
    { status: 401, body: new TextEncoder().encode("invalid signature\nmore") },
    "the receiver responded 401: invalid signature",
  ],
  [{ status: 500 }, "the receiver responded 500"],
  [{ status: 304 }, "the receiver responded 304"],
  [
    { status: 301, headers: { location: "https://hooks.example.org/new" } },
    "the receiver responded 301, a redirect to https://hooks.example.org/new: the service would follow it with a GET, which has no body",
  ],
  [
    { status: 308, headers: { location: "https://a:b@hooks.example.org/new" } },
    "the receiver responded 308, a redirect to https://hooks.example.org/new: the service would follow it with the same request",
  ],
])("ends with 13 for %j", async (reply, words) => {
  const { got, world } = receiving(() => reply);
  const ran = await cli(`webhooks test --to ${HOOK} ${SIGNED} -o json`, world);
  expect([ran.exitCode, got.length]).toEqual([13, 1]);
  expect(JSON.parse(ran.stdout)).toMatchObject({ passed: false, checks: [{ status: reply.status, problem: words }] });
  expect(JSON.parse(ran.stderr.split("\n").at(-2) ?? "").error).toMatchObject({ code: "unmet", message: words });
});

test("ends with 13 if the receiver does not respond, and with 10 if it is not reached", async () => {
  const hung = await exits(13, `webhooks test --to ${HOOK} -o json`, receiving(hanging).world);
  expect(JSON.parse(hung.stdout).checks).toMatchObject([{ status: null, passed: false }]);
  const down = await cli(`webhooks test --to ${HOOK}`, receiving(unreachable).world);
  expect([down.exitCode, down.stdout]).toEqual([10, ""]);
  expect(down.stderr).toBe(
    `error: 10.0.0.7:9000: connection refused\n  hint: relayctl webhooks test --to '${HOOK}' --curl\n`,
  );
});

test("escapes what a receiver responds", async () => {
  const hostile = () => ({ status: 400, body: new TextEncoder().encode("\u001b[2J\u202egnorw\u0007\nmore") });
  const { stderr } = await cli(`webhooks test --to ${HOOK} ${SIGNED}`, receiving(hostile).world);
  expect(stderr).toContain("the receiver responded 400: ");
  expect(stderr).not.toMatch(/[\u001b\u202e\u0007]|more/);
});

test("shows the result of each request on a terminal", async () => {
  const { world } = receiving(verifying);
  const ran = await cli(`webhooks test --to ${HOOK} ${SIGNED} --check-refusal`, {
    ...world,
    terminal: true,
    env: { NO_COLOR: "1" },
  });
  expect(ran.stdout).toMatch(/receiver +http:\/\/10\.0\.0\.7:9000\/hook\?tenant=1\n/);
  expect(ran.stdout).toMatch(/signed +accepted, 204 in 0 ms\nwrong signature +refused, 401 in 0 ms\n/);
  expect(ran.stdout).toMatch(/no signature +refused, 401 in 0 ms\n/);
});

describe("webhooks test --check-refusal", () => {
  const line = `webhooks test --to ${HOOK} ${SIGNED} --check-refusal -o json`;

  test("sends a wrong signature and none, each with another ID, and passes if both are refused", async () => {
    const { got, world } = receiving(verifying);
    const { stdout } = await exits(0, line, world);
    expect(got.map(({ headers }) => headers["x-signature"]?.length)).toEqual([44, 44, undefined]);
    expect(verifyWebhook(bodyOf(got[1]), got[1]?.headers["x-signature"], KEY)).toMatchObject({ reason: "mismatch" });
    expect(new Set(got.map((request) => readWebhookEvent(bodyOf(request))?.id)).size).toBe(3);
    const { passed, checks } = JSON.parse(stdout);
    expect([passed, checks.map(({ signature }: { signature: string }) => signature)]).toEqual([
      true,
      ["valid", "wrong", "missing"],
    ]);
  });

  test.each([
    [
      "anything",
      () => 200,
      "the receiver accepts a wrong signature",
      ["the receiver accepts a delivery without a signature"],
    ],
    [
      "what is not signed",
      (request: WireRequest) => (request.headers["x-signature"] === undefined ? 200 : verifying(request)),
      "the receiver accepts a delivery without a signature",
      [],
    ],
    ["nothing", () => 401, "the receiver responded 401", []],
  ] as const)("ends with 13 if the receiver accepts %s", async (_, respond, message, because) => {
    const { stderr } = await exits(13, line.replace(" -o json", ""), receiving(respond).world);
    for (const words of [message, ...because]) expect(stderr).toContain(words);
  });

  test("a connection that breaks does not count as a refusal of a wrong signature", async () => {
    const { world } = receiving((request, index) => (index === 1 ? hanging() : verifying(request)));
    const { stdout } = await exits(13, line, world);
    expect(JSON.parse(stdout).checks).toMatchObject([{ passed: true }, { status: null, passed: false }, {}]);
  });
});

describe("webhooks test shown", () => {
  test("--dry-run shows the request, and sends nothing", async () => {
    const { got, world } = receiving(verifying);
    const { exitCode, stdout, stderr } = await cli(`webhooks test --to ${HOOK} ${SIGNED} --dry-run`, world);
    expect([exitCode, got]).toEqual([0, []]);
    expect(stderr).toBe(`dry run: nothing was sent to ${ORIGIN}\n`);
    const [head = "", body = ""] = stdout.split("\n\n");
    const signature = webhookSignature(KEY, body.trimEnd());
    expect(head).toBe(`POST /hook?tenant=1\ncontent-type: application/json\naccept: */*\nx-signature: ${signature}`);
  });

  test("--curl prints a command that sends the same bytes with a valid signature", async () => {
    const url = HOOK.replace("//", "//ada:correct-horse@");
    const { stdout } = await cli(`webhooks test --to ${url} ${SIGNED} --curl`, receiving(verifying).world);
    expect(stdout).not.toContain("correct-horse");
    const argv = argvUnderSh("curl", stdout.replace(/\$\{RECEIVER_CREDENTIALS:\?\}/, "eDp5"));
    expect(argv.slice(0, 3)).toEqual(["-X", "POST", HOOK]);
    const signature = argv.find((word) => word.startsWith("x-signature: "))?.slice("x-signature: ".length);
    expect(verifyWebhook(argv.at(-1) ?? "", signature, KEY).verified).toBe(true);
    expect(argv).toContain("authorization: Basic eDp5");
  });
});

test.each([
  ["", "--to: is required"],
  ["--to ftp://10.0.0.7/x", "--to: must begin with https:// or http://"],
  ["--to http://", "--to: is not a valid URL"],
  [`--to ${HOOK} --event transaction_updated`, "(did you mean transaction_update?)"],
  [
    `--to ${HOOK} --event solana_dex --network-type evm`,
    "--network-type evm: only relayers of kind solana send solana_dex",
  ],
  [`--to ${HOOK} --check-refusal`, "--check-refusal: requires --signing-key-file"],
  [`--to ${HOOK} --signing-key-file short.key`, "--signing-key-file: needs 32 bytes or more"],
  [`--to ${HOOK} --demo`, "--demo: not supported"],
  [`--to ${HOOK} --timeout 5`, "needs a unit"],
])("webhooks test %s ends with 2, and sends nothing", async (words, rule) => {
  const { got, world } = receiving(verifying);
  const { exitCode, stdout, stderr } = await cli(`webhooks test ${words}`.trim(), world);
  expect([exitCode, stdout, got]).toEqual([2, "", []]);
  expect(stderr).toContain(rule);
  expect(stderr).not.toContain("problems");
});

test("a real receiver gets the bytes that were signed", async () => {
  const verdicts: boolean[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { verified } = verifyWebhook(Buffer.concat(chunks), request.headers["x-signature"], KEY);
    verdicts.push(verified);
    response.writeHead(verified ? 200 : 401).end();
  });
  const origin = `http://127.0.0.1:${await listenInTest(server)}`;
  const { world } = receiving(verifying);
  const nodes = { [origin]: openTransport({ origin, caCertificates: [] }) };
  const ran = await cli(`webhooks test --to ${origin}/ ${SIGNED} --check-refusal`, { ...world, nodes });
  expect([ran.exitCode, verdicts]).toEqual([0, [true, false, false]]);
});

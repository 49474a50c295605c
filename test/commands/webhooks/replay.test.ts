import { TransportFailure } from "../../../src/client/transport/transport.ts";
import { verifyWebhook, webhookSignature } from "../../../src/contract/webhook/signature.ts";
import type { WireRequest } from "../../../src/contract/wire.ts";
import { webhookRecordLine } from "../../../src/webhooks/record.ts";
import { cli, exited } from "../../helpers/cli.ts";
import { steppedClock } from "../../helpers/stepped-clock.ts";
import { files, HOOK, hanging, KEY, receiving, unreachable, verifying } from "./receivers.ts";

const encoder = new TextEncoder();

function bodyOf(id: string, status: string): Uint8Array {
  const payload = { payload_type: "transaction", id: `tx-${id}`, relayer_id: "eth-main-1", status, nonce: 12 };
  return encoder.encode(
    JSON.stringify({ id, event: "transaction_update", payload, timestamp: "2026-08-20T10:00:00.1+00:00" }),
  );
}

function line(body: Uint8Array, headers: Record<string, string> = { "x-signature": webhookSignature(KEY, body) }) {
  return webhookRecordLine({
    receivedAt: "2026-08-20T10:00:01.000Z",
    method: "POST",
    path: "/",
    headers,
    body,
    accepted: true,
  });
}

const SENT = bodyOf("1", "sent");
const MINED = bodyOf("2", "mined");
const FAILED = bodyOf("3", "failed");
const BINARY = Uint8Array.of(0x7b, 0xff, 0x00, 0x0a, 0x7d);
const RECORD = [SENT, MINED, FAILED].map((body) => line(body)).join("");

/** Runs a replay of a record, and returns what the receiver got too. */
async function replay(words: string, record: string, respond: Parameters<typeof receiving>[0] = verifying, more = {}) {
  const { got, world } = receiving(respond);
  const argv = `webhooks replay r.ndjson --to ${HOOK} ${words}`.trim();
  const ran = await cli(argv, { ...world, files: { ...files, "r.ndjson": record }, ...more });
  return { ...ran, got };
}

const bodies = (got: readonly WireRequest[]) => got.map(({ bytes }) => bytes);
const rows = (stdout: string) =>
  stdout
    .replace(/\n$/, "")
    .split("\n")
    .map((row) => row.split("\t"));

test("says that no delivery matches", async () => {
  const none = await replay("--where status=nope", RECORD);
  expect([none.exitCode, none.stderr]).toEqual([0, expect.stringContaining("none of 3 deliveries matches --where\n")]);
});

test("reports a line that is not UTF-8, and sends the others", async () => {
  const ran = await replay("", `${line(SENT)}{"a":"\ufffd"}\n${line(MINED)}`);
  expect([ran.exitCode, bodies(ran.got)]).toEqual([12, [SENT, MINED]]);
  expect(ran.stderr).toContain("warning: r.ndjson line 2 is not UTF-8; skipped\n");
});

test("sends each delivery in order, byte for byte, with the recorded signature", async () => {
  const unsigned = line(BINARY, { "content-type": "application/octet-stream" });
  const { stdout, got } = await exited(
    0,
    replay("", RECORD + unsigned, () => 200),
  );
  expect(bodies(got)).toEqual([SENT, MINED, FAILED, BINARY]);
  expect(got.map(({ headers }) => headers)).toEqual([
    ...[SENT, MINED, FAILED].map((body) => ({
      "content-type": "application/json",
      accept: "*/*",
      "x-signature": webhookSignature(KEY, body),
    })),
    { "content-type": "application/octet-stream", accept: "*/*" },
  ]);
  expect(rows(stdout)).toEqual([
    [
      "2026-08-20T10:00:01.000Z",
      "transaction_update",
      "1",
      "transaction",
      "tx-1",
      "eth-main-1",
      "sent",
      "200",
      "0",
      "",
    ],
    [
      "2026-08-20T10:00:01.000Z",
      "transaction_update",
      "2",
      "transaction",
      "tx-2",
      "eth-main-1",
      "mined",
      "200",
      "0",
      "",
    ],
    [
      "2026-08-20T10:00:01.000Z",
      "transaction_update",
      "3",
      "transaction",
      "tx-3",
      "eth-main-1",
      "failed",
      "200",
      "0",
      "",
    ],
    ["2026-08-20T10:00:01.000Z", "", "", "", "", "", "", "200", "0", ""],
  ]);
});

test("prints the event with the result as its last member", async () => {
  const { stdout } = await replay("-o ndjson", RECORD);
  const [first = ""] = stdout.split("\n");
  expect(JSON.parse(first)).toEqual({
    ...JSON.parse(new TextDecoder().decode(SENT)),
    delivery: { received_at: "2026-08-20T10:00:01.000Z", accepted: true },
    replay: { status: 204, ms: 0, problem: null },
  });
});

test("waits for each response before it sends the next delivery", async () => {
  let inFlight = 0;
  const most: number[] = [];
  const { world } = receiving(() => 200);
  const slow = async () => {
    most.push(++inFlight);
    await new Promise((resolve) => setImmediate(resolve));
    inFlight--;
    return { status: 200, headers: {}, body: new Uint8Array() };
  };
  const nodes = { [new URL(HOOK).origin]: slow };
  await cli(`webhooks replay r.ndjson --to ${HOOK}`, { ...world, nodes, files: { "r.ndjson": RECORD } });
  expect(most).toEqual([1, 1, 1]);
});

test.each([
  ["--where status=failed", [FAILED]],
  ["--where relayer_id=eth-main-1 --where payload.status=sent,mined", [SENT, MINED]],
  ["--where status=sent,mined --limit 1", [SENT]],
  ["--limit 2", [SENT, MINED]],
  ["--where delivery.accepted", [SENT, MINED, FAILED]],
  ["--where status=expired", []],
])("%s", async (words, sent) => {
  const { got } = await exited(0, replay(words, RECORD));
  expect(bodies(got)).toEqual(sent);
});

test("--resign signs with another key", async () => {
  const record = line(SENT, { "x-signature": webhookSignature("x".repeat(32), SENT) }) + line(BINARY, {});
  await exited(13, replay("", record));
  const { got } = await exited(
    0,
    replay("--resign --signing-key-file other.key", record, () => 200),
  );
  for (const { bytes = BINARY, headers } of got)
    expect(verifyWebhook(bytes, headers["x-signature"], "o".repeat(40)).verified).toBe(true);
});

describe("webhooks replay that does not succeed", () => {
  test("continues after a refusal, and ends with 13", async () => {
    const respond = (request: WireRequest, index: number) =>
      index === 1 ? { status: 500, body: encoder.encode("down") } : verifying(request);
    const { exitCode, stdout, stderr, got } = await replay("", RECORD, respond);
    expect([exitCode, got.length]).toEqual([13, 3]);
    expect(rows(stdout).map((row) => row.slice(-3))).toEqual([
      ["204", "0", ""],
      ["500", "0", "the receiver responded 500: down"],
      ["204", "0", ""],
    ]);
    expect(stderr).toContain("error: 2 of 3 deliveries accepted, 1 refused");
    expect(stderr).toContain("the receiver responded 500: down");
  });

  test("counts a response that does not come as a refusal", async () => {
    const { exitCode, stdout } = await replay("", RECORD, (request, index) =>
      index === 0 ? hanging() : verifying(request),
    );
    expect(exitCode).toBe(13);
    expect(rows(stdout)[0]?.slice(-3)).toEqual(["", "0", expect.stringContaining("no complete response in time")]);
  });

  test("ends with 10 if nothing was sent, and with 12 at the first delivery that is not sent later", async () => {
    const down = await replay("", RECORD, unreachable);
    expect([down.exitCode, down.stdout, down.got]).toEqual([10, "", []]);
    expect(down.stderr).toContain("10.0.0.7:9000: connection refused");
    const later = await replay("", RECORD, (request, index) => (index === 1 ? unreachable() : verifying(request)));
    expect([later.exitCode, later.got.length, rows(later.stdout).length]).toEqual([12, 1, 1]);
    expect(later.stderr).toContain("error: 1 of 3 deliveries accepted, 2 not sent");
  });

  test.each([
    ["a line that is not JSON", "{\n", "r.ndjson line 2 is not a JSON object"],
    ["a line of another file", '{"id":"1"}\n', "r.ndjson line 2 has no received_at"],
    [
      "a header that would end the headers",
      line(MINED, { "x-signature": "a\r\nhost: b" }),
      "r.ndjson line 2 has no valid headers",
    ],
    [
      "a body that is not base64",
      line(MINED).replace(/"body_base64":"./, '"body_base64":"*'),
      "r.ndjson line 2 has no body",
    ],
  ])("reports %s, and sends the rest", async (_, damaged, words) => {
    const { stderr, got } = await exited(12, replay("", line(SENT) + damaged + line(FAILED)));
    expect(bodies(got)).toEqual([SENT, FAILED]);
    expect(stderr).toContain(`warning: ${words}`);
    expect(stderr).toContain("error: 2 of 3 deliveries accepted, 1 not readable");
  });

  test("leaves out a last line that is cut off", async () => {
    const { exitCode, stderr, got } = await replay("", RECORD + line(SENT).slice(0, 60));
    expect([exitCode, got.length]).toEqual([0, 3]);
    expect(stderr).toContain("note: the last line is cut off; skipped");
  });

  test("prints what was done when Ctrl-C ends it", async () => {
    const ctrlC = new AbortController();
    const respond = (request: WireRequest, index: number) => {
      if (index === 0) return verifying(request);
      ctrlC.abort("interrupted");
      return new TransportFailure("interrupted", "interrupted", { sent: true });
    };
    const { exitCode, stdout, stderr, got } = await replay("", RECORD, respond, { interrupt: ctrlC.signal });
    expect([exitCode, got.length, rows(stdout).length]).toEqual([130, 1, 1]);
    expect(stderr).toContain("Interrupted. 1 of 3 deliveries accepted, 1 sent without a response, 1 not sent.");
  });

  test("stops when the time runs out", async () => {
    let elapsed = 0;
    const clock = { ...steppedClock(), elapsed: () => elapsed };
    const respond = (request: WireRequest) => {
      elapsed += 3_000;
      return verifying(request);
    };
    const { exitCode, stderr, got } = await replay("--deadline 5s", RECORD, respond, { clock });
    expect([exitCode, got.length]).toEqual([15, 2]);
    expect(stderr).toContain("the time ran out: 2 of 3 deliveries accepted, 1 not sent");
  });
});

test.each([
  ["", "", "r.ndjson: contains no deliveries"],
  ["", "{\n{\n", "r.ndjson line 1: is not a JSON object"],
  ["--resign", RECORD, "--resign: requires --signing-key-file"],
  ["--signing-key-file signing.key", RECORD, "--signing-key-file: requires --resign"],
  ["--resign --signing-key-file short.key", RECORD, "--signing-key-file: needs 32 bytes or more"],
  ["--where state=failed", RECORD, "unknown field"],
  ["--limit 0", RECORD, "--limit 0: a whole number from 1"],
  ["-o raw", RECORD, "-o: raw is the response to one request"],
  ["--to", RECORD, "--to"],
])("webhooks replay with %j ends with 2 and sends nothing", async (words, record, rule) => {
  const { exitCode, stdout, stderr, got } = await replay(words, record);
  expect([exitCode, stdout, got]).toEqual([2, "", []]);
  expect(stderr).toContain(rule);
});

test("--dry-run and --curl show every delivery, and send nothing", async () => {
  const dry = await replay("--dry-run --limit 2", RECORD);
  expect([dry.exitCode, dry.got, dry.stdout.match(/^POST \/hook/gm)?.length]).toEqual([0, [], 2]);
  const curl = await replay("--curl --where status=failed", RECORD);
  expect(curl.stdout).toContain(`--data-raw '${new TextDecoder().decode(FAILED)}'`);
  const binary = await replay("--curl", line(BINARY));
  expect([binary.exitCode, binary.stdout]).toEqual([2, ""]);
});

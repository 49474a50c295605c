import { type Transport, TransportFailure } from "../../../src/client/transport/transport.ts";
import type { WireRequest } from "../../../src/contract/wire.ts";
import { listening, PORT, signed, update } from "./listening.ts";

const ORIGIN = "http://localhost:3000";
const TARGET = `--forward ${ORIGIN}/hooks?a=1`;

/** A target that responds with these statuses in turn, and all that it received. */
function target(...outcomes: (number | TransportFailure)[]) {
  const requests: WireRequest[] = [];
  const transport: Transport = async (request) => {
    requests.push(request);
    const outcome = outcomes.shift() ?? 200;
    if (typeof outcome !== "number") throw outcome;
    return { status: outcome, headers: {}, body: new Uint8Array() };
  };
  return { requests, nodes: { [ORIGIN]: transport } };
}

test("sends the same bytes and headers on, and responds with the status of the target", async () => {
  const { requests, nodes } = target(202);
  const body = new TextEncoder().encode('{"id" : "é",\n "n":1.0 }');
  const ran = await listening(
    TARGET,
    ({ send }) =>
      send(body, { "x-signature": "s", "x-other": "o", host: "h", connection: "close", "content-length": "9" }),
    { nodes },
  );
  expect(requests).toEqual([
    {
      method: "POST",
      target: "/hooks?a=1",
      headers: { "content-type": "application/json", "x-signature": "s", "x-other": "o" },
      bytes: body,
    },
  ]);
  expect(ran.statuses).toEqual([202]);
  expect(ran.stderr).toMatch(/forwarded é: 202 in 0 ms\n/);
  expect(ran.stderr).toContain("  forwarded  1 accepted, 0 failed\n");
});

const sent = (reason: "connect" | "timeout", message: string) => new TransportFailure(reason, message, { sent: false });

test.each([
  [500, 500, "warning: e1 was refused by its target: 500 (0 ms)"],
  [404, 404, "warning: e1 was refused by its target: 404 (0 ms)"],
  [302, 502, "warning: e1 was refused by its target: 302, a redirect, which is not followed (0 ms)"],
  [sent("connect", "connection refused"), 502, "warning: e1 was not accepted by its target: connection refused (0 ms)"],
  [
    sent("timeout", "no complete response in time (--timeout, --deadline)"),
    504,
    "warning: e1 was not accepted by its target: no response within 10 s (0 ms)",
  ],
])("reports a target that fails, and keeps listening (%s)", async (outcome, status, line) => {
  const { nodes } = target(outcome);
  const ran = await listening(
    `${TARGET} -o name`,
    async ({ send }) => {
      await send(update("e1"));
      await send(update("e2"));
    },
    { nodes },
  );
  expect([ran.exitCode, ran.statuses, ran.stdout]).toEqual([0, [status, 200], "e1\ne2\n"]);
  expect(ran.stderr).toContain(`${line}\n`);
  expect(ran.stderr).toContain("  forwarded  1 accepted, 1 failed\n");
});

test("forwards a repeat only until the target has accepted the event", async () => {
  const { requests, nodes } = target(500, 204);
  const ran = await listening(
    `${TARGET} -o name`,
    async ({ send }) => {
      for (let attempt = 0; attempt < 4; attempt++) await send(update("e1"));
    },
    { nodes },
  );
  expect([ran.statuses, requests.length, ran.stdout]).toEqual([[500, 204, 204, 204], 2, "e1\n"]);
});

test("forwards one of two deliveries of an event that arrive at the same time", async () => {
  const { requests, nodes } = target(201);
  const ran = await listening(TARGET, ({ send }) => Promise.all([send(update("e1")), send(update("e1"))]), { nodes });
  expect([ran.statuses, requests.length]).toEqual([[201, 201], 1]);
});

test("forwards nothing that is refused, and everything that is only filtered out", async () => {
  const { requests, nodes } = target();
  const ran = await listening(
    `${TARGET} --signing-key-file new.key --where status=failed`,
    async ({ send }) => {
      await send(update("e1"));
      await send(update("e2"), signed(update("e2")));
    },
    { nodes },
  );
  expect([ran.statuses, requests.length, ran.stdout]).toEqual([[401, 200], 1, ""]);
});

test("has a bounded number of deliveries in flight", async () => {
  let [inFlight, most, done] = [0, 0, 0];
  const slow: Transport = async () => {
    most = Math.max(most, ++inFlight);
    await new Promise(setImmediate);
    inFlight--;
    done++;
    return { status: 200, headers: {}, body: new Uint8Array() };
  };
  await listening(
    TARGET,
    ({ send }) => Promise.all(Array.from({ length: 100 }, (_, index) => send(update(`e${index}`)))),
    { nodes: { [ORIGIN]: slow } },
  );
  expect([most, done]).toEqual([16, 100]);
});

test.each(["localhost", "127.0.0.1", "127.1.2.3", "[::1]", "0.0.0.0", "[::ffff:127.0.0.1]", "LOCALHOST"])(
  "rejects forwarding to itself as %s, also if the port is known only later",
  async (host) => {
    const forward = `--forward http://${host}:${PORT}/hooks`;
    for (const port of [`--port ${PORT}`, ""]) {
      const ran = await listening(`${port} ${forward}`, async () => {});
      expect(ran.exitCode).toBe(2);
      expect(ran.stderr).toContain("is the address that this command listens on; specify another port");
    }
  },
);

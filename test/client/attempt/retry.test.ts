import { createClient } from "../../../src/client/client.ts";
import type { ApiRequest } from "../../../src/client/request.ts";
import type { TransportFailure } from "../../../src/client/transport/transport.ts";
import type { OperationKind } from "../../../src/contract/operation.ts";
import { operations } from "../../../src/contract/operations.ts";
import { anything } from "../../../src/contract/reply/shape.ts";
import type { WireReply } from "../../../src/contract/wire.ts";
import { RelayctlError } from "../../../src/errors.ts";
import { refusal, reply, success } from "../../helpers/service/reply.ts";
import { lost, notSent } from "../../helpers/service/scripted-service.ts";
import { errorOf, testClientContext } from "../../helpers/test-link.ts";

/** One request of each kind (promises 7.1). */
const ASKS: Record<OperationKind, ApiRequest> = {
  read: { operation: operations["relayers.get"], parameters: { relayer_id: "r1" } },
  patch: { operation: operations["relayers.update"], parameters: { relayer_id: "r1" }, body: { paused: true } },
  remove: {
    operation: { id: "api", kind: "remove", method: "DELETE", path: "/relayers/r1", data: anything, bare: true },
  },
  create: { operation: operations["notifications.create"], body: { url: "https://h.example", id: "n1" } },
  once: {
    operation: operations["tx.replace"],
    parameters: { relayer_id: "r1", transaction_id: "t1" },
    body: { value: 1 },
  },
};

/** What the service sends for the request itself, and then for each check. */
async function outcomeOf(
  kind: OperationKind,
  answer: WireReply | TransportFailure,
  seen: WireReply = refusal(404, ""),
) {
  let sent = 0;
  const { method } = ASKS[kind].operation;
  const clientContext = testClientContext(async (request) => {
    if (request.method !== method) return seen;
    sent++;
    if (answer instanceof Error) throw answer;
    return answer;
  });
  const error = await errorOf(createClient(clientContext).request(ASKS[kind])).catch(() => undefined);
  return { sent, exit: error instanceof RelayctlError ? error.exitCode : 0, error };
}

const kinds: readonly OperationKind[] = ["read", "patch", "remove", "create", "once"];
type Cells = Record<OperationKind, [sent: number, exit: number]>;
const all = (sent: number, exit: number): Cells =>
  Object.fromEntries(kinds.map((kind) => [kind, [sent, exit]])) as unknown as Cells;
const never = (read: [number, number]): Cells => ({ ...all(1, 11), read });
const other = success({ id: "other" });

/** promises 7.1: how often the request is sent with two retries, and how it ends if the response stays the same. */
const TABLE: readonly [fault: string, answer: WireReply | TransportFailure, cells: Cells][] = [
  ["not sent: refused", notSent("connect"), all(3, 10)],
  ["not sent: unknown host", notSent("dns"), all(3, 10)],
  ["not sent: timeout", notSent("timeout"), all(3, 10)],
  ["not sent: invalid certificate, never retried", notSent("certificate"), all(1, 10)],
  ["429", refusal(429, "Too Many Requests"), all(3, 8)],
  ["sent, then reset", lost("reset"), never([3, 10])],
  ["sent, then timeout", lost("timeout"), never([3, 10])],
  ["sent, then garbage", lost("protocol"), never([3, 9])],
  ["408", reply(408), never([3, 10])],
  ["500", refusal(500, "Internal Server Error"), never([3, 9])],
  ["501 without the envelope", reply(501), never([3, 9])],
  ["502 in HTML", reply(502, "<html>bad gateway</html>"), never([3, 9])],
  ["503", reply(503), never([3, 9])],
  ["504", reply(504, "Request handler timeout"), never([3, 9])],
  ["an error status, cut off", lost("reset", 400), never([3, 9])],
  ["2xx, cut off", lost("reset", 200), never([2, 9])],
  ["2xx, timeout", lost("timeout", 200), never([2, 10])],
  ["2xx, too large", lost("too_large", 200), never([2, 9])],
  ["2xx, empty", reply(200), never([2, 9])],
  ["2xx, HTML", reply(200, "<html>"), never([2, 9])],
  ["2xx without data", success("null"), { ...never([2, 9]), remove: [1, 0] }],
  ["2xx, another resource", other, { ...all(1, 14), read: [1, 9], remove: [1, 0] }],
  ["400", refusal(400, "Bad Request"), all(1, 7)],
  ["401", refusal(401, "Unauthorized"), all(1, 4)],
  ["403", refusal(403, "Relayer paused"), all(1, 6)],
  ["404", refusal(404, "Not found: r1"), { ...all(1, 5), read: [2, 5] }],
  ["405", reply(405), { ...all(1, 7), read: [3, 7] }],
  ["409", refusal(409, "Notification with this ID already exists"), all(1, 6)],
  ["413", reply(413, "too big"), all(1, 7)],
  ["422", reply(422), all(1, 7)],
  ["501 with the envelope", refusal(501, "Nonce lookup only supported for EVM networks"), all(1, 7)],
  ["301", reply(301, "", { location: "https://elsewhere.example" }), all(1, 7)],
  ["303", reply(303), never([1, 7])],
  ["success:false, no message", reply(200, { success: false, data: null }), never([1, 7])],
  ["success:false, unknown message", refusal(200, "Not implemented"), never([1, 7])],
  ["success:false, Internal Server Error", refusal(200, "Internal Server Error"), never([1, 9])],
  ["success:false, Bad Request", refusal(200, "Bad Request"), all(1, 7)],
  ["success:false, Unauthorized", refusal(201, "Unauthorized"), all(1, 4)],
  ["success:false, a state that rules the request out", refusal(201, "Relayer is disabled"), all(1, 6)],
];

/** Exit codes 2 to 10 mean that nothing was applied, and 11 that the outcome is unknown. */
describe.each(TABLE)("%s", (_, answer, cells) => {
  test.each(kinds)("%s", async (kind) => {
    const { sent, exit, error } = await outcomeOf(kind, answer);
    expect([sent, exit]).toEqual(cells[kind]);
    if (exit > 0 && exit <= 10) expect(error).toMatchObject({ applied: "no" });
    if (exit === 11) expect(error).toMatchObject({ applied: "unknown", retryable: false });
  });
});

test.each<[WireReply | TransportFailure, boolean]>([
  [notSent(), true],
  [refusal(429, ""), true],
  [refusal(500, ""), true],
  [refusal(403, "Relayer disabled"), true],
  [refusal(400, "Relayer is paused"), true],
  [refusal(400, "Unable to calculate sufficient price bump for speed-based replacement"), true],
  [refusal(400, "Invalid transaction state for replace_transaction. Current: Confirmed"), false],
  [refusal(409, "Notification with this ID already exists"), false],
  [refusal(400, "Bad Request"), false],
  [refusal(401, "Unauthorized"), false],
])("the error shows whether a retry can succeed: %#", async (answer, retryable) => {
  expect((await outcomeOf("read", answer)).error).toMatchObject({ retryable });
});

test.each([
  ["read", 2, lost("reset")],
  ["patch", 2, notSent()],
  ["once", 2, notSent()],
  ["once", 2, refusal(429, "Too Many Requests")],
] as const)("a retry that succeeds: %s after %i failures", async (kind, failures, failure) => {
  let sent = 0;
  const answer = success({ id: kind === "once" ? "t1" : "r1", paused: true, value: "1" });
  const clientContext = testClientContext(async () => {
    if (sent++ >= failures) return answer;
    if (failure instanceof Error) throw failure;
    return failure;
  });
  await createClient(clientContext).request(ASKS[kind]);
  expect([sent, clientContext.waits.length]).toEqual([3, 2]);
});

describe("the number of attempts", () => {
  test.each([0, 1, 5])("is one plus %i retries", async (retries) => {
    let sent = 0;
    const clientContext = testClientContext(
      async () => {
        sent++;
        throw lost();
      },
      { retries },
    );
    await errorOf(createClient(clientContext).request(ASKS.read));
    expect(sent).toBe(retries + 1);
  });

  test("is at most three for a request that must not be repeated, even with more retries", async () => {
    let sent = 0;
    const clientContext = testClientContext(
      async () => {
        sent++;
        throw notSent();
      },
      { retries: 9 },
    );
    await errorOf(createClient(clientContext).request(ASKS.once));
    expect(sent).toBe(3);
  });

  test.each([
    [14_999, 2],
    [15_000, 1],
  ])("is limited by the 15 seconds since the first one: after %i ms, %i", async (duration, expected) => {
    let sent = 0;
    let elapsed = 0;
    const clientContext = testClientContext(async () => {
      sent++;
      elapsed += duration;
      throw notSent();
    });
    const clock = { ...clientContext.clock, elapsed: () => elapsed };
    await errorOf(createClient({ ...clientContext, clock }).request(ASKS.once));
    expect(sent).toBe(expected);
  });

  test("is 101 in bulk if each attempt is rejected with 429", async () => {
    let sent = 0;
    const refusing = async () => {
      sent++;
      return refusal(429, "Too Many Requests");
    };
    await errorOf(createClient(testClientContext(refusing, { inBulk: true })).request(ASKS.patch));
    expect(sent).toBe(101);
  });
});

import { createHmac } from "node:crypto";
import { isReserved } from "../../../src/contract/webhook/reserved.ts";
// Loaded before time passes.
import "../../../src/contract/webhook/signature.ts";
import type { DeliveryLine } from "../../../src/contract/serving.ts";
import { memoryStore } from "../../../src/embedded-server/state/store.ts";
import {
  createDeliveries,
  type Deliver,
  type OutgoingDelivery,
} from "../../../src/embedded-server/webhooks/deliveries.ts";
import { seedState } from "../../helpers/seed-state.ts";
import { steppedClock } from "../../helpers/stepped-clock.ts";

const KEY = "n".repeat(40);
const TRANSACTION = { id: "t1", relayer_id: "base-hot", status: "sent", value: 2n ** 64n };
const MOMENT = Date.parse("2026-08-20T10:00:01.600Z");

/** The story, whose ops-hook is one on this machine, and everything that was sent to it. */
function world(answers: readonly (number | Error)[]) {
  const state = seedState("demo");
  const hook = { id: "ops-hook", type: "webhook", url: "http://127.0.0.1:9/hook", signing_key: KEY };
  state.notifications.put(hook);
  const clock = steppedClock();
  const interrupt = new AbortController();
  const sent: (OutgoingDelivery & { at: number })[] = [];
  const lines: DeliveryLine[] = [];
  const left = [...answers];
  const deliver: Deliver = async (delivery) => {
    sent.push({ ...delivery, at: clock.elapsed() });
    const answer = left.shift() ?? 500;
    if (answer instanceof Error) throw answer;
    return answer;
  };
  let ids = 0;
  const deliveries = createDeliveries({
    store: memoryStore(state),
    clock,
    random: { uuid: () => `event-${++ids}`, fraction: () => 0 },
    deliver,
    interrupt: interrupt.signal,
    shown: { transaction: (transaction) => transaction, relayer: (relayer) => relayer },
    delivered: async (line) => void lines.push(line),
  });
  const tell = async (transaction = {}, milliseconds = 3_600_000) => {
    deliveries.deliver([{ transaction: { ...TRANSACTION, ...transaction }, timestamp: MOMENT }]);
    await clock.pass(milliseconds);
  };
  return { state, hook, clock, interrupt, sent, lines, deliveries, tell };
}

test("reports a transaction's status once, signed over the raw body", async () => {
  const { sent, lines, tell } = world([204]);
  await tell();
  expect(sent).toHaveLength(1);
  const [{ url, headers, body } = { url: "", headers: {}, body: "" }] = sent;
  expect(url).toBe("http://127.0.0.1:9/hook");
  expect(body).toBe(
    '{"id":"event-1","event":"transaction_update","payload":{"payload_type":"transaction","id":"t1",' +
      '"relayer_id":"base-hot","status":"sent","value":18446744073709551616},' +
      '"timestamp":"2026-08-20T10:00:01.600000000+00:00"}',
  );
  expect(headers).toEqual({
    "content-type": "application/json",
    accept: "*/*",
    "x-signature": createHmac("sha256", KEY).update(body).digest("base64"),
  });
  expect(lines).toEqual([{ notification: "ops-hook", event: "transaction_update", attempt: 1, status: 204 }]);
});

test("tries five times with the same body, doubling the delay up to 8 s", async () => {
  const { sent, lines, tell } = world([500, new Error("refused"), 302, 404, 503, 200]);
  await tell();
  expect(sent.map(({ at }) => at)).toEqual([0, 2000, 6000, 14_000, 22_000]);
  expect(new Set(sent.map(({ body }) => body)).size).toBe(1);
  expect(lines.map(({ attempt, status }) => [attempt, status])).toEqual([
    [1, 500],
    [2, undefined],
    [3, 302],
    [4, 404],
    [5, 503],
  ]);
});

test("a retry uses the current signing key, or no signature if the key was removed", async () => {
  const { state, hook, clock, sent, tell } = world([500, 500, 200]);
  await tell({}, 0);
  state.notifications.put({ ...hook, signing_key: "m".repeat(40) });
  await clock.pass(2000);
  state.notifications.put({ ...hook, signing_key: "" });
  await clock.pass(4000);
  const signatures = sent.map(({ headers }) => headers["x-signature"]);
  expect(new Set(signatures).size).toBe(3);
  expect(signatures[2]).toBeUndefined();
});

test("a retry goes to the same notification if the relayer gets another one, and to its current URL", async () => {
  const { state, hook, clock, sent, lines, tell } = world([500, 500]);
  await tell({}, 0);
  state.notifications.put({ ...hook, url: "http://127.0.0.1:9/moved" });
  state.notifications.put({ ...hook, id: "other-hook", url: "http://127.0.0.1:9/other" });
  state.relayers.put({ ...state.relayers.get("base-hot"), id: "base-hot", notification_id: "other-hook" });
  await clock.pass(2000);
  state.relayers.remove("base-hot");
  await clock.pass(4000);
  expect(sent.map(({ url }) => url)).toEqual(["hook", "moved", "moved"].map((path) => `http://127.0.0.1:9/${path}`));
  expect(new Set(lines.map(({ notification }) => notification))).toEqual(new Set(["ops-hook"]));
});

test("stops when the notification is deleted", async () => {
  const { state, clock, sent, tell } = world([]);
  await tell({}, 0);
  state.notifications.remove("ops-hook");
  await clock.pass(60_000);
  expect(sent).toHaveLength(1);
});

test("stops when the server ends", async () => {
  const { interrupt, sent, deliveries, tell } = world([]);
  await tell({}, 0);
  interrupt.abort();
  await deliveries.settled();
  expect(sent).toHaveLength(1);
});

test.each([
  ["a relayer without a notification", { relayer_id: "eth-sepolia" }],
  ["a notification with a reserved host", { relayer_id: "xlm-treasury" }],
  ["an unknown relayer", { relayer_id: "nope" }],
])("sends nothing for %s", async (_, transaction) => {
  const { sent, tell } = world([]);
  await tell(transaction);
  expect(sent).toEqual([]);
});

test("reports that a relayer was enabled again, with the number of checks", async () => {
  const { sent, deliveries, clock } = world([204]);
  const enabled = { id: "base-hot", system_disabled: false };
  deliveries.deliver([{ enabled, retries: 3, timestamp: MOMENT }]);
  await clock.pass(1);
  expect(sent.map(({ body }) => JSON.parse(body))).toMatchObject([
    {
      event: "relayer_state_update",
      payload: { payload_type: "relayer_enabled", relayer: enabled, retry_count: 3 },
    },
  ]);
});

test("reports a transaction signed by Solana's JSON-RPC", async () => {
  const { sent, deliveries, clock } = world([204]);
  deliveries.deliver([{ signed: { transaction: "AQAB", signature: "5VER" }, relayerId: "sol-pay", timestamp: MOMENT }]);
  await clock.pass(1);
  expect(sent.map(({ body }) => JSON.parse(body))).toMatchObject([
    { event: "sign_transaction", payload: { payload_type: "solana_rpc", transaction: "AQAB", signature: "5VER" } },
  ]);
});

test("reports that a relayer was disabled, with the reason and a signature", async () => {
  const { sent, deliveries, clock } = world([204]);
  const [balance, sequence] = [{ details: "Insufficient balance" }, { details: "Sequence synchronization failed" }];
  const disabled = { id: "base-hot", disabled_reason: { type: "Multiple", details: [balance, sequence] } };
  deliveries.deliver([{ disabled, timestamp: MOMENT }]);
  await clock.pass(1);
  const [{ headers, body } = { headers: {}, body: "{}" }] = sent;
  expect(JSON.parse(body)).toEqual({
    id: "event-1",
    event: "relayer_state_update",
    payload: {
      payload_type: "relayer_disabled",
      relayer: disabled,
      disable_reason: "Insufficient balance, Sequence synchronization failed",
    },
    timestamp: "2026-08-20T10:00:01.600000000+00:00",
  });
  expect(headers).toMatchObject({ "x-signature": createHmac("sha256", KEY).update(body).digest("base64") });
});

test.each([
  ["https://hooks.example.org/x", true],
  ["https://example.com", true],
  ["http://relayer.test:8080", true],
  ["http://a.invalid", true],
  ["https://anexample.org", false],
  ["https://example.org.evil.io", false],
  ["http://127.0.0.1:8998/b", false],
  ["http://localhost:8998", false],
  ["not a url", false],
])("%s is reserved: %s", (url, expected) => expect(isReserved(url)).toBe(expected));

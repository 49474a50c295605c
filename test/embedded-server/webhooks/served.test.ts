import { createHmac } from "node:crypto";
import { postWebhook } from "../../../src/client/post-webhook.ts";
import type { DeliveryLine } from "../../../src/contract/serving.ts";
import { serveEmbeddedServer } from "../../../src/embedded-server/serve.ts";
import { rawServer } from "../../helpers/service/raw-server.ts";
import { steppedClock } from "../../helpers/stepped-clock.ts";
import { UUID } from "../ask.ts";
import { rawRequest } from "../raw-request.ts";

/** The clock of a webhook that is never late. */
const untilDone = {
  sleep: (_: number, done?: AbortSignal) =>
    new Promise<void>((resolve) => done?.addEventListener("abort", () => resolve())),
};

const KEY = "n".repeat(40);
const TOKEN = "the-token";
const AWAY = "https://node.invalid/key";
const NODE = "https://node.example.org/key";

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await Promise.all(ends.splice(0).map((end) => end()));
});

/** A server with the real service's responses, a receiver on loopback, and a way to wait for deliveries. */
async function world() {
  const receiver = await rawServer((socket) => socket.write("HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n"));
  const clock = steppedClock();
  const interrupt = new AbortController();
  const lines: DeliveryLine[] = [];
  const waiting: (() => void)[] = [];
  let done: Promise<void> = Promise.resolve();
  const port = await new Promise<number>((resolve, reject) => {
    const options = { port: 0, token: TOKEN, seed: "demo", latency: 0, failures: [], dialect: "openzeppelin" } as const;
    const delivered = async (line: DeliveryLine) => {
      lines.push(line);
      for (const look of waiting) look();
    };
    const callbacks = { listening: async (found: number) => resolve(found), served: async () => {}, delivered };
    const random = { uuid: () => UUID, fraction: () => 0 };
    done = serveEmbeddedServer(
      { ...options, ...callbacks },
      { clock, random, interrupt: interrupt.signal, deliver: (...post) => postWebhook(...post, { clock: untilDone }) },
    );
    done.catch(reject);
  });
  ends.push(receiver.close, async () => {
    interrupt.abort();
    await done;
  });
  const ask = (method: string, path: string, body: object) => {
    const headers = { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" };
    return rawRequest(port, { method, path: `/api/v1${path}`, headers, body: JSON.stringify(body) });
  };
  const told = (count: number) =>
    new Promise<void>((resolve) => {
      const look = () => lines.length >= count && resolve();
      waiting.push(look);
      look();
    });
  await ask("POST", "/notifications", { id: "hook", url: `${receiver.origin}/hook`, signing_key: KEY });
  return { clock, receiver, lines, ask, told };
}

/** What the receiver got: the event of each delivery, once its signature over the raw body is found good. */
function events(received: readonly string[]): [string, Record<string, unknown>][] {
  return received.map((text) => {
    const [head = "", body = ""] = text.split("\r\n\r\n");
    const signature = /^x-signature: (.*)$/im.exec(head)?.[1];
    expect(signature).toBe(createHmac("sha256", KEY).update(Buffer.from(body, "latin1")).digest("base64"));
    const { event, payload } = JSON.parse(body);
    return [event, payload];
  });
}

test("reports a relayer without a node as disabled, and as enabled when its network has a node", async () => {
  const { clock, receiver, ask, told } = await world();
  await ask("PATCH", "/networks/evm:sepolia", { rpc_urls: [AWAY] });
  const relayer = { id: "new", name: "New", network: "sepolia", network_type: "evm", paused: false };
  const made = await ask("POST", "/relayers", { ...relayer, signer_id: "signer-new", notification_id: "hook" });
  expect(made.status).toBe(201);
  await told(1);
  expect((await ask("PATCH", "/relayers/new", { paused: true })).text).toContain("Relayer is disabled");
  await ask("PATCH", "/networks/evm:sepolia", { rpc_urls: [NODE] });
  await clock.pass(10_000);
  await told(2);
  const [disabled, enabled] = events(receiver.received);
  expect(disabled).toMatchObject([
    "relayer_state_update",
    {
      payload_type: "relayer_disabled",
      disable_reason: "Nonce synchronization failed, RPC endpoint validation failed, Insufficient balance",
    },
  ]);
  expect(enabled).toMatchObject([
    "relayer_state_update",
    { payload_type: "relayer_enabled", relayer: { id: "new", system_disabled: false }, retry_count: 0 },
  ]);
});

test("reports each status that a transaction reaches", async () => {
  const { clock, receiver, ask, told } = await world();
  await ask("PATCH", "/relayers/base-hot", { notification_id: "hook" });
  const sent = { to: "0x90f79bf6eb2c4f870365e785982e1f101e93b906", value: "1", speed: "fastest" };
  expect((await ask("POST", "/relayers/base-hot/transactions", sent)).status).toBe(200);
  await clock.pass(60_000);
  await told(3);
  const states = events(receiver.received).map(([event, { status }]) => [event, status]);
  expect(states.map(([event]) => event)).toEqual(Array(3).fill("transaction_update"));
  expect(new Set(states.map(([, status]) => status))).toEqual(new Set(["sent", "submitted", "confirmed"]));
});

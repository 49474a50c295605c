import { createServer, type IncomingMessage } from "node:http";
import { setImmediate } from "node:timers/promises";
import { createClient } from "../../src/client/client.ts";
import { postWebhook } from "../../src/client/post-webhook.ts";
import { apiRequest } from "../../src/client/request.ts";
import { TransportFailure } from "../../src/client/transport/transport.ts";
import { deliverWebhook } from "../../src/client/webhook.ts";
import { parseJson } from "../../src/contract/json.ts";
import { interfaceFixture } from "../helpers/service/interface-fixtures.ts";
import { listenInTest } from "../helpers/service/listen.ts";
import { rawServer } from "../helpers/service/raw-server.ts";
import { refusal, success } from "../helpers/service/reply.ts";
import { scriptedService } from "../helpers/service/scripted-service.ts";
import { steppedClock } from "../helpers/stepped-clock.ts";
import { errorOf, testClientContext } from "../helpers/test-link.ts";

describe("a request", () => {
  test("sends every digit of a body, with its content type", async () => {
    const service = scriptedService({ reply: success({ id: "transaction-1" }) });
    const body = parseJson(interfaceFixture("requests", "tx.replace.evm")) as never;
    await createClient(testClientContext(service.transport)).tx.replace("relayer-1", "transaction-1", body);
    const [request] = service.requests;
    expect(request).toMatchObject({
      method: "PUT",
      target: "/api/v1/relayers/relayer-1/transactions/transaction-1",
      headers: {
        authorization: "Bearer test-token",
        "content-type": "application/json",
        accept: "application/json",
        "accept-encoding": "identity",
      },
    });
    expect(request?.body).toContain('{"value":340282366920938463463374607431768211455,"to":');
    expect(request?.body).toContain('"gas_limit":9223372036854775807,');
  });

  test("sends a read without a body and without a content type", async () => {
    const service = scriptedService({ reply: success({ id: "r 1" }) });
    await createClient(testClientContext(service.transport)).relayers.get("r 1");
    const [request] = service.requests;
    expect([request?.target, request?.body, request?.headers["content-type"]]).toEqual([
      "/api/v1/relayers/r%201",
      undefined,
      undefined,
    ]);
  });
});

const U64 = 2n ** 64n - 1n;
const BIG = 2n ** 64n;
const BAD = { reply: refusal(400, "invalid type: floating point") };

async function bodiesOf(send: "update" | "replace" | "send", body: object, answer: string) {
  const service = scriptedService(BAD, { reply: success(answer) });
  const client = createClient(testClientContext(service.transport));
  const sending = {
    update: () => client.relayers.update("r1", body),
    replace: () => client.tx.replace("r1", "t1", body as never),
    send: () => client.tx.send("r1", body as never),
  };
  await sending[send]().catch(() => {});
  return service.requests.map((request) => request.body);
}

describe("after a 400 the body is sent once more in the number format of the real service", () => {
  test.each(["gas_price_cap", "min_balance"])("%s as a decimal string", async (name) => {
    const body = { name: "x", policies: { [name]: BIG, eip1559_pricing: true } };
    expect(await bodiesOf("update", body, '{"id":"r1"}')).toEqual([
      `{"name":"x","policies":{"${name}":18446744073709551616,"eip1559_pricing":true}}`,
      `{"name":"x","policies":{"${name}":"18446744073709551616","eip1559_pricing":true}}`,
    ]);
  });

  test("value as a decimal string, but not the price", async () => {
    const body = { value: BIG, gas_price: BIG };
    expect(await bodiesOf("replace", body, '{"id":"t1"}')).toEqual([
      '{"value":18446744073709551616,"gas_price":18446744073709551616}',
      '{"value":"18446744073709551616","gas_price":18446744073709551616}',
    ]);
  });

  test("the value of a new transaction as a decimal string", async () =>
    expect(await bodiesOf("send", { value: BIG, speed: "fast" }, '{"id":"t1"}')).toEqual([
      '{"value":18446744073709551616,"speed":"fast"}',
      '{"value":"18446744073709551616","speed":"fast"}',
    ]));

  test.each(["hash", "return"])("a memo of type %s as hex", async (type) => {
    const value = [0, 1, 255, ...Array<number>(29).fill(16)];
    const [, second] = await bodiesOf("replace", { network: "testnet", memo: { type, value } }, '{"id":"t1"}');
    expect(second).toBe(`{"network":"testnet","memo":{"type":"${type}","value":"0001ff${"10".repeat(29)}"}}`);
  });
});

test("a request whose bytes were agreed to is not sent in another spelling", async () => {
  const service = scriptedService(BAD);
  const client = createClient(testClientContext(service.transport));
  const request = apiRequest("tx.send", { relayer_id: "r1" }, { value: BIG, speed: "fast" });
  expect(await errorOf(client.request({ ...request, isExact: true }))).toMatchObject({ exitCode: 7 });
  expect(service.requests).toHaveLength(1);
});

test.each<["update" | "replace", object]>([
  ["update", { policies: { gas_price_cap: U64 } }],
  ["update", { policies: null }],
  ["update", { policies: { max_fee: BIG } }],
  ["update", { paused: true }],
  ["replace", { value: U64 }],
  ["replace", { value: 1, gas_price: BIG }],
  ["replace", { network: "testnet", max_fee: 5, memo: { type: "id", value: BIG } }],
  ["replace", { network: "testnet", memo: { type: "text", value: "x" } }],
  ["replace", { network: "testnet", memo: null }],
])("nothing is sent twice if both formats are the same: %s %o", async (send, body) => {
  expect(await bodiesOf(send, body, "{}")).toHaveLength(1);
});

test("returns the second response as the outcome, and reports the first one", async () => {
  const service = scriptedService(BAD, { reply: refusal(400, "Relayer is disabled") });
  const clientContext = testClientContext(service.transport);
  const error = await errorOf(createClient(clientContext).tx.replace("r1", "t1", { value: BIG }));
  expect(error).toMatchObject({ failure: "conflict", message: "Relayer is disabled" });
  expect(clientContext.events).toContainEqual({ type: "respelled", words: "invalid type: floating point" });
});

test("compares the response with the requested integer", async () => {
  const service = scriptedService(BAD, { reply: success({ id: "t1", value: "0x10000000000000000" }) });
  await expect(
    createClient(testClientContext(service.transport)).tx.replace("r1", "t1", { value: BIG }),
  ).resolves.toMatchObject({
    unconfirmed: [],
  });
});

test.each([401, 403, 404, 409, 422])("does not send the body again after a %i", async (status) => {
  const service = scriptedService({ reply: refusal(status, "no") });
  await errorOf(createClient(testClientContext(service.transport)).tx.replace("r1", "t1", { value: BIG }));
  expect(service.requests).toHaveLength(1);
});

describe("a delivery to a webhook", () => {
  async function receiver(status: number) {
    const got: { request: IncomingMessage; body: string }[] = [];
    const raw: Buffer[] = [];
    const server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      raw.push(Buffer.concat(chunks));
      got.push({ request, body: Buffer.concat(chunks).toString() });
      response.writeHead(status, { location: "/elsewhere" }).end("thanks");
    });
    return { got, raw, url: `http://127.0.0.1:${await listenInTest(server)}/hook?key=1` };
  }

  const headers = { "content-type": "application/json", "x-signature": "abc=" };
  const body = '{"name":"☂"}';
  const never = new AbortController().signal;
  const clock = steppedClock();

  test("posts the body unchanged, and returns the status", async () => {
    const { got, url } = await receiver(204);
    expect(await postWebhook({ url, headers, body }, never, { clock })).toBe(204);
    expect(got).toMatchObject([{ request: { method: "POST", url: "/hook?key=1", headers }, body }]);
    expect(got[0]?.request.headers).not.toHaveProperty("authorization");
  });

  test("posts bytes that are not text unchanged", async () => {
    const bytes = Uint8Array.of(0xff, 0x00, 0xfe, 0x0a);
    const { raw, url } = await receiver(200);
    expect(await postWebhook({ url, headers, body: bytes }, never, { clock })).toBe(200);
    expect(raw).toEqual([Buffer.from(bytes)]);
  });

  test("does not follow a redirect", async () => {
    const { got, url } = await receiver(307);
    expect(await postWebhook({ url, headers, body }, never, { clock })).toBe(307);
    expect(got).toHaveLength(1);
  });

  test.each([
    ["is larger than the limit", `content-length: 2000000\r\n\r\n${"a".repeat(2_000_000)}`],
    ["breaks off", "content-length: 100\r\n\r\nabc"],
    ["is compressed", "content-encoding: gzip\r\ncontent-length: 3\r\n\r\nabc"],
  ])("returns the status of a response whose body %s, as the service ignores it", async (_, rest) => {
    const server = await rawServer((socket) => void socket.end(`HTTP/1.1 200 OK\r\n${rest}`));
    onTestFinished(() => void server.close());
    expect(await postWebhook({ url: server.origin, headers, body }, never, { clock })).toBe(200);
  });

  test("returns the status of a response whose body never ends, unless the signal ended it", async () => {
    const failing = (reason: "timeout" | "interrupted") => () =>
      Promise.reject(new TransportFailure(reason, "too late", { sent: true, status: 202 }));
    const bounds = { clock, interrupt: never, timeout: 1 };
    const delivery = { url: "http://127.0.0.1:9/", headers, body };
    expect(await deliverWebhook(delivery, failing("timeout"), bounds)).toMatchObject({ status: 202 });
    await expect(deliverWebhook(delivery, failing("interrupted"), bounds)).rejects.toThrow("too late");
  });

  test("fails if nothing listens, and if the signal is aborted", async () => {
    await expect(postWebhook({ url: "http://127.0.0.1:1/", headers, body }, never, { clock })).rejects.toThrow();
    const { url, got } = await receiver(200);
    await expect(postWebhook({ url, headers, body }, AbortSignal.abort("interrupted"), { clock })).rejects.toThrow();
    expect(got).toEqual([]);
  });

  test("fails for a URL that is not HTTP", () =>
    expect(postWebhook({ url: "ftp://127.0.0.1/x", headers, body }, never, { clock })).rejects.toThrow());

  test("gives up after ten seconds", async () => {
    const server = createServer(() => {});
    const url = `http://127.0.0.1:${await listenInTest(server)}/`;
    let isOver = false;
    const post = postWebhook({ url, headers, body }, never, { clock }).catch((error: Error) => {
      isOver = true;
      return error;
    });
    await clock.pass(9_999);
    expect(isOver).toBe(false);
    await clock.pass(1);
    while (!isOver) await setImmediate();
    expect(await post).toMatchObject({ name: "TransportFailure" });
  });
});

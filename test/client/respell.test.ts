import { createClient } from "../../src/client/client.ts";
import { apiRequest } from "../../src/client/request.ts";
import { refusal, success } from "../helpers/service/reply.ts";
import { scriptedService } from "../helpers/service/scripted-service.ts";
import { errorOf, testClientContext } from "../helpers/test-link.ts";

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

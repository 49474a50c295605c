import { createClient } from "../../src/client/client.ts";
import { parseJson } from "../../src/contract/json.ts";
import { interfaceFixture } from "../helpers/service/interface-fixtures.ts";
import { success } from "../helpers/service/reply.ts";
import { scriptedService } from "../helpers/service/scripted-service.ts";
import { testClientContext } from "../helpers/test-link.ts";

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

import { askService } from "./ask-service.ts";

const PATH = "/relayers/evm-1/transactions";
const TO = "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc";
const _SELF = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8";
const AVERAGE = { to: TO, value: "1000000000000", gas_limit: 21000, speed: "average" };

/** A service with one transaction that was just sent. */
async function world(body: object = AVERAGE) {
  const { ask, clock } = askService();
  const { id } = (await ask("POST", PATH, body)).data;
  const at = async (time: number, path = `${PATH}/${id}`) => {
    clock.time = time;
    return (await ask("GET", path)).data;
  };
  return { ask, clock, id, path: `${PATH}/${id}`, at };
}

test("a new transaction has every field, in the service's order", async () => {
  const { status, text } = await askService().ask("POST", PATH, AVERAGE);
  expect(status).toBe(200);
  expect(text).toBe(
    '{"success":true,"data":{"id":"3f0c2f57-7d0e-4c2e-9d43-0a1b2c3d4e01","hash":null,"status":"pending",' +
      '"status_reason":null,"created_at":"2026-11-21T03:12:07.000000000+00:00","sent_at":null,"confirmed_at":null,' +
      '"gas_price":null,"gas_limit":21000,"nonce":null,"value":"0xe8d4a51000","from":"0x70997970c51812dc3a010c7d01b50e0d17dc79c8",' +
      '"to":"0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc","relayer_id":"evm-1","data":null,"max_fee_per_gas":null,' +
      '"max_priority_fee_per_gas":null,"signature":null,"speed":"average","is_canceled":false},"error":null}',
  );
});

test.each([
  ["5", "0x5"],
  ['"0x10"', "0x10"],
  ['"340282366920938463463374607431768211456"', `0x1${"0".repeat(32)}`],
  ["0", "0x0"],
])("accepts the value %s", async (value, shown) => {
  const { data } = await askService().ask("POST", PATH, `{"to":"${TO}","value":${value},"speed":"fast"}`);
  expect(data.value).toBe(shown);
});

// Recorded, section transactions.
const FLOAT = "invalid type: floating point `1.8446744073709552e+19`, expected a 32 byte hex string";
test.each([
  [`{"to":"${TO}","speed":"fast"}`, "missing field `value`"],
  [`{"to":"${TO}","value":18446744073709551616,"speed":"fast"}`, FLOAT],
  [`{"to":"${TO}","value":-1,"speed":"fast"}`, "invalid type: integer `-1`, expected a 32 byte hex string"],
  [`{"to":"${TO}","value":"0","gas_price":"1"}`, 'invalid type: string "1", expected u128'],
  [
    `{"to":"${TO}","value":"0","speed":"quick"}`,
    "unknown variant `quick`, expected one of `fastest`, `fast`, `average`, `safeLow`",
  ],
  ["[]", "invalid length 0, expected struct EvmTransactionRequest with 9 elements"],
  [
    `{"to":"${TO}","value":"0","speed":"fast","gas_price":1}`,
    "Cannot mix different transaction types. Use either gasPrice, speed, or EIP1559 parameters",
  ],
  [
    `{"to":"${TO}","value":"0","max_fee_per_gas":1,"max_priority_fee_per_gas":2}`,
    "maxFeePerGas must be greater than or equal to maxPriorityFeePerGas",
  ],
  [`{"to":"${TO}","value":"0","speed":"fast","valid_until":"tomorrow"}`, "Invalid validUntil datetime format"],
])("refuses %s", async (body, error) => {
  const { status, headers, text } = await askService().ask("POST", PATH, body);
  expect([status, headers["content-type"], JSON.parse(text)]).toEqual([
    400,
    "application/json",
    { success: false, data: null, error },
  ]);
});

test("ignores unknown fields", async () => {
  const { status, data } = await askService().ask("POST", PATH, { ...AVERAGE, gasLimit: 1, nonsense: true });
  expect([status, data.gas_limit, data.nonsense]).toEqual([200, 21000, undefined]);
});

test("refuses to replace a pending transaction", async () => {
  const { ask, path } = await world();
  const { status, text } = await ask("PUT", path, AVERAGE);
  expect([status, JSON.parse(text).error]).toEqual([
    400,
    "Unable to calculate sufficient price bump for speed-based replacement",
  ]);
});

test("a replacement after an accepted cancellation is a transfer again, and is confirmed as a transfer", async () => {
  const { ask, path, at } = await world();
  await at(5000);
  await ask("DELETE", path);
  const { data } = await ask("PUT", path, { to: TO, value: "9", speed: "fastest" });
  const transfer = { to: TO, value: "0x9", is_canceled: false, status_reason: null };
  expect(data).toMatchObject(transfer);
  expect(await at(120_000)).toMatchObject({ ...transfer, status: "confirmed" });
});

test("a transaction of another relayer is returned and canceled", async () => {
  const { ask, id } = await world();
  expect((await ask("GET", `/relayers/base-hot/transactions/${id}`)).data.relayer_id).toBe("evm-1");
  expect((await ask("DELETE", `/relayers/base-hot/transactions/${id}`)).status).toBe(200);
});

test.each([
  ["PUT", "/relayers/zz/transactions/t1", 404, "Relayer with ID zz not found"],
  ["PUT", "/relayers/eth-main-2/transactions/t1", 403, "Relayer paused"],
] as const)("%s %s is refused with %i %s", async (method, path, status, error) => {
  const reply = await askService().ask(method, path, AVERAGE);
  expect([reply.status, JSON.parse(reply.text).error]).toEqual([status, error]);
});

test("Stellar responds to a replacement with the unchanged transaction", async () => {
  const { ask } = askService();
  const path = "/relayers/xlm-treasury/transactions/4e8b2f97-6a5d-4c3b-9e1f-a0b1c2d3e4f5";
  const before = await ask("GET", path);
  const account = "GAAZI4TCR3TY5OJHCTJC2A4QSY6CJWJH5IAJTGKIN2ER7LBNVKOCCWN7";
  const payment = { type: "payment", destination: account, amount: "1", asset: { type: "native" } };
  const replaced = await ask("PUT", path, { network: "mainnet", operations: [payment] });
  expect([replaced.status, replaced.data]).toEqual([200, before.data]);
  expect(Object.keys(before.data)).toEqual([
    ...["id", "hash", "status", "status_reason", "created_at", "sent_at", "confirmed_at", "source_account", "fee"],
    ...["sequence_number", "relayer_id"],
  ]);
  expect(before.data.sequence_number).toBe("4294967297");
});

test("Solana leaves out unset fields and the relayer", async () => {
  const path = "/relayers/sol-pay/transactions/9d0c1b2a-3e4f-4a5b-8c6d-7e8f90a1b2c3";
  const { data } = await askService().ask("GET", path);
  expect(Object.keys(data)).toEqual(["id", "signature", "status", "created_at", "sent_at", "transaction"]);
});

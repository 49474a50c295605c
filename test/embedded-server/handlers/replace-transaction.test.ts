import { askDemo } from "../ask.ts";

const MAIN = "/relayers/eth-main-1/transactions/6f1a2c1e-0d0b-4a5f-9f5e-1b1c2d3e4f50";
const CONFIRMED = "/relayers/eth-main-1/transactions/0c5d9a44-7b1e-4f6a-8c02-5e9d3b7f1a60";
const OF_PAUSED = "/relayers/eth-main-2/transactions/b83e6f10-2d4c-4e9b-a7f5-90c1d2e3f471";
const LEGACY = "/relayers/polygon-bulk/transactions/d2a7c6b5-1f3e-4d8c-b9a0-4e5f60718293";
const STELLAR = "/relayers/xlm-treasury/transactions/4e8b2f97-6a5d-4c3b-9e1f-a0b1c2d3e4f5";
const SOLANA = "/relayers/sol-pay/transactions/9d0c1b2a-3e4f-4a5b-8c6d-7e8f90a1b2c3";
const TO = "0x90f79bf6eb2c4f870365e785982e1f101e93b906";
const BASE64 = "AAAAAgAAAAA=";

test("a replacement keeps the ID, nonce, status, and sender, and changes the hash and the requested fields", async () => {
  const ask = askDemo();
  const before = (await ask("GET", MAIN)).data;
  const { status, data } = await ask("PUT", MAIN, {
    to: TO,
    value: 5,
    gas_limit: 30000,
    data: "0xdeadbeef",
    speed: "fastest",
  });
  expect(status).toBe(200);
  expect(data).toEqual({
    ...before,
    hash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    signature: expect.anything(),
    to: TO,
    value: "5",
    gas_limit: 30000,
    data: "0xdeadbeef",
    speed: "fastest",
    max_fee_per_gas: "29726786547",
    max_priority_fee_per_gas: "1100000000",
  });
  expect(data.hash).not.toBe(before.hash);
  expect((await ask("GET", MAIN)).data).toEqual(data);
});

test("a replacement clears the fields that it leaves out", async () => {
  const { data } = await askDemo()("PUT", MAIN, { value: 0 });
  expect(data).toMatchObject({ to: null, data: null, gas_limit: null, value: "0", speed: "average" });
});

test("each replacement has a new hash, the same in every run", async () => {
  const [first, second] = [askDemo(), askDemo()];
  const hashes = [];
  for (const ask of [first, first, second]) hashes.push((await ask("PUT", MAIN, { value: 1 })).data.hash);
  expect(hashes[1]).not.toBe(hashes[0]);
  expect(hashes[2]).toBe(hashes[0]);
});

test("keeps every digit of a u128 value", async () => {
  const ask = askDemo();
  const most = "340282366920938463463374607431768211455";
  const replaced = await ask("PUT", MAIN, `{"value":${most},"gas_limit":9223372036854775807,"gas_price":${most}}`);
  const fields = `"value":"${most}","data":null,"nonce":7,"gas_limit":9223372036854775807,"gas_price":"${most}"`;
  expect(replaced.text).toContain(fields);
  expect((await ask("GET", MAIN)).text).toContain(fields);
});

// The prices of the transaction are 12.5 gwei and a tip of 1 gwei.
test.each([
  ["nothing", {}, null, "13750000000", "1100000000", "average"],
  ["a speed, whose price is higher", { speed: "safeLow" }, null, "29036786547", "1100000000", "safeLow"],
  ["a price", { gas_price: 90000000000 }, "90000000000", null, null, null],
  ["fee and tip", { max_fee_per_gas: 9, max_priority_fee_per_gas: 8 }, null, "9", "8", null],
  ["a fee", { max_fee_per_gas: 20000000000 }, null, "20000000000", "1100000000", null],
  ["a fee below the tip", { max_fee_per_gas: 5 }, null, "5", "5", null],
  ["a tip", { max_priority_fee_per_gas: 2000000000 }, null, "13750000000", "2000000000", null],
  ["a tip above the fee", { max_priority_fee_per_gas: 20000000000 }, null, "20000000000", "20000000000", null],
])("with %s in the request, the replacement has the right prices", async (_, asked, price, fee, tip, speed) => {
  const { data } = await askDemo()("PUT", MAIN, { to: TO, value: 1, ...asked });
  expect(data).toMatchObject({
    gas_price: price,
    max_fee_per_gas: fee,
    max_priority_fee_per_gas: tip,
    speed,
  });
});

test("raises the price of a legacy transaction, and keeps its type", async () => {
  const { data } = await askDemo()("PUT", LEGACY, { to: TO, value: 1 });
  expect(data).toMatchObject({ gas_price: "33000000000", max_fee_per_gas: null, status: "sent", nonce: 1204 });
});

test("raises prices by at least a tenth each time", async () => {
  const ask = askDemo();
  await ask("PUT", MAIN, { value: 1, max_fee_per_gas: 11, max_priority_fee_per_gas: 0 });
  const fees = [];
  for (let times = 0; times < 3; times++) {
    const { data } = await ask("PUT", MAIN, { value: 1 });
    fees.push([data.max_fee_per_gas, data.max_priority_fee_per_gas]);
  }
  expect(fees).toEqual([
    ["13", "1"],
    ["15", "2"],
    ["17", "3"],
  ]);
});

test.each(["{}", '{"network":"testnet"}', '{"transaction":"AQAB"}'])(
  "refuses the replacement %s and changes nothing",
  async (body) => {
    const ask = askDemo();
    const before = (await ask("GET", MAIN)).text;
    const reply = await ask("PUT", MAIN, body);
    expect(reply.status).toBe(400);
    expect(reply.text).toBe('{"success":false,"data":null,"message":"Bad Request"}');
    expect((await ask("GET", MAIN)).text).toBe(before);
  },
);

test("refuses to replace a final transaction, and shows its status", async () => {
  const { status, text } = await askDemo()("PUT", CONFIRMED, { value: 1 });
  expect(status).toBe(400);
  expect(text).toBe(
    '{"success":false,"data":null,"message":"Invalid transaction state for replace_transaction. Current: Confirmed, Expected one of: [Pending, Sent, Submitted]"}',
  );
});

test("a transaction of another relayer is not found", async () => {
  const { status, json } = await askDemo()("PUT", OF_PAUSED.replace("eth-main-2", "eth-main-1"), { value: 1 });
  expect([status, json?.message]).toEqual([404, "Not found"]);
});

test("a paused relayer replaces no transaction until it is resumed", async () => {
  const ask = askDemo();
  const refused = await ask("PUT", OF_PAUSED, { value: 1 });
  expect([refused.status, refused.json?.message]).toEqual([403, "Relayer paused"]);
  await ask("PATCH", "/relayers/eth-main-2", { paused: false });
  expect((await ask("PUT", OF_PAUSED, { value: 1 })).status).toBe(200);
});

test("a disabled relayer replaces no transaction; if it is also paused, the error says paused", async () => {
  const ask = askDemo();
  const path = "/relayers/eth-sepolia/transactions/t1";
  expect((await ask("PUT", path, { value: 1 })).json?.message).toBe("Relayer disabled");
  await ask("PATCH", "/relayers/eth-sepolia", { paused: true });
  expect((await ask("PUT", path, { value: 1 })).json?.message).toBe("Relayer paused");
});

test("replaces a Stellar transaction with another hash, account, and limited fee", async () => {
  const ask = askDemo();
  const before = (await ask("GET", STELLAR)).data;
  const account = "GDWR5TYCK2WHXWAKDU4QMQP4QEJBRIZKTHQK7RAKKNBGCFUMPCIY5GIM";
  const { status, data } = await ask("PUT", STELLAR, {
    network: "mainnet",
    source_account: account,
    operations: [{ type: "payment" }],
    memo: { type: "text", value: "rent" },
  });
  expect(status).toBe(200);
  expect(data).toEqual({
    ...before,
    hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    source_account: account,
    fee: 110,
  });
  expect(data.hash).not.toBe(before.hash);
  expect((await ask("PUT", STELLAR, { network: "mainnet", max_fee: 105 })).data.fee).toBe(105);
});

test("rejects an EVM body on Stellar", async () =>
  expect((await askDemo()("PUT", STELLAR, { value: 1 })).status).toBe(400));

test("replaces a Solana transaction", async () => {
  const ask = askDemo();
  const before = (await ask("GET", SOLANA)).data;
  const { status, data } = await ask("PUT", SOLANA, { transaction: BASE64 });
  expect(status).toBe(200);
  expect(data).toEqual({ ...before, transaction: BASE64, hash: expect.stringMatching(/^[1-9a-g]{88}$/) });
  expect(data.hash).not.toBe(before.hash);
});

test("rejects an EVM body on Solana", async () =>
  expect((await askDemo()("PUT", SOLANA, { value: 1 })).status).toBe(400));

import { serializedTransaction } from "../../contract/solana-transaction.ts";
import { recordedData } from "../../helpers/service/recorded.ts";
import { askDemo, START, stoppedClock, UUID } from "../ask.ts";

const BASE = "/relayers/base-hot/transactions";
const TO = "0x90f79bf6eb2c4f870365e785982e1f101e93b906";
const ACCOUNT = "GAAZI4TCR3TY5OJHCTJC2A4QSY6CJWJH5IAJTGKIN2ER7LBNVKOCCWN7";

test("accepts a transaction as pending, without nonce, hash, and prices", async () => {
  const { status, data } = await askDemo()("POST", BASE, { to: TO, value: 5, speed: "fast" });
  expect(status).toBe(200);
  expect(data).toEqual({
    ...recordedData("send speed"),
    ...{ id: UUID, relayer_id: "base-hot", created_at: "2026-11-21T03:12:07.000000000+00:00" },
    from: "0x8ba1f109551bd432803012645ac136ddd64dba72",
    ...{ to: TO, value: "5", gas_limit: null, speed: "fast" },
  });
});

test("accepts a Stellar and a Solana transaction with the fields of their network types", async () => {
  const ask = askDemo();
  const payment = { type: "payment", destination: ACCOUNT, amount: 1, asset: { type: "native" } };
  const stellar = await ask("POST", "/relayers/xlm-treasury/transactions", {
    network: "mainnet",
    operations: [payment],
  });
  expect(stellar.data).toMatchObject({ status: "pending", source_account: ACCOUNT, fee: 0, sequence_number: 0 });
  const solana = await ask("POST", "/relayers/sol-pay/transactions", {
    transaction: serializedTransaction({ payer: "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM" }),
  });
  expect(solana.data).toMatchObject({
    status: "pending",
    hash: null,
    transaction: serializedTransaction({ payer: "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM" }),
  });
});

// The rules themselves are in test/contract; base-hot caps gas prices at 5 gwei.
test.each([
  [{ value: 1, speed: "fast" }, "Both txs `to` and `data` fields are missing. At least one of them has to be set."],
  [
    { to: TO, value: 1, speed: "fast", valid_until: "2020-01-01T00:00:00Z" },
    "The validUntil time cannot be in the past",
  ],
  [{ to: TO, value: 1, gas_price: 5_000_000_001 }, "Gas price is too high"],
])("refuses %j", async (body, message) => {
  const ask = askDemo();
  const before = (await ask("GET", BASE)).items;
  const reply = await ask("POST", BASE, body);
  expect([reply.status, reply.json?.message]).toEqual([400, message]);
  expect((await ask("GET", BASE)).items).toEqual(before);
});

test("a relayer with a whitelist sends to listed receivers, to itself, and to the zero address", async () => {
  const ask = askDemo();
  await ask("PATCH", "/relayers/base-hot", {
    policies: { whitelist_receivers: [TO.toUpperCase().replace("0X", "0x")] },
  });
  const sentTo = async (to: string) => (await ask("POST", BASE, { to, value: 1, speed: "fast" })).status;
  expect(await sentTo(TO)).toBe(200);
  expect(await sentTo("0x8ba1f109551bd432803012645ac136ddd64dba72")).toBe(200);
  expect(await sentTo(`0x${"0".repeat(40)}`)).toBe(200);
  expect(await sentTo("0x70997970c51812dc3a010c7d01b50e0d17dc79c8")).toBe(400);
});

test.each(["{}", '{"value":1,"to":"0x12","speed":"fast"}', '{"value":1,"data":"0x","speed":"quick"}', "[]"])(
  "refuses the body %s as malformed",
  async (body) => {
    const reply = await askDemo()("POST", BASE, body);
    expect([reply.status, reply.json?.message]).toEqual([400, "Bad Request"]);
  },
);

test.each([
  ["/relayers/nope/transactions", 404, "Relayer with ID nope not found"],
  ["/relayers/eth-main-2/transactions", 403, "Relayer paused"],
  ["/relayers/eth-sepolia/transactions", 403, "Relayer disabled"],
])("POST %s is refused with %i", async (path, status, message) => {
  const reply = await askDemo()("POST", path, { to: TO, value: 1, speed: "fast" });
  expect([reply.status, reply.json?.message]).toEqual([status, message]);
});

test("new transactions are in the list, newest first", async () => {
  const clock = stoppedClock();
  const ids = ["a", "b"];
  const ask = askDemo({ clock, random: { uuid: () => ids.shift() ?? "", fraction: () => 0 } });
  for (const value of [1, 2]) {
    clock.time += 10;
    await ask("POST", BASE, { to: TO, value, speed: "fast" });
  }
  const { items } = await ask("GET", `${BASE}?per_page=2`);
  expect(items.map(({ id, created_at }) => [id, Date.parse(String(created_at))])).toEqual([
    ["b", START + 20],
    ["a", START + 10],
  ]);
});

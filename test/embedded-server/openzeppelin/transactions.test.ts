import { askService } from "./ask-service.ts";

const PATH = "/relayers/evm-1/transactions";
const TO = "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc";
const AVERAGE = { to: TO, value: "1000000000000", gas_limit: 21000, speed: "average" };

/** A service with one transaction that was just sent. */
async function world() {
  const { ask, clock } = askService();
  const { id } = (await ask("POST", PATH, AVERAGE)).data;
  const path = `${PATH}/${id}`;
  const at = async (time: number) => {
    clock.time = time;
    return (await ask("GET", path)).data;
  };
  return { ask, id, path, at };
}

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

test("a paused relayer replaces no transaction", async () => {
  const { status, text } = await askService().ask("PUT", "/relayers/eth-main-2/transactions/t1", AVERAGE);
  expect([status, JSON.parse(text).error]).toEqual([403, "Relayer paused"]);
});

test("a value may be above 2^128", async () => {
  const value = "340282366920938463463374607431768211456";
  expect((await askService().ask("POST", PATH, { ...AVERAGE, value })).data.value).toBe(`0x1${"0".repeat(32)}`);
});

test("Stellar responds to a replacement with the unchanged transaction", async () => {
  const { ask } = askService();
  const path = "/relayers/xlm-treasury/transactions/4e8b2f97-6a5d-4c3b-9e1f-a0b1c2d3e4f5";
  const before = await ask("GET", path);
  const account = "GAAZI4TCR3TY5OJHCTJC2A4QSY6CJWJH5IAJTGKIN2ER7LBNVKOCCWN7";
  const payment = { type: "payment", destination: account, amount: "1", asset: { type: "native" } };
  const replaced = await ask("PUT", path, { network: "mainnet", operations: [payment] });
  expect([replaced.status, replaced.data]).toEqual([200, before.data]);
  expect(before.data.sequence_number).toBe("4294967297");
});

test("Solana leaves out unset fields and the relayer", async () => {
  const path = "/relayers/sol-pay/transactions/9d0c1b2a-3e4f-4a5b-8c6d-7e8f90a1b2c3";
  const { data } = await askService().ask("GET", path);
  expect(Object.keys(data)).toEqual(["id", "signature", "status", "created_at", "sent_at", "transaction"]);
});

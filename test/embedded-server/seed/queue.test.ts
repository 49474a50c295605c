import { listSeedQueue } from "../../../src/embedded-server/seed.ts";
import { askDemo, stoppedClock } from "../ask.ts";

const PATH = "/relayers/eth-main-1/transactions";
const HEAD = "6f1a2c1e-0d0b-4a5f-9f5e-1b1c2d3e4f50";
const QUEUE = listSeedQueue(0).map(({ id }) => id);
const TO = "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc";
const SAME = { to: TO, value: 200_000_000_000_000_000, gas_limit: 21_000, speed: "fastest" };

function demo() {
  const clock = stoppedClock();
  const ask = askDemo({ clock });
  const at = (seconds: number) => {
    clock.time = seconds * 1000;
  };
  const statuses = async () => {
    const records = await Promise.all([HEAD, ...QUEUE].map((id) => ask("GET", `${PATH}/${id}`)));
    return records.map(({ data }) => data.status);
  };
  const node = async (method: string, ...params: unknown[]) =>
    JSON.parse((await ask("POST", "/relayers/eth-main-1/rpc", { method, params })).text).result;
  return { ask, at, statuses, node };
}

const all = (status: string) => Array(4).fill(status);

test("three transactions wait for one that pays less than the base fee, for as long as nothing is done", async () => {
  const { ask, at, statuses, node } = demo();
  at(30 * 86_400);
  expect(await statuses()).toEqual(all("submitted"));
  const { items } = await ask("GET", PATH);
  const waiting = items.filter(({ id }) => [HEAD, ...QUEUE].includes(String(id)));
  expect(waiting.map(({ nonce }) => nonce).toSorted()).toEqual([10, 7, 8, 9]);
  const [baseFee] = (await node("eth_feeHistory", "0x1", "latest", [])).baseFeePerGas.map(BigInt);
  const pays = (id: string) => BigInt(String(items.find((each) => each.id === id)?.max_fee_per_gas)) >= baseFee;
  expect([HEAD, ...QUEUE].map(pays)).toEqual([false, true, true, true]);
});

test("a bump of the first transaction clears the queue within some 20 seconds", async () => {
  const { ask, at, statuses, node } = demo();
  expect((await ask("PUT", `${PATH}/${HEAD}`, SAME)).data.status).toBe("submitted");
  at(24);
  const { address } = (await ask("GET", "/relayers/eth-main-1")).data;
  expect(await node("eth_getTransactionCount", address, "latest")).toBe("0xb");
  expect(await statuses()).toEqual(all("mined"));
  at(60);
  expect(await statuses()).toEqual(all("confirmed"));
});

test("a bump of a later transaction clears nothing: the relayer's cap is 1.15 times what it pays", async () => {
  const { ask, at, statuses, node } = demo();
  const [, capped = ""] = QUEUE;
  const { data } = await ask("PUT", `${PATH}/${capped}`, { ...SAME, value: 100_000_000_000_000_000 });
  at(3600);
  expect(await node("eth_getTransactionByHash", data.hash)).toBe(null);
  expect(await statuses()).toEqual(all("submitted"));
});

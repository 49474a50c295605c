import { START } from "../ask.ts";
import { localService, TO } from "../openzeppelin/local-service.ts";

const TAGGED = { network: { tags: ["optimism"] } };
const CHANGING = { pricesChangeSince: START };

test("15.2: on a tagged network, a replacement works once the market has risen by a tenth in both members", async () => {
  const { send, record, replace, minedAt } = localService({ ...TAGGED, ...CHANGING });
  const id = await send({ speed: "safeLow" });
  const original = await record(id, 5);
  await record(id, 60);
  const returned = await replace(id, { speed: "safeLow" });
  expect([original.max_fee_per_gas, returned.max_fee_per_gas]).toEqual(["10300000000", "11330000000"]);
  expect(await record(id, 600)).toMatchObject({ status: "confirmed", value: "0x2" });
  expect(await minedAt(0)).toMatchObject({ value: "0x2" });
});

test("15.3: on a tagged network, a cancellation works once the market has risen by a tenth in both members", async () => {
  const { send, record, cancel, minedAt } = localService({ ...TAGGED, ...CHANGING });
  const id = await send({ speed: "safeLow" });
  await record(id, 60);
  await cancel(id);
  expect(await record(id, 600)).toMatchObject({ status: "canceled", value: "0x0", is_canceled: true });
  expect(await minedAt(0)).toMatchObject({ value: "0x0" });
});

test("a transaction below the risen base fee is mined once the base fee has fallen", async () => {
  const { ask, send, record, minedAt } = localService(CHANGING);
  const prices = { max_fee_per_gas: 1_050_000_000, max_priority_fee_per_gas: 1_000_000, speed: undefined };
  const id = await send(prices);
  expect((await record(id, 19 * 60)).status).toBe("submitted");
  expect((await record(id, 20 * 60 + 15)).status).toBe("confirmed");
  const mined = await minedAt(0);
  const block = { method: "eth_getBlockByNumber", params: [mined?.blockNumber, false] };
  const { result } = JSON.parse((await ask("POST", "/relayers/local-1/rpc", block)).text);
  expect([Number(result.baseFeePerGas), Number(result.timestamp) * 1000]).toEqual([1e9, START + 20 * 60_000]);
});

test("the fee history and the gas price follow the market", async () => {
  const { at, node } = localService(CHANGING);
  at(61);
  const history = await node<{ baseFeePerGas: string[]; reward: string[][] }>("eth_feeHistory", "0x4", "latest", [85]);
  expect(history.baseFeePerGas.map(Number)).toEqual([1e9, 1e9, 1.1e9, 1.1e9, 1.1e9]);
  expect(history.reward.map(([tip]) => Number(tip))).toEqual([0.85e9, 0.85e9, 0.935e9, 0.935e9]);
  expect(await node("eth_gasPrice")).toBe(`0x${22_000_000_000n.toString(16)}`);
});

test("a balance falls by the value and the fee of each mined transaction, and rises by what it receives", async () => {
  const { ask, at, send, record, node, state } = localService();
  const local = { ...state.relayers.get("local-1"), id: "local-2", signer_id: "s2", address: TO };
  state.relayers.put(local);
  const balance = async (relayer: string) =>
    BigInt(JSON.parse((await ask("GET", `/relayers/${relayer}/status`)).text).data.balance);
  const opening = await balance("local-1");
  const id = await send({ value: "1000", gas_limit: 50_000 });
  await record(id, 5);
  expect(await balance("local-1")).toBe(opening);
  const { hash } = await record(id, 60);
  const receipt = await node<Record<string, string>>("eth_getTransactionReceipt", hash);
  const [gas, price] = [BigInt(receipt.gasUsed ?? ""), BigInt(receipt.effectiveGasPrice ?? "")];
  expect([gas, price]).toEqual([21_000n, 1_850_000_000n]);
  expect(await balance("local-1")).toBe(opening - 1000n - gas * price);
  expect(await balance("local-2")).toBe(opening + 1000n);
  const before = `0x${(BigInt(receipt.blockNumber ?? "") - 1n).toString(16)}`;
  expect(BigInt(await node("eth_getBalance", TO, before))).toBe(opening);
  at(61);
  expect(BigInt(await node("eth_getBalance", TO, "latest"))).toBe(opening + 1000n);
});

test("a balance does not follow the minimum of its relayer", async () => {
  const { ask } = localService();
  const balance = async () => (await ask("GET", "/relayers/eth-main-1/balance")).data.balance;
  const opening = await balance();
  await ask("PATCH", "/relayers/eth-main-1", { policies: { min_balance: 1 } });
  expect([opening, await balance()]).toEqual([15e17, 15e17]);
});

test("a reverted call costs its fee, but not its value", async () => {
  const { ask, send, record } = localService();
  const balance = async () => BigInt(JSON.parse((await ask("GET", "/relayers/local-1/status")).text).data.balance);
  const opening = await balance();
  const id = await send({ to: "0x52908400098527886e0f7030069857d2e416c0de", data: "0x12345678", value: "5" });
  expect((await record(id, 60)).status).toBe("failed");
  expect(await balance()).toBe(opening - 200_000n * 1_850_000_000n);
});

test("a node refuses a transaction that its sender cannot pay for in addition to those that wait", async () => {
  const { send, record } = localService();
  const most = 3n * 10n ** 18n;
  const ids = [await send({ value: String(most / 2n) }), await send({ value: String(most / 2n) })];
  const records = await Promise.all(ids.map((id) => record(id, 5)));
  expect(records.map(({ status }) => status).toSorted()).toEqual(["sent", "submitted"]);
});

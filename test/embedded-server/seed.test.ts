import { addressProblem } from "../../src/contract/address.ts";
import { isJsonObject } from "../../src/contract/json.ts";
import { isNetworkKind } from "../../src/contract/network-kind.ts";
import { policySchemas } from "../../src/contract/requests.ts";
import { listSeedQueue } from "../../src/embedded-server/seed.ts";
import { stateToText } from "../../src/embedded-server/state/state-text.ts";
import { memoryStore } from "../../src/embedded-server/state/store.ts";
import { seedState } from "../helpers/seed-state.ts";
import { type ApiRequest, askDemo, stoppedClock } from "./ask.ts";

const story = seedState("demo");
const relayers = story.relayers.page(0, 100);
const transactions = story.transactions.held();

test.each(relayers.filter((relayer) => relayer.network_type === "evm"))(
  "$id has a valid lowercase address",
  ({ address }) => {
    expect(address).toBe(String(address).toLowerCase());
    expect(addressProblem(String(address))).toBeUndefined();
  },
);

test("whitelisted addresses have a valid checksum", () => {
  const listed = relayers.flatMap(({ policies }) =>
    isJsonObject(policies) ? (policies.whitelist_receivers ?? []) : [],
  );
  const addresses = listed.flat().map(String);
  expect(addresses).toHaveLength(2);
  expect(addresses.map(addressProblem)).toEqual([undefined, undefined]);
});

test.each(relayers)("$id has valid policies", ({ network_type, policies }) => {
  expect(isNetworkKind(network_type) && policySchemas[network_type].safeParse(policies).success).toBe(true);
});

test.each(relayers)("$id has an existing notification or none", ({ notification_id }) => {
  expect(notification_id === undefined || story.notifications.get(String(notification_id)) !== undefined).toBe(true);
});

test.each(transactions)(
  "transaction $id belongs to a relayer and is sent from the relayer's address",
  (transaction) => {
    const relayer = story.relayers.get(String(transaction.relayer_id));
    expect(relayer).toBeDefined();
    if (transaction.from) expect(transaction.from).toBe(relayer?.address);
  },
);

test("the demo seed has an example of everything", () => {
  const of = (key: string) => relayers.map((relayer) => relayer[key]);
  expect(new Set(of("network_type"))).toEqual(new Set(["evm", "solana", "stellar"]));
  expect(of("paused").filter(Boolean)).toHaveLength(1);
  expect(of("system_disabled").filter(Boolean)).toHaveLength(2);
  expect(new Set(transactions.map(({ status }) => status))).toEqual(
    new Set(["submitted", "confirmed", "sent", "failed", "pending"]),
  );
  expect(story.notifications.size()).toBe(3);
});

test("servers do not share their changes", () => {
  const first = seedState("demo");
  first.relayers.put({ id: "base-hot", name: "changed" });
  expect(seedState("demo").relayers.get("base-hot")?.name).toBe("Base hot");
});

test("the empty seed is empty", () => {
  const state = seedState("empty");
  expect([state.relayers.size(), state.notifications.size(), state.transactions.size()]).toEqual([0, 0, 0]);
});

test.each([
  "",
  "Demo",
  "fleet",
  "fleet:",
  "fleet:0",
  "fleet:01",
  "fleet:-1",
  "fleet:1.5",
  "fleet:10000000",
  "fleet:1e3",
])("rejects the seed %j", (seed) => {
  expect(() => seedState(seed)).toThrow("no seed of this name; demo, empty, or fleet:N with N from 1 to 9999999");
});

describe("a seeded fleet", () => {
  const MILLION = 1_000_000;

  function fleet(size: number) {
    const state = seedState(`fleet:${size}`);
    return { state, ask: askDemo({ store: memoryStore(state) }) };
  }

  test("pages through a million relayers without storing any", async () => {
    const { state, ask } = fleet(MILLION);
    const { json, items } = await ask("GET", "/relayers?page=1000&per_page=1000");
    expect(json?.pagination).toEqual({ current_page: 1000, per_page: 1000, total_items: MILLION });
    expect(items).toHaveLength(1000);
    expect([items.at(0)?.id, items.at(-1)?.id]).toEqual(["relayer-0999001", "relayer-1000000"]);
    expect(state.relayers.held()).toEqual([]);
  });

  test("pages have no gaps and end with a short page", async () => {
    const { ask } = fleet(25);
    const pages = await Promise.all([1, 2, 3, 4].map((page) => ask("GET", `/relayers?page=${page}`)));
    const ids = pages.flatMap(({ items }) => items.map(({ id }) => id));
    expect(ids).toHaveLength(25);
    expect(ids).toEqual([...new Set(ids)].sort());
  });

  test("a relayer is the same in its page, by its ID, and in another run", async () => {
    const { items } = await fleet(MILLION).ask("GET", "/relayers?page=500000&per_page=1");
    const { data } = await fleet(MILLION).ask("GET", "/relayers/relayer-0500000");
    expect([data]).toEqual(items);
    expect(data.address).toMatch(/^0x[0-9a-f]{40}$/);
  });

  test("no two relayers have the same address", () => {
    const { state } = fleet(20_000);
    const addresses = state.relayers.page(0, 20_000).map(({ address }) => address);
    expect(new Set(addresses).size).toBe(20_000);
  });

  test.each([
    "relayer-0000000",
    "relayer-1000001",
    "relayer-5",
    "relayer-00000005",
    "relayer-000000x",
    "elayer-0000005",
  ])("%s does not exist in a fleet of a million", async (id) =>
    expect((await fleet(MILLION).ask("GET", `/relayers/${id}`)).status).toBe(404),
  );

  test("stores only changed relayers, in their place", async () => {
    const { state, ask } = fleet(MILLION);
    const { status } = await ask("PATCH", "/relayers/relayer-0000002", {
      name: "Second",
      notification_id: "audit-log",
    });
    expect(status).toBe(200);
    const { json, items } = await ask("GET", "/relayers?per_page=3");
    expect(items.map(({ name }) => name)).toEqual(["Relayer 1", "Second", "Relayer 3"]);
    expect(json?.pagination).toMatchObject({ total_items: MILLION });
    expect(state.relayers.held()).toHaveLength(1);
    expect(stateToText(state).length).toBeLessThan(7000);
  });
});

/** What a relayer's node shows of a hash, and of the transaction that used a nonce. */
async function onChain(ask: ApiRequest, relayer: string, hash: unknown, nonce: number) {
  const { address } = (await ask("GET", `/relayers/${relayer}`)).data;
  const call = async (method: string, ...params: unknown[]) =>
    JSON.parse((await ask("POST", `/relayers/${relayer}/rpc`, { method, params })).text).result;
  return {
    receipt: await call("eth_getTransactionReceipt", hash),
    mined: await call("eth_getTransactionBySenderAndNonce", address, `0x${nonce.toString(16)}`),
    count: await call("eth_getTransactionCount", address, "latest"),
  };
}

const recordOf = async (ask: ApiRequest, relayer: string, id: string) =>
  (await ask("GET", `/relayers/${relayer}/transactions/${id}`)).data;

test("a failed replacement on Base has a hash that no node knows, and its original was mined", async () => {
  const ask = askDemo();
  const record = await recordOf(ask, "base-hot", "e5f60718-293a-4b4c-8d5e-6f708192a3b4");
  expect(record).toMatchObject({ status: "failed", value: "25000000000000000" });
  const { receipt, mined, count } = await onChain(ask, "base-hot", record.hash, 0);
  expect([receipt, BigInt(mined.value), count]).toEqual([null, 20_000_000_000_000_000n, "0x2"]);
});

test("a canceled transaction on Base is confirmed, and its transfer was mined", async () => {
  const ask = askDemo();
  const record = await recordOf(ask, "base-hot", "a1b2c3d4-e5f6-4718-a93a-4b5c6d7e8f90");
  expect(record).toMatchObject({ status: "confirmed", value: "0", is_canceled: true });
  const { receipt, mined } = await onChain(ask, "base-hot", record.hash, 1);
  expect([receipt.status, mined.hash, BigInt(mined.value)]).toEqual(["0x1", record.hash, 40_000_000_000_000_000n]);
});

test("a replacement above the cap stays submitted, and its original was mined", async () => {
  const clock = stoppedClock();
  const ask = askDemo({ clock });
  clock.time = 30 * 86_400_000;
  const record = await recordOf(ask, "eth-main-1", "7c8d9e0f-1a2b-4c3d-9e4f-5a6b7c8d9e0f");
  expect(record).toMatchObject({ status: "submitted", value: "350000000000000000" });
  const { receipt, mined, count } = await onChain(ask, "eth-main-1", record.hash, 5);
  expect([receipt, BigInt(mined.value), count]).toEqual([null, 300_000_000_000_000_000n, "0x7"]);
});

test("a transaction with a malformed receiver stays pending with a nonce until it is replaced", async () => {
  const clock = stoppedClock();
  const ask = askDemo({ clock });
  const id = "5a6b7c8d-9e0f-4a1b-8c2d-3e4f5a6b7c8d";
  const path = `/relayers/polygon-bulk/transactions/${id}`;
  expect(await recordOf(ask, "polygon-bulk", id)).toMatchObject({ status: "pending", nonce: 1205, hash: null });
  const to = "0x90f79bf6eb2c4f870365e785982e1f101e93b906";
  await ask("PUT", path, { to, value: 1, speed: "fast" });
  const before = "/relayers/polygon-bulk/transactions/d2a7c6b5-1f3e-4d8c-b9a0-4e5f60718293";
  await ask("PUT", before, { to, value: 1, speed: "fast" });
  clock.time = 120_000;
  expect((await ask("GET", path)).data).toMatchObject({ status: "confirmed", nonce: 1205 });
});

test("a transfer on Base is mined, but its cancellation comes too late", async () => {
  const clock = stoppedClock();
  const ask = askDemo({ clock });
  const to = "0x90f79bf6eb2c4f870365e785982e1f101e93b906";
  const { id } = (await ask("POST", "/relayers/base-hot/transactions", { to, value: 1, speed: "fast" })).data;
  clock.time = 5000;
  await ask("DELETE", `/relayers/base-hot/transactions/${id}`);
  clock.time = 60_000;
  const record = await recordOf(ask, "base-hot", String(id));
  expect(record).toMatchObject({ status: "confirmed", is_canceled: true, value: "0", nonce: 2 });
  const { mined } = await onChain(ask, "base-hot", record.hash, 2);
  expect(mined).toMatchObject({ hash: record.hash, to, value: "0x1" });
});

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

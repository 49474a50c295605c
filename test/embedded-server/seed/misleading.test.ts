import { type ApiRequest, askDemo, stoppedClock } from "../ask.ts";

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

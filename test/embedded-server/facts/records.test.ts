import { localService } from "../openzeppelin/local-service.ts";

const PENDING = "/relayers/local-1/transactions/pending";
const LOST = [{ method: "NODE", path: "eth_sendRawTransaction", status: "lost" as const, rate: 1 }];

test("13.5: a confirmed transaction keeps a reason that sounds like a failure, after a bulk cancel-pending", async () => {
  const { ask, send, record } = localService();
  const id = await send();
  await record(id, 5);
  await ask("DELETE", PENDING);
  expect(await record(id, 60)).toMatchObject({
    status: "confirmed",
    status_reason: "Nonce error during submission: NonceTooLow",
  });
});

test("13.6: with one confirmation, mined is never seen between submitted and confirmed; with more it is", async () => {
  const seen = async (...changes: Parameters<typeof localService>) => {
    const { send, record } = localService(...changes);
    const id = await send();
    const statuses = new Set<unknown>();
    for (let seconds = 5; seconds < 90; seconds++) statuses.add((await record(id, seconds)).status);
    return [...statuses];
  };
  expect(await seen()).toEqual(["submitted", "confirmed"]);
  expect(await seen({ network: { required_confirmations: 30 } })).toEqual(["submitted", "mined", "confirmed"]);
});

test("13.7: each replacement of a submitted transaction raises the price by a tenth, rounded down, whatever was requested", async () => {
  const { send, record, replace } = localService();
  const id = await send({ speed: "average" });
  expect((await record(id, 5)).max_fee_per_gas).toBe("10500000000");
  const fees = [];
  for (const price of [{ speed: "fastest" }, { speed: undefined, gas_price: 90_000_000_000 }, { speed: "safeLow" }]) {
    const { max_fee_per_gas, max_priority_fee_per_gas, gas_price, speed, gas_limit } = await replace(id, price);
    fees.push([max_fee_per_gas, max_priority_fee_per_gas, gas_price, speed, gas_limit]);
  }
  expect(fees).toEqual([
    ["11550000000", "990000000", null, "fastest", null],
    ["12705000000", "1089000000", null, "fastest", null],
    ["13975500000", "1197900000", null, "safeLow", null],
  ]);
});

test("15.11: a gas limit is kept as given, so that it can mark a payment, and unused gas costs nothing", async () => {
  const { ask, send, record, node } = localService();
  const limits = [50_001, 50_002];
  const ids = [];
  for (const gas_limit of limits) ids.push(await send({ gas_limit }));
  for (const id of ids) await record(id, 60);
  const { items } = await ask("GET", "/relayers/local-1/transactions");
  const marked = items.filter(({ gas_limit }) => gas_limit === 50_002);
  expect(marked.map(({ id }) => id)).toEqual([ids[1]]);
  expect(await node("eth_getTransactionReceipt", marked[0]?.hash)).toMatchObject({ gasUsed: "0x5208" });
});

test("16.2: the returned hash of a replacement is never broadcast: it is signed again after 1 to 3 s, at 1.21 times the price", async () => {
  for (let earlier = 0; earlier < 5; earlier++) {
    const { send, record, replace, byHash } = localService();
    for (let sent = 0; sent < earlier; sent++) await record(await send(), 5);
    const id = await send();
    const { max_fee_per_gas: before } = await record(id, 10);
    const returned = await replace(id);
    expect((await record(id, 10.9)).hash).toBe(returned.hash);
    const sent = await record(id, 13.1);
    expect(sent.hash).not.toBe(returned.hash);
    expect([await byHash(returned.hash), (await byHash(sent.hash))?.value]).toEqual([null, "0x2"]);
    expect(BigInt(String(sent.max_fee_per_gas))).toBe((BigInt(String(before)) * 121n) / 100n);
  }
});

test("16.3: two records may share a nonce, and by-nonce returns the newest", async () => {
  const { ask, send, record } = localService();
  const bad = await send({ to: "0x12" });
  expect(await record(bad, 240)).toMatchObject({ status: "failed", nonce: 0 });
  const { data } = await ask("GET", "/relayers/local-1/transactions/by-nonce/0");
  expect(data).toMatchObject({ nonce: 0, status_reason: "Gap-filling NOOP for nonce 0" });
  expect(data.id).not.toBe(bad);
});

test("16.4: a transaction whose response the node lost is mined while its record is sent", async () => {
  const { send, record, byHash } = localService({ failures: LOST });
  const id = await send();
  const sent = { status: "sent", sent_at: null };
  const { hash } = await record(id, 10);
  let seconds = 10;
  for (; !(await byHash(hash))?.blockNumber; seconds++) expect(await record(id, seconds)).toMatchObject(sent);
  expect(await record(id, seconds)).toMatchObject(sent);
  expect(await record(id, 60)).toMatchObject({ status: "confirmed", hash });
});

test("17.1: a final record is deleted after a while, and the chain and the next nonce still show its transaction", async () => {
  const { ask, send, record, byHash } = localService({ expireAfter: 60_000 });
  const id = await send();
  const { hash, nonce, status } = await record(id, 60);
  expect(status).toBe("confirmed");
  await record(id, 240);
  expect(await ask("GET", `/relayers/local-1/transactions/${id}`)).toMatchObject({ status: 404 });
  expect((await ask("GET", "/relayers/local-1/transactions")).items).toEqual([]);
  expect(await byHash(hash)).toMatchObject({ blockNumber: expect.stringMatching(/^0x/) });
  expect((await record(await send(), 250)).nonce).toBe(Number(nonce) + 1);
});

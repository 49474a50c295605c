import type { Update } from "../../../src/embedded-server/state/state.ts";
import { memoryStore } from "../../../src/embedded-server/state/store.ts";
import { createDeliveries } from "../../../src/embedded-server/webhooks/deliveries.ts";
import { steppedClock } from "../../helpers/stepped-clock.ts";
import { LOCAL } from "../ask.ts";
import { localService, TO } from "../openzeppelin/local-service.ts";

const BAD = { to: "0x12" };

describe("a malformed receiver", () => {
  test("13.3: takes a nonce, is never sent, and holds up later transactions until its nonce is filled", async () => {
    const { send, record, ask, at, minedAt } = localService();
    const bad = await send(BAD);
    expect(await record(bad, 5)).toMatchObject({ status: "pending", nonce: 0, hash: null });
    const good = await send();
    expect(await record(good, 120)).toMatchObject({ status: "submitted", nonce: 1 });
    expect(await record(bad, 136)).toMatchObject({ status: "failed" });
    const byNonce = async (seconds: number) => {
      at(seconds);
      return (await ask("GET", "/relayers/local-1/transactions/by-nonce/0")).data;
    };
    expect((await byNonce(198)).id).toBe(bad);
    expect(await byNonce(202)).toMatchObject({
      status: "submitted",
      to: LOCAL,
      value: "0x0",
      status_reason: "Gap-filling NOOP for nonce 0",
    });
    expect((await record(good, 202)).status).toBe("submitted");
    expect((await record(good, 225)).status).toBe("confirmed");
    expect(await minedAt(0)).toMatchObject({ to: LOCAL, value: "0x0" });
  });

  test("16.3: that is left alone fails at 134 s, its nonce is filled at 201 s, and all are confirmed by 225 s", async () => {
    const { send, record, ask, at } = localService();
    const bad = await send(BAD);
    await record(bad, 5);
    const good = [await send(), await send(), await send()];
    const filled = async (seconds: number) => {
      at(seconds);
      return (await ask("GET", "/relayers/local-1/transactions/by-nonce/0")).data.id !== bad;
    };
    expect([(await record(bad, 133)).status, (await record(bad, 135)).status]).toEqual(["pending", "failed"]);
    expect([await filled(199), await filled(203)]).toEqual([false, true]);
    for (const id of good) expect((await record(id, 225)).status).toBe("confirmed");
  });

  test("16.3: that is canceled leaves its nonce open for minutes", async () => {
    const { send, record, cancel } = localService();
    const bad = await send(BAD);
    await record(bad, 5);
    const good = await send();
    expect(await cancel(bad)).toMatchObject({ status: "canceled", nonce: 0 });
    expect((await record(good, 195)).status).toBe("submitted");
    expect((await record(good, 225)).status).toBe("confirmed");
    expect((await record(bad, 250)).status).toBe("canceled");
  });

  test("16.3: that is replaced by a good one is sent under the returned hash, and holds up nothing", async () => {
    const { send, record, replace, minedAt } = localService();
    const bad = await send(BAD);
    await record(bad, 5);
    const good = await send();
    const returned = await replace(bad);
    expect(returned).toMatchObject({ status: "pending", nonce: 0 });
    expect(await record(bad, 10)).toMatchObject({ status: "submitted", hash: returned.hash });
    expect((await record(good, 60)).status).toBe("confirmed");
    expect(await minedAt(0)).toMatchObject({ hash: returned.hash, value: "0x2" });
  });
});

test("13.4: nonces do not follow the order of the requests", async () => {
  const { send, record } = localService();
  const ids = [];
  for (let sent = 0; sent < 5; sent++) ids.push(await send());
  const nonces = [];
  for (const id of ids) nonces.push((await record(id, 5)).nonce);
  expect(nonces.toSorted()).toEqual([0, 1, 2, 3, 4]);
  expect(nonces).not.toEqual([0, 1, 2, 3, 4]);
});

test("15.8: a transaction is confirmed 8 to 12 s after its block, and never shown as mined", async () => {
  const { send, record, byHash } = localService();
  const id = await send();
  const { hash } = await record(id, 5);
  let mined = 0;
  const seen = new Set<unknown>();
  for (let seconds = 6; seconds < 60; seconds++) {
    const { status } = await record(id, seconds);
    if (mined === 0 && (await byHash(hash))?.blockNumber) mined = seconds;
    if (status === "confirmed" && !seen.has(status)) expect([8, 9, 10, 11, 12]).toContain(seconds - mined);
    seen.add(status);
  }
  expect(seen).toEqual(new Set(["submitted", "confirmed"]));
});

describe("a transaction that its node refuses stays sent, without a time, and is not on the chain", () => {
  test.each([
    ["pays less than the base fee", { max_fee_per_gas: 999_999_999, max_priority_fee_per_gas: 1, speed: undefined }],
    ["costs more than the balance", { value: String(3n * 10n ** 18n) }],
  ])("16.4: since it %s", async (_, body) => {
    const { send, record, byHash, replace } = localService();
    const id = await send(body);
    const sent = await record(id, 3600);
    expect(sent).toMatchObject({ status: "sent", sent_at: null, hash: expect.stringMatching(/^0x/) });
    expect(await byHash(sent.hash)).toBe(null);
    await replace(id);
    expect((await record(id, 3700)).status).toBe("confirmed");
  });
});

const TWICE = [{ method: "WORKER", path: "submit", status: "two-nonces" as const, rate: 1 }];

test("15.9: a record that is sent with two nonces leaves one used on the chain without a record", async () => {
  const { ask, send, record, minedAt } = localService({ failures: TWICE });
  const id = await send();
  let seconds = 0;
  let first = await record(id, seconds);
  for (; first.status !== "sent"; first = await record(id, seconds)) seconds += 0.1;
  const second = await record(id, 60);
  expect([first.nonce, second.nonce, second.status]).toEqual([0, 1, "confirmed"]);
  expect(await minedAt(0)).toMatchObject({ hash: first.hash, to: TO, value: "0x1" });
  expect(await minedAt(1)).toMatchObject({ hash: second.hash, to: TO, value: "0x1" });
  expect((await ask("GET", "/relayers/local-1/transactions/by-nonce/0")).status).toBe(404);
  expect((await ask("GET", "/relayers/local-1/status")).data.nonce).toBe("2");
});

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

test("16.9: deliveries follow sent, submitted, and confirmed", async () => {
  const { send, record, state } = localService();
  const updates: Update[] = [];
  state.outbox.push = (...more: Update[]) => updates.push(...more);
  const id = await send();
  for (let seconds = 0; seconds < 60; seconds++) await record(id, seconds);
  const statuses = updates.flatMap((update) => ("transaction" in update ? update.transaction.status : []));
  expect(statuses).toEqual(["sent", "submitted", "confirmed"]);
});

test("16.9: attempts come at about 0, 2.1, 8.5, 17, and 25 s, and no later one", async () => {
  const { state } = localService();
  state.notifications.put({ id: "hook", type: "webhook", url: "http://127.0.0.1:9/hook" });
  state.relayers.put({ ...state.relayers.get("local-1"), id: "local-1", notification_id: "hook" });
  const clock = steppedClock();
  const jitter = [0.05, 0.6, 0.0625, 0];
  const times: number[] = [];
  const deliveries = createDeliveries({
    store: memoryStore(state),
    clock,
    random: { uuid: () => "event", fraction: () => jitter.shift() ?? 0 },
    deliver: async () => {
      times.push(clock.elapsed());
      return 500;
    },
    interrupt: new AbortController().signal,
    shown: { transaction: (transaction) => transaction, relayer: (relayer) => relayer },
    delivered: async () => {},
  });
  deliveries.deliver([{ transaction: { id: "t1", relayer_id: "local-1", status: "sent" }, timestamp: 0 }]);
  await clock.pass(3_600_000);
  expect(times).toEqual([0, 2100, 8500, 17_000, 25_000]);
});

import {
  ask,
  calmWorld,
  isKnown,
  mine,
  minedValue,
  pass,
  posted,
  REPLACEMENT,
  shown,
  submitted,
  TRANSFER,
} from "./facts.ts";
import { IGNORED } from "./service.ts";
import { CALM, GWEI } from "./world.ts";

const BAD = { ...TRANSFER, to: "0xnonsense" };

describe("a malformed receiver", () => {
  test("takes a nonce and a price, is never signed, and fails after two minutes", () => {
    const world = calmWorld();
    const bad = submitted(world, { wish: BAD });
    expect(shown(bad)).toMatchObject({ status: "pending", nonce: 5, hash: null });
    expect(shown(bad).max_fee_per_gas).not.toBeNull();
    pass(world, 120_000);
    expect(shown(bad)).toMatchObject({ status: "pending" });
    pass(world, 15_000);
    expect(shown(bad)).toMatchObject({ status: "failed", hash: null });
  });

  test("keeps later transactions waiting until its nonce is filled after 200 seconds", () => {
    const world = calmWorld();
    submitted(world, { wish: BAD });
    const good = submitted(world);
    mine(world, 5);
    expect(minedValue(world, good)).toBeUndefined();
    pass(world, 190_000);
    mine(world, 10);
    expect(shown(good)).toMatchObject({ status: "confirmed" });
  });

  test("is mended by a replacement, which is sent under the hash that its response showed", () => {
    const world = calmWorld();
    const bad = submitted(world, { wish: BAD });
    expect(world.worker.replace(bad, REPLACEMENT)).toBeUndefined();
    const { hash } = bad;
    expect(shown(bad)).toMatchObject({ status: "pending" });
    pass(world, 4_000);
    expect(isKnown(world, hash)).toBe(true);
    mine(world, 2);
    expect(minedValue(world, bad)).toBe(2_000n);
  });
});

test("two records may share a nonce, and the newest is the one found by it", () => {
  const world = calmWorld();
  const bad = submitted(world, { wish: BAD });
  world.worker.cancel(bad);
  pass(world, 200_000);
  const get = { method: "GET", target: "/api/v1/relayers/evm-1/transactions/by-nonce/5", headers: {} } as const;
  const found = JSON.parse(new TextDecoder().decode(world.service(get, IGNORED).body));
  expect([bad.nonce, found.data.nonce]).toEqual([5, 5]);
  expect(found.data).toMatchObject({ status_reason: "Gap-filling NOOP for nonce 5" });
});

describe("a record", () => {
  test("gets its nonce when it is signed, so that nonces do not follow the order of the requests", () => {
    const world = calmWorld();
    const all = Array.from({ length: 8 }, () => posted(world));
    pass(world, 6_000);
    const nonces = all.map(({ nonce }) => Number(nonce));
    expect([...nonces].sort()).toEqual([5, 6, 7, 8, 9, 10, 11, 12].sort());
    expect(nonces).not.toEqual([...nonces].sort((one, other) => one - other));
  });

  test("reads confirmed 8 to 12 seconds after the block", () => {
    const world = calmWorld();
    const stored = submitted(world);
    pass(world, 30_000);
    mine(world, 2);
    const { now } = world.timeline;
    pass(world, 7_000);
    pass(world, 5_000);
    expect(shown(stored)).toMatchObject({ status: "confirmed" });
    expect(Number(stored.confirmedAt) - (now - 4_000)).toBeLessThanOrEqual(12_000);
  });

  test("reads mined until enough blocks follow", () => {
    const world = calmWorld({ confirmations: 12 });
    const stored = submitted(world);
    mine(world, 8);
    expect(shown(stored)).toMatchObject({ status: "mined" });
    mine(world, 12);
    expect(shown(stored)).toMatchObject({ status: "confirmed" });
  });

  test("reads failed as soon as its execution failed, however few blocks follow", () => {
    const world = calmWorld({ confirmations: 12, thousandths: { ...CALM.thousandths, reverts: 1_000 } });
    const stored = submitted(world);
    mine(world, 1);
    pass(world, 12_000);
    const reason = "Transaction reverted on-chain (receipt status: failed)";
    expect(shown(stored)).toMatchObject({ status: "failed", status_reason: reason });
  });

  test("stays sent without a time if its fee is below the base fee", () => {
    const world = calmWorld({ cap: 11n * GWEI });
    const stored = posted(world);
    Object.assign(world.chain, { baseFee: 20n * GWEI });
    pass(world, 60_000);
    expect(shown(stored)).toMatchObject({ status: "sent", sent_at: null });
    expect(isKnown(world, stored.hash)).toBe(false);
  });

  test("stays sent without a time if the node took it and its response was lost: it may be mined meanwhile", () => {
    const world = calmWorld({ thousandths: { ...CALM.thousandths, losesReply: 1_000 } });
    const stored = submitted(world);
    mine(world, 2);
    expect(shown(stored)).toMatchObject({ status: "sent", sent_at: null });
    expect(minedValue(world, stored)).toBe(1_000n);
  });

  test("stays sent without a time while the relayer cannot pay", () => {
    const world = calmWorld();
    world.canPay = false;
    const stored = submitted(world);
    expect(shown(stored)).toMatchObject({ status: "sent", sent_at: null });
    expect(isKnown(world, stored.hash)).toBe(false);
    expect(ask(world, "eth_getBalance", stored.from)).toBe("0x5");
    world.canPay = true;
    pass(world, 30_000);
    expect(shown(stored)).toMatchObject({ status: "submitted" });
  });

  test("shows the second nonce alone if it was sent with two, and both are mined", () => {
    const world = calmWorld({ thousandths: { ...CALM.thousandths, sendsTwice: 1_000 } });
    const stored = submitted(world);
    mine(world, 8);
    expect(shown(stored)).toMatchObject({ status: "confirmed", nonce: 6 });
    expect(stored.nonces.map((nonce) => world.chain.minedBy(stored.from, nonce)?.transaction.value)).toEqual([
      1_000n,
      1_000n,
    ]);
  });

  test("fails as consumed externally if a transaction without a record used its nonce", () => {
    const world = calmWorld();
    const stored = posted(world);
    world.useElsewhere();
    world.mine();
    pass(world, 30_000);
    expect(shown(stored)).toMatchObject({ status: "failed" });
    expect(stored.reason).toContain("consumed externally");
  });

  test("is replaced by a no-op once it expired, and ends confirmed with that reason", () => {
    const world = calmWorld();
    const stored = submitted(world, { wish: { ...TRANSFER, validUntil: 20_000 } });
    pass(world, 30_000);
    mine(world, 12);
    const reason = "Transaction is expired. Replacing with NOOP.";
    expect(shown(stored)).toMatchObject({ status: "confirmed", value: "0x0", status_reason: reason });
  });

  test("is deleted some time after it became final", () => {
    const world = calmWorld({ retention: 60_000 });
    const stored = submitted(world);
    mine(world, 10);
    expect(world.worker.records.has(stored.id)).toBe(true);
    pass(world, 60_000);
    expect(world.worker.records.has(stored.id)).toBe(false);
  });
});

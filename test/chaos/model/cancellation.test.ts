import { calmWorld, isKnown, mine, minedValue, pass, posted, shown, submitted, TRANSFER } from "./facts.ts";
import { CALM, OWN } from "./world.ts";

const NOOP = { to: OWN, value: "0x0", data: "0x", is_canceled: true };

test("of what is not signed is done at once, without a hash", () => {
  const world = calmWorld();
  const stored = posted(world);
  expect(world.worker.cancel(stored)).toBeUndefined();
  expect(shown(stored)).toMatchObject({
    status: "canceled",
    hash: null,
    nonce: null,
    status_reason: "Transaction canceled by user",
  });
});

test("turns the record into a no-op with the same status and hash, and reads canceled once the no-op is mined", () => {
  const world = calmWorld();
  const stored = submitted(world);
  const { hash } = stored;
  world.worker.cancel(stored);
  const reason = "Transaction canceled by user, replacing with NOOP";
  expect(shown(stored)).toMatchObject({ ...NOOP, status: "submitted", status_reason: reason, hash });
  pass(world, 4_000);
  expect(stored.hash).not.toBe(hash);
  mine(world, 10);
  expect(shown(stored)).toMatchObject({ ...NOOP, status: "canceled" });
  expect(minedValue(world, stored)).toBe(0n);
});

test("is not capped", () => {
  const world = calmWorld();
  const stored = submitted(world, { capPercent: 100 });
  world.worker.cancel(stored);
  pass(world, 4_000);
  expect(isKnown(world, stored.hash)).toBe(true);
  mine(world, 10);
  expect(shown(stored)).toMatchObject({ status: "canceled" });
});

test("that loses the race reads as canceled in every field but the status and the hash", () => {
  const world = calmWorld();
  const stored = submitted(world);
  const { hash } = stored;
  world.worker.cancel(stored);
  world.mine();
  pass(world, 4_000);
  mine(world, 10);
  expect(shown(stored)).toMatchObject({ ...NOOP, status: "confirmed", hash });
  expect(minedValue(world, stored)).toBe(1_000n);
});

test("whose no-op was sent and loses stays submitted for minutes, then confirms with the original's hash", () => {
  const world = calmWorld({ thousandths: { ...CALM.thousandths, minesEarlier: 1_000 } });
  const stored = submitted(world);
  const { hash } = stored;
  world.worker.cancel(stored);
  pass(world, 4_000);
  mine(world, 3);
  pass(world, 120_000);
  expect(shown(stored)).toMatchObject({ ...NOOP, status: "submitted" });
  pass(world, 300_000);
  expect(shown(stored)).toMatchObject({ ...NOOP, status: "confirmed", hash });
});

test("on a tagged network is never sent, and confirms with the original's hash", () => {
  const world = calmWorld({ isTagged: true });
  const stored = submitted(world);
  const { hash } = stored;
  world.worker.cancel(stored);
  pass(world, 4_000);
  expect(shown(stored)).toMatchObject(NOOP);
  expect(isKnown(world, hash)).toBe(true);
  mine(world, 3);
  pass(world, 600_000);
  expect(shown(stored)).toMatchObject({ ...NOOP, status: "confirmed", hash });
  expect(minedValue(world, stored)).toBe(1_000n);
});

test("is refused once the transaction is final", () => {
  const world = calmWorld();
  const stored = submitted(world);
  mine(world, 10);
  expect(world.worker.cancel(stored)).toContain("Invalid transaction state for cancel_transaction. Current: Confirmed");
});

test("of what has a nonce and no signature leaves a gap, which a no-op fills after three minutes", () => {
  const world = calmWorld();
  const bad = submitted(world, { wish: { ...TRANSFER, to: "0xnonsense" } });
  const good = submitted(world);
  world.worker.cancel(bad);
  expect(shown(bad)).toMatchObject({ status: "canceled" });
  mine(world, 5);
  expect(shown(good)).toMatchObject({ status: "submitted", nonce: 6 });
  pass(world, 195_000);
  mine(world, 10);
  const reasons = world.worker.all.map(({ reason }) => reason);
  expect(reasons).toContain("Gap-filling NOOP for nonce 5");
  expect(shown(good)).toMatchObject({ status: "confirmed" });
});

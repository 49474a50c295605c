import { calmWorld, isKnown, mine, minedValue, pass, posted, REPLACEMENT, setCap, shown, submitted } from "./facts.ts";
import { up } from "./pricing.ts";
import type { Stored } from "./record.ts";
import { CALM, GWEI } from "./world.ts";

const feeOf = ({ price }: Stored) => price?.maxFee ?? 0n;

describe("a replacement", () => {
  test("is priced a tenth higher when it is requested, rounded down, whatever its speed", () => {
    const world = calmWorld();
    const stored = submitted(world);
    for (let times = 0; times < 3; times++) {
      const old = feeOf(stored);
      world.worker.replace(stored, { ...REPLACEMENT, speed: "safeLow" });
      expect(feeOf(stored)).toBe((old * 11n) / 10n);
      expect(feeOf(stored)).toBe(up(old));
    }
  });

  test("keeps the nonce, the status, and an omitted gas limit as null", () => {
    const world = calmWorld();
    const stored = submitted(world);
    const before = shown(stored);
    world.worker.replace(stored, { ...REPLACEMENT, gas: null, speed: undefined });
    expect(shown(stored)).toMatchObject({ nonce: before.nonce, status: "submitted", gas_limit: null, speed: "fast" });
  });

  test("is sent under a third hash, at 1.21 times the old price in all", () => {
    const world = calmWorld();
    const stored = submitted(world);
    const [old, original] = [feeOf(stored), stored.hash];
    world.worker.replace(stored, REPLACEMENT);
    const requested = stored.hash;
    pass(world, 4_000);
    expect(isKnown(world, requested)).toBe(false);
    expect(isKnown(world, stored.hash)).toBe(true);
    expect(new Set([original, requested, stored.hash]).size).toBe(3);
    expect(feeOf(stored)).toBe(up(up(old)));
    mine(world, 5);
    expect(minedValue(world, stored)).toBe(2_000n);
    pass(world, 20_000);
    expect(shown(stored)).toMatchObject({ status: "confirmed", value: "0x7d0", hash: stored.hash });
  });

  test("is sent if the cap is 1.22 times the old fee", () => {
    const world = calmWorld();
    const stored = submitted(world, { capPercent: 122 });
    world.worker.replace(stored, REPLACEMENT);
    pass(world, 4_000);
    mine(world, 2);
    expect(minedValue(world, stored)).toBe(2_000n);
  });

  test.each([115, 105, 100])(
    "is never sent if the cap is %s % of the old fee, and the original is mined",
    (capPercent) => {
      const world = calmWorld();
      const stored = submitted(world, { capPercent });
      const [old, original] = [feeOf(stored), stored.hash];
      expect(world.worker.replace(stored, REPLACEMENT)).toBeUndefined();
      // The request may exceed the cap.
      expect(feeOf(stored)).toBe(up(old));
      expect(stored.hash).not.toBe(original);
      pass(world, 4_000);
      mine(world, 5);
      pass(world, 1_200_000);
      expect(minedValue(world, stored)).toBe(1_000n);
      expect(isKnown(world, stored.hash)).toBe(false);
      expect(shown(stored)).toMatchObject({ status: "submitted", value: "0x7d0" });
    },
  );

  test("that a cap kept back fails as consumed externally once the cap is raised", () => {
    const world = calmWorld();
    const stored = submitted(world, { capPercent: 105 });
    world.worker.replace(stored, REPLACEMENT);
    mine(world, 5);
    setCap(world, null);
    pass(world, 500_000);
    expect(shown(stored)).toMatchObject({
      status: "failed",
      value: "0x7d0",
      status_reason: "Nonce 5 consumed externally (on-chain nonce: 6). No matching transaction hash found on-chain.",
    });
  });

  test("that loses the race before it is sent reads as failed although the original was mined", () => {
    const world = calmWorld();
    const stored = submitted(world);
    const original = stored.hash;
    world.worker.replace(stored, REPLACEMENT);
    world.mine();
    pass(world, 4_000);
    expect(shown(stored)).toMatchObject({ status: "failed", value: "0x7d0" });
    expect(stored.reason).toContain("consumed externally");
    expect(stored.hash).not.toBe(original);
    expect(minedValue(world, stored)).toBe(1_000n);
  });

  test("that was sent and loses stays submitted for minutes, then confirms with the original's hash and its own value", () => {
    const world = calmWorld({ thousandths: { ...CALM.thousandths, minesEarlier: 1_000 } });
    const stored = submitted(world);
    const original = stored.hash;
    world.worker.replace(stored, REPLACEMENT);
    pass(world, 4_000);
    mine(world, 3);
    pass(world, 120_000);
    expect(shown(stored)).toMatchObject({ status: "submitted", value: "0x7d0" });
    pass(world, 120_000);
    expect(shown(stored)).toMatchObject({ status: "confirmed", hash: original, value: "0x7d0", status_reason: null });
    expect(minedValue(world, stored)).toBe(1_000n);
  });

  test("that was sent and lost is recovered seconds after the next replacement", () => {
    const world = calmWorld({ thousandths: { ...CALM.thousandths, minesEarlier: 1_000 } });
    const stored = submitted(world);
    const original = stored.hash;
    world.worker.replace(stored, REPLACEMENT);
    pass(world, 4_000);
    mine(world, 2);
    world.worker.replace(stored, { ...REPLACEMENT, value: 3_000n });
    pass(world, 15_000);
    expect(shown(stored)).toMatchObject({ status: "confirmed", value: "0xbb8", hash: original });
    expect(minedValue(world, stored)).toBe(1_000n);
  });

  test("is refused while nothing is priced, and once it is final", () => {
    const world = calmWorld();
    const stored = posted(world);
    expect(world.worker.replace(stored, REPLACEMENT)).toBe(
      "Unable to calculate sufficient price bump for speed-based replacement",
    );
    pass(world, 6_000);
    mine(world, 10);
    expect(world.worker.replace(stored, REPLACEMENT)).toBe(
      "Invalid transaction state for replace_transaction. Current: Confirmed, Expected one of: [Pending, Sent, Submitted]",
    );
  });
});

describe("on a tagged network, a replacement", () => {
  test("has the market's price, is refused by the node, and shows the request's hash and submitted", () => {
    const world = calmWorld({ isTagged: true });
    const stored = submitted(world);
    const old = feeOf(stored);
    world.worker.replace(stored, REPLACEMENT);
    const requested = stored.hash;
    expect(feeOf(stored)).toBe(old);
    pass(world, 4_000);
    expect(shown(stored)).toMatchObject({ status: "submitted", hash: requested, value: "0x7d0" });
    expect(isKnown(world, requested)).toBe(false);
    mine(world, 5);
    expect(minedValue(world, stored)).toBe(1_000n);
    pass(world, 600_000);
    expect(shown(stored)).toMatchObject({ status: "failed", value: "0x7d0" });
    expect(stored.reason).toContain("consumed externally");
  });

  test("is sent if the market rose by a tenth in both members", () => {
    const world = calmWorld({ isTagged: true });
    const stored = submitted(world);
    Object.assign(world.chain, { baseFee: 12n * GWEI, tip: 2n * GWEI });
    world.worker.replace(stored, REPLACEMENT);
    pass(world, 4_000);
    expect(isKnown(world, stored.hash)).toBe(true);
    mine(world, 2);
    expect(minedValue(world, stored)).toBe(2_000n);
  });
});

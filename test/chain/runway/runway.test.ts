import { readPastBalances } from "../../../src/chain/runway/past-balances.ts";
import { type BalanceSample, keptRunwaySamples, runwayOf, runwayText } from "../../../src/chain/runway/runway.ts";
import type { JsonValue } from "../../../src/contract/json.ts";
import { fakeNode, fault } from "../fake-node.ts";

const HOUR = 3_600_000;
const at = (hours: number, balance: bigint): BalanceSample => ({ time: hours * HOUR, balance });

describe("the runway of a balance", () => {
  test("is how long it lasts at the pace at which it fell", () =>
    expect(runwayOf([at(0, 33n), at(24, 23n)])).toEqual({ seconds: 198_720n, spent: 10n, span: 24 * HOUR }));

  test("is exact for balances of any size", () => {
    const large = 10n ** 40n;
    expect(runwayOf([at(0, large + 24n), at(24, large)])?.seconds).toBe(large * 3_600n);
  });

  test("does not take a top-up for a slower pace", () =>
    expect(runwayOf([at(0, 20n), at(12, 10n), at(13, 100n), at(24, 90n)])).toMatchObject({ spent: 20n }));

  test("counts no sample from more than 24 hours before the newest", () =>
    expect(runwayOf([at(0, 1_000n), at(30, 20n), at(40, 10n)])).toMatchObject({ spent: 10n, span: 10 * HOUR }));

  test("counts a sample that is some minutes older: blocks are not exactly 24 hours apart", () =>
    expect(runwayOf([at(0, 1_000n), at(24.5, 990n)])).toMatchObject({ spent: 10n, span: 24.5 * HOUR }));

  test("is not known with too few samples, or in too short a time", () => {
    expect(runwayOf([])).toBeUndefined();
    expect(runwayOf([at(0, 5n)])).toBeUndefined();
    expect(runwayOf([at(0, 5n), at(0.16, 4n)])).toBeUndefined();
  });

  test("has no end if nothing was spent, and has ended if nothing is left", () => {
    expect(runwayOf([at(0, 5n), at(1, 5n)])).toMatchObject({ seconds: undefined, spent: 0n });
    expect(runwayOf([at(0, 5n), at(1, 0n)])).toMatchObject({ seconds: 0n });
  });
});

describe("the text of a runway", () => {
  test.each([
    [198_720n, 24, "2.3 days at the pace of the last 24 h"],
    [864_000n, 12, "10 days at the pace of the last 12 h"],
    [100_000n, 1, "27 hours at the pace of the last 60 min"],
    [7_199n, 0.2, "119 min at the pace of the last 12 min"],
    [40_000_000n, 24, "more than a year at the pace of the last 24 h"],
  ])("of %s seconds", (seconds, hours, text) => {
    expect(runwayText({ seconds, spent: 1n, span: hours * HOUR })).toBe(text);
  });

  test("without spending says so", () =>
    expect(runwayText({ seconds: undefined, spent: 0n, span: 24 * HOUR })).toBe("nothing spent in the last 24 h"));
});

describe("the samples that a watch keeps", () => {
  const taken = (samples: readonly BalanceSample[]) =>
    samples.reduce<BalanceSample[]>((kept, sample) => keptRunwaySamples(kept, sample), []);

  test("lose nothing that was spent, and are bounded", () => {
    const all = Array.from({ length: 10_000 }, (_, second) => ({
      time: second * 1_000,
      balance: 20_000n - BigInt(second),
    }));
    const kept = taken(all);
    expect(kept.length).toBeLessThan(200);
    expect(runwayOf(kept)).toEqual(runwayOf(all));
  });

  test("keep a balance before something was added", () => {
    const all = [at(0, 10n), at(0.01, 5n), at(0.011, 50n), at(1, 49n)];
    expect(runwayOf(taken(all))).toMatchObject({ spent: 6n });
  });

  test("cover 24 hours", () => expect(taken([at(0, 3n), at(10, 2n), at(30, 1n)])).toEqual([at(10, 2n), at(30, 1n)]));
});

describe("balances of the past", () => {
  const NOW = Date.parse("2026-11-21T03:12:07Z");
  const ADDRESS = `0x${"70".repeat(20)}`;
  const HEIGHT = 20_000;
  const BLOCK_TIME = 12_000;
  const account = { address: ADDRESS, blockTime: BLOCK_TIME, now: NOW };
  const timeOf = (block: number) => NOW - (HEIGHT - block) * BLOCK_TIME;

  /** A node with a block every 12 seconds, which has the state of so many blocks. */
  function node(depth: number, height = HEIGHT) {
    return fakeNode((method, [first, second]) => {
      const tag = method === "eth_getBalance" ? second : first;
      const number = tag === "latest" ? height : Number(tag);
      if (method === "eth_getBalance")
        return height - number > depth
          ? fault("failed", "missing trie node")
          : `0x${(1_000_000 - number).toString(16)}`;
      const seconds = Math.floor(timeOf(number + HEIGHT - height) / 1000);
      return { number: `0x${number.toString(16)}`, timestamp: `0x${seconds.toString(16)}` } as JsonValue;
    });
  }

  test("reads the balances of a day and half a day before", async () => {
    const asked = node(1e6);
    expect(await readPastBalances(asked, account)).toEqual([
      { time: timeOf(HEIGHT - 7_200), balance: 1_000_000n - 12_800n },
      { time: timeOf(HEIGHT - 3_600), balance: 1_000_000n - 16_400n },
    ]);
    expect(asked.asked).toHaveLength(4);
  });

  test("reads a balance of some minutes before from a pruned node", async () => {
    const asked = node(128);
    expect(await readPastBalances(asked, account)).toEqual([
      { time: timeOf(HEIGHT - 120), balance: 1_000_000n - 19_880n },
    ]);
    expect(asked.asked.length).toBeLessThanOrEqual(6);
  });

  test("starts at the first block of a young chain", async () => {
    const [first] = await readPastBalances(node(1e6, 100), account);
    expect(first).toEqual({ time: NOW - 100 * BLOCK_TIME, balance: 1_000_000n });
  });

  test("returns nothing if the node has no state, does not respond, or lies", async () => {
    expect(await readPastBalances(node(0), account)).toEqual([]);
    expect(
      await readPastBalances(
        fakeNode(() => fault("unreachable")),
        account,
      ),
    ).toEqual([]);
    expect(
      await readPastBalances(
        fakeNode(() => "0x1"),
        account,
      ),
    ).toEqual([]);
  });
});

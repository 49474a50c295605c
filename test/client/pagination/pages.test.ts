import fc from "fast-check";
import { listPage } from "../../../src/client/pagination/list-page.ts";
import { createListBudget, lookAhead } from "../../../src/client/pagination/list-pages.ts";

/** Takes the numbers up to `last`, each at its own leisure, and counts what is in progress or waits to be taken. */
async function taken(last: number, most: number, leisure: readonly number[]) {
  let held = 0;
  let mostHeld = 0;
  const take = lookAhead(async (number) => {
    mostHeld = Math.max(mostHeld, ++held);
    for (let step = leisure[number % leisure.length] ?? 0; step > 0; step--) await Promise.resolve();
    return number;
  });
  const results: number[] = [];
  for (let number = 1; number <= last; number++) {
    results.push(await take(number, { last, most }));
    held--;
  }
  return { results, mostHeld };
}

describe("pages requested ahead", () => {
  test("returns results in order, whatever their duration, and holds no more than the maximum", async () => {
    const list = fc.record({
      last: fc.nat(40),
      most: fc.integer({ min: 1, max: 12 }),
      leisure: fc.array(fc.nat(30), { minLength: 1, maxLength: 9 }),
    });
    await fc.assert(
      fc.asyncProperty(list, async ({ last, most, leisure }) => {
        const { results, mostHeld } = await taken(last, most, leisure);
        expect(results).toEqual(Array.from({ length: last }, (_, index) => index + 1));
        expect(mostHeld).toBe(Math.min(last, most));
      }),
    );
  });

  describe("started work", () => {
    test("grows only when a result is taken", async () => {
      const begun: number[] = [];
      const take = lookAhead(async (number) => void begun.push(number));
      await take(1, { last: 100, most: 3 });
      expect(begun).toEqual([1, 2, 3]);
      await take(2, { last: 100, most: 3 });
      expect(begun).toEqual([1, 2, 3, 4]);
    });

    test("stops at the end even if the end moves closer", async () => {
      const begun: number[] = [];
      const take = lookAhead(async (number) => void begun.push(number));
      await take(1, { last: 100, most: 2 });
      await take(2, { last: 2, most: 8 });
      expect(begun).toEqual([1, 2]);
    });

    test("throws its error when its result is taken, and never otherwise", async () => {
      const take = lookAhead(async (number) => {
        if (number > 1) throw new Error(`${number} failed`);
      });
      await take(1, { last: 3, most: 3 });
      await expect(take(2, { last: 3, most: 3 })).rejects.toThrow("2 failed");
    });
  });
});

const MIB = 2 ** 20;
const weighing = (bytes: number) => ({
  pagination: undefined,
  page: listPage([], { total: undefined, body: { length: bytes } as Uint8Array }),
});

describe("the page budget", () => {
  test.each([
    [MIB / 2, 128],
    [MIB, 64],
    [30 * MIB, 2],
    [64 * MIB, 1],
    [100 * MIB, 1],
  ])("for pages of %i bytes, %i pages may be held", (bytes, most) => {
    expect(createListBudget(weighing(bytes), () => 4096 * MIB).most()).toBe(most);
  });

  test("the largest page so far sets the limit", () => {
    const budget = createListBudget(weighing(MIB), () => 4096 * MIB);
    const held = [budget.measured(weighing(8 * MIB)), budget.measured(weighing(2 * MIB))];
    expect([budget.most(), held.length]).toEqual([8, 2]);
  });
});

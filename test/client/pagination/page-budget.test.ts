import { expect, test } from "vitest";
import { listPage } from "../../../src/client/pagination/list-page.ts";
import { createPageBudget } from "../../../src/client/pagination/pages.ts";

const MIB = 2 ** 20;
const weighing = (bytes: number) => ({
  pagination: undefined,
  page: listPage([], { total: undefined, body: { length: bytes } as Uint8Array }),
});

test.each([
  [MIB / 2, 128],
  [MIB, 64],
  [30 * MIB, 2],
  [64 * MIB, 1],
  [100 * MIB, 1],
])("for pages of %i bytes, %i pages may be held", (bytes, most) => {
  expect(createPageBudget(weighing(bytes), () => 4096 * MIB).most()).toBe(most);
});

test("the largest page so far sets the limit", () => {
  const budget = createPageBudget(weighing(MIB), () => 4096 * MIB);
  const held = [budget.measured(weighing(8 * MIB)), budget.measured(weighing(2 * MIB))];
  expect([budget.most(), held.length]).toEqual([8, 2]);
});

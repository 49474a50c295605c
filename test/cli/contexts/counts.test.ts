import { countInContexts } from "../../../src/cli/contexts/run.ts";
import type { BulkCounts } from "../../../src/client/bulk/run-all.ts";

test("shows the sum over all contexts as it grows, until the last of them has ended", () => {
  let shown: BulkCounts | undefined;
  const counting = countInContexts({ count: (counts) => (shown = counts) });
  const [eu, us] = [counting(), counting()];
  const counts = (of: number): BulkCounts => ({ doing: "pausing", of, done: 0, failed: 0, since: 0 });
  const [ofEu, ofUs] = [counts(2), counts(3)];
  eu(ofEu);
  us(ofUs);
  ofEu.done = 2;
  ofUs.failed = 1;
  expect({ ...shown }).toEqual({ doing: "pausing", of: 5, done: 2, failed: 1, since: 0 });
  eu(undefined);
  ofUs.done = 2;
  expect({ ...shown }).toEqual({ doing: "pausing", of: 5, done: 4, failed: 1, since: 0 });
  us(undefined);
  expect(shown).toBeUndefined();
});

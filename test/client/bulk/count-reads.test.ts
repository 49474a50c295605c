import { countReads } from "../../../src/client/bulk/count-reads.ts";
import type { BulkCounts } from "../../../src/client/bulk/run-all.ts";
import { RelayctlError } from "../../../src/errors.ts";

const BOUNDS = { concurrency: 1, interrupt: new AbortController().signal, clock: { elapsed: () => 7 } };

test("several reads are counted until all have ended, failures apart", async () => {
  const seen: (BulkCounts | undefined)[] = [];
  const shown: string[] = [];
  const job = (id: string, error?: RelayctlError) => ({
    id,
    run: async () => {
      const [counts] = seen;
      shown.push(`${counts?.doing} ${counts?.done}/${counts?.of}, ${counts?.failed} failed`);
      if (error) throw error;
      return id;
    },
  });
  const jobs = [job("a"), job("b", new RelayctlError("server", "down")), job("c")];
  const run = countReads(jobs, { ...BOUNDS, count: (counts) => seen.push(counts) });
  expect((await run.done).map(({ value }) => value)).toEqual(["a", undefined, "c"]);
  expect(shown).toEqual(["reading 0/3, 0 failed", "reading 1/3, 0 failed", "reading 1/3, 1 failed"]);
  expect(seen.at(-1)).toBeUndefined();
});

test("a single read shows no count", async () => {
  const seen: unknown[] = [];
  await countReads([{ id: "a", run: async () => 1 }], { ...BOUNDS, count: (counts) => seen.push(counts) }).done;
  expect(seen).toEqual([undefined]);
});

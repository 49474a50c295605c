import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import { countReads } from "../../../src/client/bulk/count-reads.ts";
import {
  type BulkCounts,
  bulkFailure,
  type Completed,
  type Job,
  type RunBounds,
  runAll,
} from "../../../src/client/bulk/run-all.ts";
import { RelayctlError } from "../../../src/errors.ts";
import { runs } from "../../helpers/deep.ts";

describe("a bulk run", () => {
  const bounds = (more: Partial<RunBounds> = {}): RunBounds => ({
    concurrency: 4,
    interrupt: new AbortController().signal,
    ...more,
  });

  async function collect<T>(results: AsyncIterable<T>): Promise<T[]> {
    const all: T[] = [];
    for await (const result of results) all.push(result);
    return all;
  }

  const jobs = (count: number, run: (index: number) => Promise<number>): Job<number>[] =>
    Array.from({ length: count }, (_, index) => ({ id: `r${index}`, run: () => run(index) }));

  test("runs every job once, and returns results in the order of the jobs", () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(5), { maxLength: 40 }),
        fc.integer({ min: 1, max: 9 }),
        async (waits, concurrency) => {
          const begun: number[] = [];
          let underWay = 0;
          let most = 0;
          const run = runAll(
            jobs(waits.length, async (index) => {
              begun.push(index);
              most = Math.max(most, ++underWay);
              for (let wait = waits[index] ?? 0; wait > 0; wait--) await setImmediate();
              underWay--;
              return index;
            }),
            bounds({ concurrency }),
          );
          const expected = waits.map((_, index) => ({ id: `r${index}`, value: index }));
          expect(await collect(run.results)).toEqual(expected);
          expect(await run.done).toEqual(expected);
          expect([...begun].sort((one, other) => one - other)).toEqual(waits.map((_, index) => index));
          expect(most).toBeLessThanOrEqual(concurrency);
        },
      ),
      runs(50, 1_000),
    ));

  test("yields all that is done in one batch, in the order of the jobs", async () => {
    const run = runAll(
      jobs(6, async (index) => {
        if (index === 3) await new Promise<void>((resolve) => (open = resolve));
        return index;
      }),
      bounds({ concurrency: 2, beforeBatch: () => setImmediate() }),
    );
    let open = () => {};
    const batches: (number | undefined)[][] = [];
    for await (const batch of run.batches) {
      batches.push(batch.map(({ value }) => value));
      open();
    }
    expect(batches).toEqual([
      [0, 1, 2],
      [3, 4, 5],
    ]);
  });

  test("continues after a job fails", async () => {
    const refused = new RelayctlError("conflict", "Relayer is disabled");
    const run = runAll(
      jobs(3, async (index) => {
        if (index === 1) throw refused;
        return index;
      }),
      bounds(),
    );
    expect(await run.done).toEqual([
      { id: "r0", value: 0 },
      { id: "r1", error: refused },
      { id: "r2", value: 2 },
    ]);
  });

  test("marks values that were already set", async () => {
    const run = runAll([{ id: "a", already: true, run: async () => 1 }, ...jobs(1, async () => 2)], bounds());
    expect(await run.done).toEqual([
      { id: "a", value: 1, already: true },
      { id: "r0", value: 2 },
    ]);
  });

  test("starts no further job after the token is refused", async () => {
    const begun: number[] = [];
    const run = runAll(
      jobs(50, async (index) => {
        begun.push(index);
        throw new RelayctlError("auth", "Unauthorized");
      }),
      bounds({ concurrency: 2 }),
    );
    const landed = await run.done;
    expect(begun.length).toBeLessThanOrEqual(2);
    expect(landed).toHaveLength(50);
    expect(landed.at(-1)).toEqual({ id: "r49" });
  });

  test("starts no further job after a failure that ends all", async () => {
    const missing = new RelayctlError("rejected", "404");
    const run = runAll(
      jobs(9, async (index) => {
        throw index === 1 ? missing : new RelayctlError("server", "500");
      }),
      bounds({ concurrency: 1, endsAll: ({ failure }) => failure === "rejected" }),
    );
    expect((await run.done).map(({ error }) => error?.failure)).toEqual([
      "server",
      "rejected",
      ...Array(7).fill(undefined),
    ]);
  });

  test("awaits running jobs after an interrupt, and starts no other", async () => {
    const interrupt = new AbortController();
    const run = runAll(
      jobs(9, async (index) => {
        if (index === 2) interrupt.abort();
        await setImmediate();
        return index;
      }),
      bounds({ concurrency: 3, interrupt: interrupt.signal }),
    );
    const landed = await run.done;
    const values = (all: readonly Completed<number>[]) => all.map(({ value }) => value);
    expect(values(landed)).toEqual([0, 1, 2, ...Array(6).fill(undefined)]);
  });

  test("runs all jobs even if the results are not read to the end", async () => {
    const done: number[] = [];
    const run = runAll(
      jobs(20, async (index) => {
        done.push(index);
        return index;
      }),
      bounds({ concurrency: 1 }),
    );
    for await (const _ of run.results) break;
    await run.done;
    expect(done).toHaveLength(20);
  });

  describe("a bug in a job", () => {
    const run = () =>
      runAll(
        jobs(3, async () => {
          throw new TypeError("a bug");
        }),
        bounds(),
      );

    test("ends the run", async () => await expect(run().done).rejects.toThrow(TypeError));

    test("ends the reader of the results", () => expect(collect(run().results)).rejects.toThrow(TypeError));
  });
});

describe("the failure of a bulk run", () => {
  const signal = new AbortController().signal;
  const ok = (id: string): Completed<number> => ({ id, value: 1 });
  const bad = (
    id: string,
    failure: "conflict" | "rejected" | "unknown" | "server" | "interrupted" | "rate_limited",
  ): Completed<number> => ({
    id,
    error: new RelayctlError(failure, "it says no", { because: ["for a reason"] }),
  });

  test("is undefined if all succeeded", () => {
    expect(bulkFailure([ok("a"), ok("b")], "relayers", signal)).toBeUndefined();
    expect(bulkFailure([], "relayers", signal)).toBeUndefined();
  });

  test("is partial and applied if some failed, with the code of each failure", () =>
    expect(bulkFailure([ok("a"), bad("b", "conflict"), bad("c", "rejected")], "relayers", signal)).toMatchObject({
      failure: "partial",
      exitCode: 12,
      applied: "yes",
      message: "2 of 3 relayers failed",
      details: [
        { where: "b", given: "conflict", rule: "it says no; for a reason" },
        { where: "c", given: "rejected", rule: "it says no; for a reason" },
      ],
      because: [],
    }));

  test("explains a single failure, since a single problem is not listed", () =>
    expect(bulkFailure([ok("a"), bad("b", "conflict")], "relayers", signal)?.because).toEqual([
      "b: it says no; for a reason",
    ]));

  test("is the common failure if all failed alike, and nothing was applied", () =>
    expect(bulkFailure([bad("a", "conflict"), bad("b", "conflict")], "relayers", signal)).toMatchObject({
      failure: "conflict",
      applied: "no",
    }));

  test.each([
    [["rate_limited", "server"], "rate_limited"],
    [["rate_limited", "conflict", "rejected"], "conflict"],
    [["rate_limited", "unknown"], "partial"],
  ] as const)(
    "is what another attempt cannot fix, else the first, if all failed differently: %j",
    (failures, failure) => {
      const completed = failures.map((each, index) => bad(`r${index}`, each));
      expect(bulkFailure(completed, "relayers", signal)).toMatchObject({
        failure,
        retryable: failure === "rate_limited",
      });
      expect(bulkFailure([ok("r9"), ...completed], "relayers", signal)?.failure).toBe("partial");
    },
  );

  test("does not count values that were already set as applied", () => {
    const already: Completed<number> = { id: "a", value: 1, already: true };
    expect(bulkFailure([already], "relayers", signal)).toBeUndefined();
    expect(bulkFailure([already, bad("b", "rejected")], "relayers", signal)).toMatchObject({
      failure: "rejected",
      applied: "no",
      message: "1 of 2 relayers failed",
    });
    expect(bulkFailure([already, ok("b"), bad("c", "rejected")], "relayers", signal)).toMatchObject({
      failure: "partial",
      applied: "yes",
    });
  });

  test("is the failure that ended the run if nothing was applied before", () =>
    expect(bulkFailure([bad("a", "server"), { id: "b" }], "relayers", signal)).toMatchObject({
      failure: "server",
      applied: "no",
      message: "1 of 2 relayers failed, 1 not started",
    }));

  test("is unknown if one outcome is unknown", () =>
    expect(bulkFailure([ok("a"), bad("b", "unknown")], "relayers", signal)).toMatchObject({ applied: "unknown" }));

  test("reports the number not started, and an interrupt as such", () => {
    const landed = [ok("a"), { id: "b" }, { id: "c" }];
    expect(bulkFailure(landed, "relayers", AbortSignal.abort())).toMatchObject({
      failure: "interrupted",
      applied: "yes",
      message: "interrupted: 1 of 3 relayers done, 2 not started",
    });
  });

  test("reports an interrupt with what was done, without the targets that needed no change", () => {
    const prepared = bad("d", "interrupted");
    const landed = [ok("a"), { ...ok("b"), already: true as const }, bad("c", "conflict"), prepared, { id: "e" }];
    const failure = bulkFailure(landed, "relayers", AbortSignal.abort(), { done: "paused" });
    expect(failure?.message).toBe("interrupted: 1 of 4 relayers paused, 1 failed, 2 not started");
    expect(failure?.details.map(({ where }) => where)).toEqual(["c", "d", "e"]);
    expect(failure?.summary).toEqual(["c conflict: it says no; for a reason"]);
  });

  test("groups the failures by their reason, and lists the first twenty IDs of each", () => {
    const disabled = Array.from({ length: 25 }, (_, index) => bad(`r${index}`, "conflict"));
    const named = disabled.slice(0, 20).map(({ id }) => id);
    const { summary } = bulkFailure([ok("a"), ...disabled, bad("x", "server"), { id: "y" }], "relayers", signal) ?? {};
    expect(summary).toEqual([
      `25 failed: it says no; for a reason: ${named.join(", ")}, and 5 more`,
      "x server: it says no; for a reason",
      "not started: y",
    ]);
  });

  test("is retryable if every failure is retryable", () => {
    expect(bulkFailure([ok("a"), bad("b", "server")], "relayers", signal)?.retryable).toBe(true);
    expect(bulkFailure([bad("a", "server"), bad("b", "rejected")], "relayers", signal)?.retryable).toBe(false);
  });

  test("has the hint of a failure that may have been applied, or else the first hint", () => {
    const hinting = (id: string, failure: "conflict" | "unknown", hint: string): Completed<number> => ({
      id,
      error: new RelayctlError(failure, "it says no", { hint, ...(failure === "unknown" && { applied: "unknown" }) }),
    });
    const hintOf = (...landed: Completed<number>[]) => bulkFailure(landed, "relayers", signal)?.hint;
    expect(hintOf(hinting("a", "conflict", "look at a"), hinting("b", "unknown", "look at b"))).toBe("look at b");
    expect(hintOf(bad("a", "conflict"), hinting("b", "conflict", "look at b"))).toBe("look at b");
    expect(hintOf(bad("a", "conflict"), ok("b"))).toBeUndefined();
  });
});

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

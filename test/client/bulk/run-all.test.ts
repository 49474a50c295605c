import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import { type Completed, type Job, type RunBounds, runAll } from "../../../src/client/bulk/run-all.ts";
import { RelayctlError } from "../../../src/errors.ts";
import { runs } from "../../helpers/deep.ts";

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

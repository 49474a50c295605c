import { type Failure, RelayctlError } from "../../../src/errors.ts";
import { type RowEnd, type SendBounds, sendRows } from "../../../src/payments/run/send.ts";

/** Sends rows; `fails` decides by row. */
async function run(count: number, fails: (row: number) => Error | undefined, bounds: Partial<SendBounds> = {}) {
  const ends = new Map<number, RowEnd>();
  const sent: number[] = [];
  let [current, most] = [0, 0];
  const usual = { concurrency: 1, stopAfter: 10, interrupt: new AbortController().signal };
  const stop = await sendRows(
    Array.from({ length: count }, (_, index) => ({ row: index + 1, body: {} })),
    { ...usual, ...bounds },
    async ({ row }) => {
      sent.push(row);
      most = Math.max(most, ++current);
      await new Promise((resolve) => setImmediate(resolve));
      current--;
      const error = fails(row);
      if (error) throw error;
      return { id: `t${row}` };
    },
    ({ row }, end) => ends.set(row, end),
  );
  return { stop, sent, most, ends: [...ends].sort(([one], [other]) => one - other).map(([, { end }]) => end) };
}

const failure = (word: Failure) => new RelayctlError(word, word);

describe("rows are sent", () => {
  test("each once, in order, and several at a time", async () => {
    const { sent, most, ends, stop } = await run(20, () => undefined, { concurrency: 4 });
    expect(sent).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
    expect(most).toBe(4);
    expect(new Set(ends)).toEqual(new Set(["sent"]));
    expect(stop).toBeUndefined();
  });

  test("none after a stop, even if some wait for their turn", async () => {
    const turn = () => new Promise((resolve) => setImmediate(resolve));
    const refused = () => failure("auth");
    expect(await run(8, refused, { concurrency: 4, turn, stopAfter: 1 })).toMatchObject({
      sent: [1, 2, 3, 4],
      stop: { stopped: "error" },
    });
    const interrupt = AbortSignal.abort();
    expect(await run(8, refused, { turn, interrupt })).toMatchObject({ sent: [], stop: { stopped: "interrupted" } });
  });

  test("none if there are none", async () =>
    expect(await run(0, () => undefined)).toMatchObject({ sent: [], stop: undefined }));
});

describe("a row that fails", () => {
  test.each<[Failure, RowEnd["end"]]>([
    ["rejected", "refused"],
    ["network", "refused"],
    ["usage", "refused"],
    ["unknown", "unknown"],
  ])("with %s is %s, and the others are sent", async (word, end) => {
    const { ends, stop } = await run(3, (row) => (row === 2 ? failure(word) : undefined));
    expect(ends).toEqual(["sent", end, "sent"]);
    expect(stop).toBeUndefined();
  });

  test("is unknown if another transaction was accepted than the row", async () => {
    for (const applied of ["unknown", "yes"] as const) {
      const { ends } = await run(1, () => new RelayctlError("mismatch", "another value", { applied }));
      expect(ends).toEqual(["unknown"]);
    }
  });

  test.each<[Failure]>([["auth"], ["conflict"], ["rate_limited"], ["io"], ["declined"], ["not_found"]])(
    "with %s stops the run, and counts as not sent",
    async (word) => {
      const { ends, sent, stop } = await run(5, (row) => (row === 2 ? failure(word) : undefined));
      expect(ends).toEqual(["sent", "unsent"]);
      expect(sent).toEqual([1, 2]);
      expect(stop).toMatchObject({ stopped: "error", error: { failure: word } });
    },
  );

  test("does not stop a run with its last row", async () => {
    const { sent, stop } = await run(3, () => failure("unknown"), { stopAfter: 3 });
    expect(sent).toHaveLength(3);
    expect(stop).toBeUndefined();
  });

  test("stops the run after so many failures, of which a lost response is one", async () => {
    const { sent, stop } = await run(9, (row) => failure(row % 2 === 0 ? "unknown" : "rejected"), { stopAfter: 3 });
    expect(sent).toEqual([1, 2, 3]);
    expect(stop).toEqual({ stopped: "failures" });
  });

  test("with a bug ends the run with that bug", () =>
    expect(run(2, () => new TypeError("bug"))).rejects.toThrow(TypeError));
});

test("an interrupt starts no further row, and awaits those in progress", async () => {
  const interrupt = new AbortController();
  const { ends, sent, stop } = await run(
    20,
    (row) => {
      if (row === 3) interrupt.abort("interrupted");
      return undefined;
    },
    { concurrency: 2, interrupt: interrupt.signal },
  );
  expect(stop).toEqual({ stopped: "interrupted" });
  expect(sent.length).toBeLessThanOrEqual(5);
  expect(ends).toHaveLength(sent.length);
});

test("no row is started once the time of the command is over", async () => {
  let left = 2;
  const { sent, stop } = await run(5, () => void left--, { remaining: () => left });
  expect(sent).toEqual([1, 2]);
  expect(stop).toEqual({ stopped: "deadline" });
});

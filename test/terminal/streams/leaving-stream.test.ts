import { leavingStream } from "../../../src/terminal/streams/leaving-stream.ts";
import type { WritableText } from "../../../src/terminal/streams/output.ts";
import { steppedClock } from "../../helpers/stepped-clock.ts";

/** A stream whose reader takes a write when the test says so. */
function written() {
  const clock = steppedClock();
  const interrupt = new AbortController();
  let take: (error?: Error | null) => void = () => {};
  const ends: unknown[] = [];
  const source: WritableText = {
    on: () => {},
    write: (_, done) => {
      take = done;
    },
  };
  const stream = leavingStream(source, { interrupt: interrupt.signal, clock });
  const write = () => void stream.write("text", (error) => ends.push(error));
  return { clock, interrupt, ends, write, take: (error?: Error | null) => take(error) };
}

test("a write waits for a slow reader without a limit", async () => {
  const { clock, ends, write, take } = written();
  write();
  await clock.pass(3_600_000);
  expect(ends).toEqual([]);
  take();
  expect(ends).toEqual([undefined]);
});

test.each(["before", "after"])(
  "a write that starts %s an interrupt fails if the reader does not read it",
  async (when) => {
    const { clock, interrupt, ends, write, take } = written();
    if (when === "before") write();
    interrupt.abort("interrupted");
    if (when === "after") write();
    await clock.pass(299);
    expect(ends).toEqual([]);
    await clock.pass(1);
    expect(ends).toEqual([expect.objectContaining({ code: "EINTR" })]);
    take();
    expect(ends).toHaveLength(1);
  },
);

test("a write succeeds if the reader reads it after an interrupt", async () => {
  const { clock, interrupt, ends, write, take } = written();
  interrupt.abort("interrupted");
  write();
  take(null);
  await clock.pass(1_000);
  expect(ends).toEqual([null]);
});

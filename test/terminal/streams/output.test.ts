import { PassThrough, Readable, Writable } from "node:stream";
import { markMasked } from "../../../src/contract/secret-fields.ts";
import { createInput } from "../../../src/terminal/streams/input.ts";
import { leavingStream } from "../../../src/terminal/streams/leaving-stream.ts";
import { ClosedPipe, createOutput, type WritableText } from "../../../src/terminal/streams/output.ts";
import { createPagedOutput, type Pager } from "../../../src/terminal/streams/paged-output.ts";
import { memoryOutput } from "../../helpers/memory/output.ts";
import { steppedClock } from "../../helpers/stepped-clock.ts";

describe("output", () => {
  const secrets = {
    redact: (text: string) => markMasked(text.replaceAll("hunter2", "[token]")),
    mayOccurIn: () => true,
  };

  function outputTo(stream: WritableText) {
    return createOutput("stdout", { isTerminal: false, open: () => stream }, secrets);
  }

  /** A stream that fails every write with a code of the system. */
  function failing(code: string): Writable {
    return new Writable({ write: (_chunk, _encoding, done) => done(Object.assign(new Error("write"), { code })) });
  }

  test("redacts secrets in text and bytes, except in revealed text", async () => {
    const stream = new PassThrough();
    const output = outputTo(stream);
    await output.write("a hunter2\n");
    await output.write(new TextEncoder().encode("b hunter2\n"));
    await output.reveal("c hunter2\n");
    stream.end();
    expect((await stream.toArray()).join("")).toBe("a [token]\nb [token]\nc hunter2\n");
  });

  test("keeps bytes that are not text unchanged", async () => {
    const stream = new PassThrough();
    await outputTo(stream).write(Uint8Array.of(0xff, 0x00, 0xfe));
    expect([...stream.read()]).toEqual([0xff, 0x00, 0xfe]);
  });

  test("completes a write when the stream has accepted it", async () => {
    const taken: (() => void)[] = [];
    const stream = new Writable({ write: (_chunk, _encoding, done) => void taken.push(done) });
    const order: string[] = [];
    const writing = outputTo(stream)
      .write("a")
      .then(() => order.push("written"));
    await Promise.resolve();
    order.push("taken");
    taken[0]?.();
    await writing;
    expect(order).toEqual(["taken", "written"]);
  });

  test.each(["EPIPE", "EOF", "ERR_STREAM_DESTROYED"])(
    "reports a closed pipe (%s), also at the next write",
    async (code) => {
      const output = outputTo(failing(code));
      await expect(output.write("a")).rejects.toBeInstanceOf(ClosedPipe);
      await expect(output.write("b")).rejects.toBeInstanceOf(ClosedPipe);
    },
  );

  test("writes nothing more after a failure, so that the output has no gap", async () => {
    const codes = ["ENOSPC"];
    const taken: unknown[] = [];
    const write = (chunk: unknown, done: (error?: Error) => void) => {
      const code = codes.shift();
      if (code) return done(Object.assign(new Error("write"), { code }));
      taken.push(chunk);
      done();
    };
    const output = outputTo({ write, on: () => undefined });
    await expect(output.write("a")).rejects.toMatchObject({ failure: "io" });
    await expect(output.write("b")).rejects.toMatchObject({ failure: "io" });
    expect(taken).toEqual([]);
  });

  test("reports the first failure to every pending write, not the failures that follow from it", async () => {
    const waiting: ((error: Error) => void)[] = [];
    const write = (_chunk: unknown, done: (error: Error) => void) => waiting.push(done);
    const output = outputTo({ write, on: () => undefined });
    const writes = [output.write("a"), output.write("b")];
    for (const code of ["ENOSPC", "ERR_STREAM_DESTROYED"])
      waiting.shift()?.(Object.assign(new Error("write"), { code }));
    const settled = await Promise.allSettled(writes);
    expect(settled.map((write) => write.status === "rejected" && write.reason.failure)).toEqual(["io", "io"]);
  });

  test("reports a full disk as an I/O failure, also at the next write", async () => {
    const output = outputTo(failing("ENOSPC"));
    const expected = { failure: "io", exitCode: 74, message: "stdout could not be written: ENOSPC" };
    await expect(output.write("a")).rejects.toMatchObject(expected);
    await expect(output.reveal("b")).rejects.toMatchObject(expected);
  });

  test("reports the terminal and its width, and 80 columns if the terminal has no width", () => {
    const terminal = Object.assign(new PassThrough(), { columns: 20 });
    const output = createOutput("stderr", { isTerminal: true, open: () => terminal }, secrets);
    expect([output.isTerminal, output.columns]).toEqual([true, 20]);
    terminal.columns = 100;
    expect(output.columns).toBe(100);
    terminal.columns = 0;
    expect(output.columns).toBe(80);
  });

  test("opens its stream at the first write, not for its properties", async () => {
    const opened: string[] = [];
    const open = () => {
      opened.push("opened");
      return new PassThrough();
    };
    const output = createOutput("stderr", { isTerminal: false, open }, secrets);
    expect([output.isTerminal, output.columns, output.rows, opened]).toEqual([false, 80, 24, []]);
    await output.write("");
    expect(opened).toEqual([]);
    await output.write("a");
    await output.write("b");
    expect(opened).toEqual(["opened"]);
  });
});

const LINES = "line\n".repeat(10);

function opened(pager: Partial<Pager> & { quitsAfter?: number } = {}) {
  const stdout = memoryOutput({ terminal: true, rows: 8, redact: (text) => text });
  const shown: string[] = [];
  const problems: string[] = [];
  let starts = 0;
  const { quitsAfter = Number.POSITIVE_INFINITY } = pager;
  const output = {
    write: async (text: string | Uint8Array) => {
      if (shown.length >= quitsAfter) throw new ClosedPipe();
      shown.push(String(text));
    },
  };
  const open = async () => {
    starts++;
    return { output, close: async () => undefined, ...pager };
  };
  const paged = createPagedOutput(stdout, open, async (problem) => void problems.push(problem));
  return { paged, stdout, shown, problems, starts: () => starts };
}

describe("a text", () => {
  test("that fits the screen is written straight, without a pager", async () => {
    const { paged, stdout, starts } = opened();
    expect(paged.isHolding()).toBe(false);
    await paged.stdout.write("a\n");
    await paged.stdout.write("b\n");
    expect(paged.isHolding()).toBe(true);
    await paged.close();
    expect(paged.isHolding()).toBe(false);
    expect(stdout.text()).toBe("a\nb\n");
    expect(starts()).toBe(0);
  });

  test("that is longer goes to one pager as a whole, and keeps the width and the terminal", async () => {
    const { paged, stdout, shown, starts } = opened();
    for (const line of LINES.match(/.*\n/g) ?? []) await paged.stdout.write(line);
    expect(paged.isHolding()).toBe(true);
    await paged.stdout.write("last\n");
    await paged.close();
    expect(shown.join("")).toBe(`${LINES}last\n`);
    expect([starts(), stdout.text(), paged.stdout.columns, paged.stdout.isTerminal]).toEqual([1, "", 80, true]);
  });
});

test("no more is written once the user has quit", async () => {
  const { paged, stdout, problems } = opened({ quitsAfter: 1 });
  await paged.stdout.write(LINES);
  await expect(paged.stdout.write("more\n")).rejects.toThrow(ClosedPipe);
  await paged.close();
  expect([stdout.text(), problems]).toEqual(["", []]);
});

test.each([1, 2])("a text is not written again after a pager got %d parts of it and failed", async (quitsAfter) => {
  const { paged, stdout, shown, problems } = opened({ quitsAfter, close: async () => "it ended with status 1" });
  await paged.stdout.write(LINES);
  const last = paged.stdout.write("last\n");
  await (quitsAfter === 1 ? expect(last).rejects.toThrow(ClosedPipe) : last);
  await paged.close();
  await paged.close();
  expect(shown.join("")).toBe(quitsAfter === 1 ? LINES : `${LINES}last\n`);
  expect([stdout.text(), problems, paged.isHolding()]).toEqual(["", ["it ended with status 1"], false]);
});

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

describe("input", () => {
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

  test("is read to the end", async () => {
    expect(text(await createInput(Readable.from(["a", new TextEncoder().encode("ü"), "c"])).read(10))).toBe("aüc");
    expect(await createInput(Readable.from([])).read(10)).toHaveLength(0);
  });

  test("is rejected above the limit in bytes", async () => {
    expect(text(await createInput(Readable.from(["üü"])).read(4))).toBe("üü");
    await expect(createInput(Readable.from(["üü", "x"])).read(4)).rejects.toThrow("stdin: has more than 4 bytes");
  });

  test("reports a read error with the error code only", async () => {
    const broken = new Readable({
      read() {
        this.destroy(Object.assign(new Error("secret"), { code: "EISDIR" }));
      },
    });
    await expect(createInput(broken).read(4)).rejects.toMatchObject({
      failure: "usage",
      message: "stdin: could not be read: EISDIR",
    });
  });

  test("may be a terminal, unless the caller refuses terminals", async () => {
    const terminal = () => Object.assign(Readable.from(["typed"]), { isTTY: true });
    expect(createInput(terminal()).isTerminal).toBe(true);
    expect(text(await createInput(terminal()).read(10))).toBe("typed");
    await expect(createInput(terminal(), { refuseTerminal: true }).read(10)).rejects.toThrow(
      "stdin: is a terminal; specify a file, or pipe the input",
    );
  });
});

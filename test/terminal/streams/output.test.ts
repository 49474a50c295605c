import { PassThrough, Writable } from "node:stream";
import { unmasked } from "../../../src/contract/secret-fields.ts";
import { ClosedPipe, createOutput, type WritableText } from "../../../src/terminal/streams/output.ts";

const secrets = { redact: (text: string) => unmasked(text.replaceAll("hunter2", "[token]")), mayOccurIn: () => true };

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
  expect(stream.read().toString()).toBe("a [token]\nb [token]\nc hunter2\n");
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
  for (const code of ["ENOSPC", "ERR_STREAM_DESTROYED"]) waiting.shift()?.(Object.assign(new Error("write"), { code }));
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

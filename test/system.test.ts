import { createInterface } from "node:readline";
import { PassThrough } from "node:stream";
import { clock, endProcessAtError, endProcessSoon } from "../src/system.ts";

test("an input that fails during a prompt ends the prompt without an exception", () => {
  const input = new PassThrough();
  endProcessAtError(input);
  let hasClosed = false;
  createInterface({ input }).on("close", () => {
    hasClosed = true;
  });
  input.emit("error", new Error("EIO"));
  expect(hasClosed).toBe(true);
});

test("a sleep ends when its signal is aborted, or immediately if the signal is already aborted", async () => {
  const ended = new AbortController();
  const sleeping = clock.sleep(60_000, ended.signal);
  ended.abort("awake");
  await sleeping;
  await clock.sleep(60_000, ended.signal);
});

test("a sleep that is longer than a timer's limit does not end immediately", async () => {
  const ended = new AbortController();
  let isAwake = false;
  const sleeping = clock.sleep(Number.MAX_SAFE_INTEGER, ended.signal).then(() => {
    isAwake = true;
  });
  await clock.sleep(5);
  expect(isAwake).toBe(false);
  ended.abort("awake");
  await sleeping;
});

test("a sleep with no time left ends soon, without a Node warning", async () => {
  const warnings: string[] = [];
  const listen = ({ name }: Error) => void (/^Timeout/.test(name) && warnings.push(name));
  process.on("warning", listen);
  await clock.sleep(-0.0003);
  await clock.sleep(0);
  process.off("warning", listen);
  expect(warnings).toEqual([]);
});

test("the process ends 300 ms after its result is printed, even if something keeps it alive", () => {
  vi.useFakeTimers();
  const exit = vi.spyOn(process, "exit").mockImplementation(() => undefined as never);
  onTestFinished(() => {
    exit.mockRestore();
    vi.useRealTimers();
  });
  endProcessSoon(AbortSignal.abort("interrupted"));
  vi.advanceTimersByTime(299);
  expect(exit).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(exit).toHaveBeenCalledOnce();
});

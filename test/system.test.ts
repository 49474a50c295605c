import { createInterface } from "node:readline";
import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { clock, endAtError } from "../src/system.ts";

test("an input that fails under a prompt ends it and throws nothing", () => {
  const input = new PassThrough();
  endAtError(input);
  let hasClosed = false;
  createInterface({ input }).on("close", () => {
    hasClosed = true;
  });
  input.emit("error", new Error("EIO"));
  expect(hasClosed).toBe(true);
});

test("a sleep ends when its signal is aborted, at once when it was so before", async () => {
  const ended = new AbortController();
  const sleeping = clock.sleep(60_000, ended.signal);
  ended.abort("awake");
  await sleeping;
  await clock.sleep(60_000, ended.signal);
});

test("a sleep that is longer than a timer can be does not end at once", async () => {
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

test("a sleep until a moment that is over ends soon, without a word of Node's", async () => {
  const warnings: string[] = [];
  const listen = ({ name }: Error) => void (/^Timeout/.test(name) && warnings.push(name));
  process.on("warning", listen);
  await clock.sleep(-0.0003);
  await clock.sleep(0);
  process.off("warning", listen);
  expect(warnings).toEqual([]);
});

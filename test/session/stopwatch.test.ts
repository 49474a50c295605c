import { createStopwatch } from "../../src/session/stopwatch.ts";
import { manualClock } from "../helpers/manual-clock.ts";

test("does not count time at a prompt", async () => {
  const clock = manualClock();
  const stopwatch = createStopwatch(clock, 120_000);
  await clock.sleep(20_000);
  expect(stopwatch.remaining?.()).toBe(100_000);
  await stopwatch.pausing(Promise.resolve().then(() => clock.sleep(20_000)));
  expect(stopwatch.remaining?.()).toBe(100_000);
  const declined = Promise.resolve().then(async () => {
    await clock.sleep(5_000);
    throw new Error("no");
  });
  await expect(stopwatch.pausing(declined)).rejects.toThrow("no");
  expect(stopwatch.remaining?.()).toBe(100_000);
});

test("counts a pause within a pause once", async () => {
  const clock = manualClock();
  const stopwatch = createStopwatch(clock, 120_000);
  await clock.sleep(20_000);
  await stopwatch.pausing(stopwatch.pausing(Promise.resolve().then(() => clock.sleep(50_000))));
  expect(stopwatch.remaining?.()).toBe(100_000);
});

test("has no remaining time without a limit", async () => {
  const stopwatch = createStopwatch(manualClock(), undefined);
  expect(stopwatch.remaining).toBeUndefined();
  expect(await stopwatch.pausing(Promise.resolve(1))).toBe(1);
});

import { setImmediate } from "node:timers/promises";
import { type Transport, TransportFailure } from "../../src/client/transport/transport.ts";
import { createStopwatch } from "../../src/session/stopwatch.ts";
import { runHere, SERVER, testApp } from "../helpers/cli.ts";
import { manualClock } from "../helpers/manual-clock.ts";
import { steppedClock } from "../helpers/stepped-clock.ts";

test("a command other than a list ends after two minutes without a response", async () => {
  const clock = steppedClock();
  const hanging: Transport = async (_, { signal }) => {
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    throw new TransportFailure("timeout", "no response in time", { sent: true });
  };
  const made = testApp({ service: hanging, clock });
  let isOver = false;
  const ended = runHere(made, ["relayers", "balance", "r1", "--timeout", "1h"]).finally(() => {
    isOver = true;
  });
  while (made.requests.length < 1) await setImmediate();
  await clock.pass(119_999);
  expect(isOver).toBe(false);
  await clock.pass(1);
  while (!isOver) await setImmediate();
  expect(await ended).toMatchObject({ exitCode: 10 });
});

test.each([
  "relayers list --token-file tok",
  "relayers list --token-file -",
  "relayers update evm-1 --yes -f body.json",
  "relayers update evm-1 --yes -f -",
  "plan -f fleet.json",
])("a file that never ends is read until the deadline: %s", async (words) => {
  const clock = steppedClock();
  const made = testApp({ clock });
  const read = () => new Promise<never>(() => {});
  const app = { ...made.app, stdin: { isTerminal: false, read }, files: { ...made.app.files, read } };
  const line = `${words} --server ${SERVER} --deadline 40s`;
  const ended = runHere({ ...made, app }, line.split(" "));
  await clock.pass(40_000);
  const ran = await Promise.race([ended, setImmediate("still running")]);
  expect(ran).toMatchObject({ exitCode: 10 });
  expect(made.requests).toEqual([]);
  expect(ran).toMatchObject({ stderr: expect.stringContaining("had not ended when the deadline passed") });
});

describe("the stopwatch", () => {
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
});

import { describe, expect, test } from "vitest";
import { createPace } from "../../src/client/pace.ts";

/** A clock on which time passes from one waker to the next, as soon as nobody has anything else to do. */
function virtualClock() {
  let now = 0;
  const sleepers: { at: number; wake: () => void }[] = [];
  const sleep = (milliseconds: number) =>
    new Promise<void>((wake) => void sleepers.push({ at: now + Math.max(0, milliseconds), wake }));
  async function until(done: Promise<unknown>): Promise<number> {
    let isDone = false;
    void done.then(() => {
      isDone = true;
    });
    for (;;) {
      for (let step = 0; step < 20; step++) await Promise.resolve();
      if (isDone) return now;
      sleepers.sort((one, other) => one.at - other.at);
      const next = sleepers.shift();
      if (!next) throw new Error("everybody waits for nothing");
      now = next.at;
      next.wake();
    }
  }
  return { elapsed: () => now, sleep, until };
}

interface Service {
  perSecond: number;
  burst: number;
  latency?: number;
}

/** Sends so many requests by so many workers to a service with a bucket, each until it is let through. */
async function sent(requests: number, workers: number, { perSecond, burst, latency = 2 }: Service) {
  const clock = virtualClock();
  const pace = createPace(clock);
  const { signal } = new AbortController();
  let [tokens, filled, refused, left] = [burst, 0, 0, requests];
  const passes = () => {
    tokens = Math.min(burst, tokens + ((clock.elapsed() - filled) * perSecond) / 1000);
    filled = clock.elapsed();
    if (tokens < 1) return false;
    tokens--;
    return true;
  };
  const send = async (): Promise<void> => {
    const turn = await pace.turn(signal);
    const passed = passes();
    await clock.sleep(latency);
    if (passed) return pace.passed();
    refused++;
    pace.refused(turn, 100);
    await clock.sleep(200);
    await send();
  };
  const worker = async () => {
    while (left-- > 0) await send();
  };
  const time = await clock.until(Promise.all(Array.from({ length: workers }, worker)));
  return { seconds: time / 1000, refused, ideal: (requests - burst) / perSecond };
}

test("without a refusal nothing waits", async () => {
  const { seconds } = await sent(1_000, 10, { perSecond: 1, burst: 1_000 });
  expect(seconds).toBe(0.2);
});

describe("the rate that a service allows is found", () => {
  test.each([
    [{ perSecond: 200, burst: 300 }, 16],
    [{ perSecond: 100, burst: 300 }, 16],
    [{ perSecond: 10, burst: 300 }, 8],
    [{ perSecond: 100, burst: 50 }, 64],
    [{ perSecond: 200, burst: 300, latency: 40 }, 64],
  ])("%o, by %i workers: nearly in the time that it takes at best, and few are refused", async (service, workers) => {
    const { seconds, refused, ideal } = await sent(2_000, workers, service);
    expect(seconds / ideal).toBeLessThan(1.15);
    expect(refused / 2_000).toBeLessThan(0.05);
  });
});

describe("after a refusal", () => {
  test("nothing leaves until the wait is over, and then one after the other", async () => {
    const clock = virtualClock();
    const pace = createPace(clock);
    const { signal } = new AbortController();
    pace.refused(await pace.turn(signal), 500);
    const leaving = Promise.all([pace.turn(signal), pace.turn(signal), pace.turn(signal)]);
    await clock.until(leaving);
    expect(await leaving).toEqual([500, 510, 520]);
  });

  test("others that left before it change nothing but the wait", async () => {
    const clock = virtualClock();
    const pace = createPace(clock);
    const { signal } = new AbortController();
    const turns = await Promise.all([pace.turn(signal), pace.turn(signal), pace.turn(signal)]);
    for (const [index, left] of turns.entries()) {
      await clock.until(clock.sleep(1));
      pace.refused(left, 100 * (index + 1));
    }
    const leaving = Promise.all([pace.turn(signal), pace.turn(signal)]);
    await clock.until(leaving);
    expect(await leaving).toEqual([303, 313]);
  });

  test("whoever is interrupted does not wait", async () => {
    const clock = virtualClock();
    const pace = createPace(clock);
    const interrupt = new AbortController();
    pace.refused(await pace.turn(interrupt.signal), 60_000);
    interrupt.abort();
    expect(await pace.turn(interrupt.signal)).toBe(0);
  });
});

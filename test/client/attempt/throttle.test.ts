import { getEventListeners } from "node:events";
import { createSharedEnds } from "../../../src/client/attempt/shared-ends.ts";
import { createThrottle, type Throttle } from "../../../src/client/attempt/throttle.ts";
import type { RelayctlError } from "../../../src/errors.ts";
import { chosen } from "../../helpers/deep.ts";
import { steppedClock } from "../../helpers/stepped-clock.ts";
import { testClientContext } from "../../helpers/test-link.ts";

describe("the throttle", () => {
  const NOON = Date.parse("2026-11-21T12:00:00Z");
  const forEver = () => Number.POSITIVE_INFINITY;

  /** A clock on which time passes from one waker to the next, as soon as nobody has anything else to do. */
  function virtualClock(lateness = 0) {
    let now = 0;
    const sleepers: { at: number; wake: () => void }[] = [];
    const sleep = (milliseconds: number) =>
      new Promise<void>((wake) => void sleepers.push({ at: now + Math.max(0, milliseconds) + lateness, wake }));
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
    return { now: () => NOON + now, elapsed: () => now, sleep, until };
  }

  interface Service {
    perSecond: number;
    burst: number;
    latency?: number;
    /** Milliseconds by which every timer wakes late. */
    lateness?: number;
  }

  /** Sends so many requests by so many workers to a service with a bucket, each until it is let through. */
  async function sent(requests: number, workers: number, { perSecond, burst, latency = 2, lateness = 0 }: Service) {
    const clock = virtualClock(lateness);
    const throttle = createThrottle(clock);
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
      const turn = await throttle.turn(signal, forEver);
      const passed = passes();
      await clock.sleep(latency);
      if (passed) return throttle.passed();
      refused++;
      throttle.refused(turn, 100);
      await clock.sleep(200);
      await send();
    };
    const worker = async () => {
      while (left-- > 0) await send();
    };
    const time = await clock.until(Promise.all(Array.from({ length: workers }, worker)));
    return { seconds: time / 1000, refused, ideal: (requests - burst) / perSecond };
  }

  test("does not delay requests before the first refusal", async () => {
    const { seconds } = await sent(1_000, 10, { perSecond: 1, burst: 1_000 });
    expect(seconds).toBe(0.2);
  });

  test.each(
    chosen(
      [
        [{ perSecond: 200, burst: 300 }, 16],
        [{ perSecond: 100, burst: 300 }, 16],
        [{ perSecond: 10, burst: 300 }, 8],
        [{ perSecond: 100, burst: 50 }, 64],
        [{ perSecond: 200, burst: 300, latency: 40 }, 64],
        [{ perSecond: 200, burst: 300, lateness: 1.5 }, 16],
        [{ perSecond: 200, burst: 300, lateness: 4 }, 16],
      ],
      2,
      4,
      6,
    ),
  )(
    "the throttle finds the rate that the service allows: %o, %i workers: close to the ideal time, with few refusals",
    async (service, workers) => {
      const { seconds, refused, ideal } = await sent(2_000, workers, service);
      expect(seconds / ideal).toBeLessThan(1.15);
      expect(refused / 2_000).toBeLessThan(0.05);
    },
  );

  describe("a minimum interval between requests", () => {
    const turns = (throttle: Throttle, count: number) =>
      Promise.all(Array.from({ length: count }, () => throttle.turn(new AbortController().signal, forEver)));

    test("still applies after an idle period", async () => {
      const clock = virtualClock();
      const throttle = createThrottle(clock, 100);
      await clock.until(turns(throttle, 2));
      await clock.until(clock.sleep(900));
      const leaving = turns(throttle, 3);
      await clock.until(leaving);
      expect(await leaving).toEqual([1000, 1100, 1200]);
    });

    test.each([
      [105, 200],
      [106, 206],
    ])(
      "counts from the last turn unless a request comes late: at %i ms, the next leaves at %i ms",
      async (at, next) => {
        const clock = virtualClock();
        const throttle = createThrottle(clock, 100);
        await clock.until(turns(throttle, 1));
        await clock.until(clock.sleep(at));
        const leaving = turns(throttle, 2);
        await clock.until(leaving);
        expect(await leaving).toEqual([at, next]);
      },
    );

    test("is not stretched by timers that fire late", async () => {
      const clock = virtualClock(1);
      const leaving = turns(createThrottle(clock, 10), 101);
      await clock.until(leaving);
      expect(Math.max(...(await leaving))).toBeLessThanOrEqual(1_001);
    });
  });

  describe("after a refusal", () => {
    test("sends at least one request per second, however slow the service seems", async () => {
      const clock = virtualClock();
      const throttle = createThrottle(clock);
      const { signal } = new AbortController();
      const turn = () => throttle.turn(signal, forEver);
      throttle.refused(await turn(), 0);
      await clock.until(clock.sleep(10_000));
      throttle.refused(await turn(), 0);
      const leaving = Promise.all([turn(), turn(), turn()]);
      await clock.until(leaving);
      const [first = 0, ...others] = await leaving;
      expect(others).toEqual([first + 1_000, first + 2_000]);
    });

    test("requests wait until the delay is over, and then leave one after the other", async () => {
      const clock = virtualClock();
      const throttle = createThrottle(clock);
      const { signal } = new AbortController();
      throttle.refused(await throttle.turn(signal, forEver), 500);
      const leaving = Promise.all([
        throttle.turn(signal, forEver),
        throttle.turn(signal, forEver),
        throttle.turn(signal, forEver),
      ]);
      await clock.until(leaving);
      expect(await leaving).toEqual([500, 510, 520]);
    });

    test("a request waits no longer than the time that is left", async () => {
      const clock = virtualClock();
      const throttle = createThrottle(clock, 1_000);
      const turn = () => Promise.resolve(throttle.turn(new AbortController().signal, () => 250 - clock.elapsed()));
      await turn();
      await clock.until(turn());
      expect(clock.elapsed()).toBe(250);
    });

    test("refusals of requests that left earlier change only the delay", async () => {
      const clock = virtualClock();
      const throttle = createThrottle(clock);
      const { signal } = new AbortController();
      const turns = await Promise.all([
        throttle.turn(signal, forEver),
        throttle.turn(signal, forEver),
        throttle.turn(signal, forEver),
      ]);
      for (const [index, left] of turns.entries()) {
        await clock.until(clock.sleep(1));
        throttle.refused(left, 100 * (index + 1));
      }
      const leaving = Promise.all([throttle.turn(signal, forEver), throttle.turn(signal, forEver)]);
      await clock.until(leaving);
      expect(await leaving).toEqual([303, 313]);
    });

    test("a request whose time is shorter than the delay fails at once, with the end of the delay", async () => {
      const clock = virtualClock();
      const throttle = createThrottle(clock);
      const { signal } = new AbortController();
      throttle.refused(await throttle.turn(signal, forEver), 25_000);
      await expect(throttle.turn(signal, () => 4_000)).rejects.toMatchObject({
        failure: "rate_limited",
        because: ["the service asks to wait until 2026-11-21T12:00:25Z", "the request was not sent"],
      });
      expect(clock.elapsed()).toBe(0);
      const patient = Promise.resolve(throttle.turn(signal, () => 25_001));
      await clock.until(patient);
      expect(await patient).toBe(25_000);
    });

    test("a request that is already waiting fails too if its time is too short", async () => {
      const clock = virtualClock();
      const throttle = createThrottle(clock, 500);
      const { signal } = new AbortController();
      const left = await throttle.turn(signal, () => 4_000);
      const waiting = Promise.resolve(throttle.turn(signal, () => 4_000)).catch(
        ({ failure }: RelayctlError) => failure,
      );
      await clock.until(clock.sleep(1));
      throttle.refused(left, 25_000);
      await clock.until(waiting);
      expect([await waiting, clock.elapsed()]).toEqual(["rate_limited", 500]);
    });

    test("an interrupted request does not wait", async () => {
      const clock = virtualClock();
      const throttle = createThrottle(clock);
      const interrupt = new AbortController();
      throttle.refused(await throttle.turn(interrupt.signal, forEver), 60_000);
      interrupt.abort();
      expect(await throttle.turn(interrupt.signal, forEver)).toBe(0);
    });
  });
});

describe("the ends of shared attempts", () => {
  function ends(more: { remaining?: () => number } = {}) {
    const clock = steppedClock();
    const abandon = new AbortController();
    const clientContext = testClientContext(() => Promise.reject(new Error("nothing is sent")), {
      timeout: 1_000,
      abandon: abandon.signal,
      ...more,
    });
    const shared = createSharedEnds(clock);
    return { clock, abandon, clientContext, take: () => shared.take(clientContext) };
  }

  test("end each attempt after its own timeout, and no finished attempt", async () => {
    const { clock, take } = ends();
    const first = take();
    await clock.pass(400);
    const second = take();
    await clock.pass(500);
    first.over();
    const third = take();
    await clock.pass(499);
    expect([second, third].map(({ signal }) => signal.aborted)).toEqual([false, false]);
    await clock.pass(1);
    expect(second.signal.reason).toBe("timeout");
    expect(third.signal.aborted).toBe(false);
    await clock.pass(500);
    expect(third.signal.reason).toBe("timeout");
  });

  test("reuse a signal until it has fired", async () => {
    const { clock, take } = ends();
    const first = take();
    first.over();
    const second = take();
    expect(second.signal).toBe(first.signal);
    await clock.pass(1_000);
    second.over();
    expect(take().signal.aborted).toBe(false);
  });

  test("start the full timeout after an idle period", async () => {
    const { clock, take } = ends();
    take().over();
    await clock.pass(900);
    const later = take();
    await clock.pass(999);
    expect(later.signal.aborted).toBe(false);
    await clock.pass(1);
    expect(later.signal.reason).toBe("timeout");
  });

  test("end all attempts at once on abandon, including later ones", () => {
    const { abandon, clientContext, take } = ends();
    const [waits, over] = [take(), take()];
    over.over();
    clientContext.controller.abort();
    abandon.abort();
    expect(waits.signal.reason).toBe("interrupted");
    expect([take(), take()].map(({ signal }) => signal.reason)).toEqual(["interrupted", "interrupted"]);
  });

  test("report an interrupt once for any number of running attempts, and not without any", () => {
    const notes = (underWay: number) => {
      const { clientContext, take } = ends();
      take().over();
      for (let count = 0; count < underWay; count++) take();
      clientContext.controller.abort();
      return clientContext.events.filter(({ type }) => type === "note").length;
    };
    expect([0, 1, 8].map(notes)).toEqual([0, 1, 1]);
  });

  test("end unsent writes on the first interrupt, and report only writes that were sent", () => {
    const notes = (sent: number, unsent: number) => {
      const { clientContext, take } = ends();
      const [leaving, staying] = [Array.from({ length: unsent }, take), Array.from({ length: sent }, take)];
      for (const end of leaving) end.untilSent();
      for (const end of staying) end.untilSent()();
      clientContext.controller.abort();
      expect(leaving.every(({ signal }) => signal.reason === "interrupted")).toBe(true);
      expect(staying.some(({ signal }) => signal.aborted)).toBe(false);
      return clientContext.events.filter(({ type }) => type === "note").length;
    };
    expect([notes(0, 2), notes(1, 2), notes(2, 0)]).toEqual([0, 1, 1]);
  });

  test("end unsent writes at the deadline of the command, but not writes that were sent", async () => {
    const { clock, take } = ends({ remaining: () => 300 });
    const [first, second] = [take(), take()];
    const isSent = first.untilSent();
    second.untilSent();
    await clock.pass(200);
    isSent();
    await clock.pass(100);
    expect([first, second].map(({ signal }) => signal.reason)).toEqual([undefined, "timeout"]);
    await clock.pass(700);
    expect(first.signal.reason).toBe("timeout");
  });

  test("remove all listeners after every timeout", async () => {
    const { clock, abandon, clientContext, take } = ends();
    const listening = () =>
      [clientContext.interrupt, abandon.signal].map((signal) => getEventListeners(signal, "abort").length);
    for (let round = 0; round < 20; round++) {
      const taken = [take(), take()];
      expect(listening()).toEqual([1, 1]);
      await clock.pass(1_000);
      expect(taken.map(({ signal }) => signal.reason)).toEqual(["timeout", "timeout"]);
      for (const end of taken) end.over();
      expect(listening()).toEqual([0, 0]);
    }
  });
});

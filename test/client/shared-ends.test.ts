import { describe, expect, test } from "vitest";
import { createSharedEnds } from "../../src/client/shared-ends.ts";
import { steppedClock } from "../helpers/stepped-clock.ts";
import { testLink } from "../helpers/test-link.ts";

function ends() {
  const clock = steppedClock();
  const abandon = new AbortController();
  const link = testLink(() => Promise.reject(new Error("nothing is sent")), {
    timeout: 1_000,
    abandon: abandon.signal,
  });
  const shared = createSharedEnds(clock);
  return { clock, abandon, link, take: () => shared.take(link) };
}

describe("the ends of many writes", () => {
  test("come each after the time of its own attempt, and not for one that is over", async () => {
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

  test("are used again, but for those that came", async () => {
    const { clock, take } = ends();
    const first = take();
    first.over();
    const second = take();
    expect(second.signal).toBe(first.signal);
    await clock.pass(1_000);
    second.over();
    expect(take().signal.aborted).toBe(false);
  });

  test("begin their time anew when nothing was under way for a while", async () => {
    const { clock, take } = ends();
    take().over();
    await clock.pass(900);
    const later = take();
    await clock.pass(999);
    expect(later.signal.aborted).toBe(false);
    await clock.pass(1);
    expect(later.signal.reason).toBe("timeout");
  });

  test("come at once when everything is abandoned; an interrupt is told by those alone that are under way", () => {
    const { abandon, link, take } = ends();
    const [waits, over] = [take(), take()];
    over.over();
    link.controller.abort();
    expect(link.events.filter(({ type }) => type === "note")).toHaveLength(1);
    abandon.abort();
    expect(waits.signal.reason).toBe("interrupted");
    expect(take().signal.reason).toBe("interrupted");
  });
});

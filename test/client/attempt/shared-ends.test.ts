import { getEventListeners } from "node:events";
import { createSharedEnds } from "../../../src/client/attempt/shared-ends.ts";
import { steppedClock } from "../../helpers/stepped-clock.ts";
import { testClientContext } from "../../helpers/test-link.ts";

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

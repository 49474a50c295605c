import fc from "fast-check";
import { createClient } from "../../../src/client/client.ts";
import type { ListBounds } from "../../../src/client/pagination/list-pages.ts";
import { type AttemptLimits, type Transport, TransportFailure } from "../../../src/client/transport/transport.ts";
import type { WireReply, WireRequest } from "../../../src/contract/wire.ts";
import { chosen, runs } from "../../helpers/deep.ts";
import { refusal, success } from "../../helpers/service/reply.ts";
import { lost } from "../../helpers/service/scripted-service.ts";
import { errorOf, testClientContext } from "../../helpers/test-link.ts";

type Fault = (number: number, times: number) => WireReply | TransportFailure | undefined;

/** A service with so many items, which counts what it is asked and how much at once. */
function service(total: number, fault: Fault = () => undefined) {
  const asked: number[] = [];
  let underWay = 0;
  let mostUnderWay = 0;
  const answer = ({ target }: WireRequest): WireReply => {
    const query = new URL(target, "http://h").searchParams;
    const [number, size] = [Number(query.get("page")), Number(query.get("per_page"))];
    const times = asked.push(number) && asked.filter((other) => other === number).length;
    const failure = fault(number, times);
    if (failure instanceof TransportFailure) throw failure;
    if (failure) return failure;
    const from = (number - 1) * size;
    const count = Math.max(0, Math.min(size, total - from));
    const data = Array.from({ length: count }, (_, index) => `{"id":"r${from + index + 1}"}`);
    return success(`[${data}]`, { current_page: number, per_page: size, total_items: total });
  };
  const transport: Transport = async (request, limits) => {
    mostUnderWay = Math.max(mostUnderWay, ++underWay);
    try {
      const pause = new URL(request.target, "http://h").searchParams.get("page") === "1" ? 0 : (asked.length * 7) % 5;
      for (let step = 0; step < pause; step++) await ended(limits);
      return answer(request);
    } finally {
      underWay--;
    }
  };
  return { transport, asked, mostUnderWay: () => mostUnderWay, underWay: () => underWay };
}

async function ended({ signal }: AttemptLimits): Promise<void> {
  await Promise.resolve();
  if (signal.aborted) throw lost("interrupted");
}

function walk(transport: Transport, bounds: ListBounds, options = {}) {
  const clientContext = testClientContext(transport, options);
  return { clientContext, pages: createClient(clientContext).relayers.list(bounds) };
}

async function idsOf(transport: Transport, bounds: ListBounds, options = {}): Promise<unknown[]> {
  const ids: unknown[] = [];
  for await (const { items } of walk(transport, bounds, options).pages) ids.push(...items.map(({ id }) => id));
  return ids;
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

test.each([1, 2, 8, 100])(
  "%i requests at a time return the same IDs in the same order, and request each page once",
  async (most) => {
    await fc.assert(
      fc.asyncProperty(fc.nat(80), fc.integer({ min: 1, max: 9 }), async (total, perPage) => {
        const { transport, asked, mostUnderWay } = service(total);
        expect(await idsOf(transport, { perPage, concurrency: most })).toEqual(upTo(total).map((id) => `r${id}`));
        expect(asked.sort((one, other) => one - other)).toEqual(upTo(Math.max(1, Math.ceil(total / perPage))));
        expect(mostUnderWay()).toBeLessThanOrEqual(most);
      }),
      runs(3, 400),
    );
  },
);

test.each(chosen([1, 8, 32], 1))("reads 100,000 items with 100 requests, %i at a time", async (concurrency) => {
  const { transport, asked, mostUnderWay } = service(100_000);
  expect(await idsOf(transport, { concurrency })).toHaveLength(100_000);
  expect(asked).toHaveLength(100);
  expect(mostUnderWay()).toBe(concurrency);
});

test("sends 8 requests at a time by default", async () => {
  const { transport, mostUnderWay } = service(400);
  await idsOf(transport, { perPage: 10 });
  expect(mostUnderWay()).toBe(8);
});

test("requests the first page alone, since the end of the list is unknown", async () => {
  const { transport, asked } = service(1_000);
  for await (const _ of walk(transport, { perPage: 10 }).pages) break;
  expect(asked).toEqual([1]);
});

test("requests no further pages while the reader pauses", async () => {
  const { transport, asked } = service(1_000);
  const pages = walk(transport, { perPage: 10, concurrency: 4 }).pages[Symbol.asyncIterator]();
  const askedAfter: number[] = [];
  for (let taken = 1; taken <= 5; taken++) {
    await pages.next();
    for (let step = 0; step < 100; step++) await Promise.resolve();
    askedAfter.push(asked.length);
  }
  expect(askedAfter).toEqual([1, 5, 6, 7, 8]);
});

test.each([
  [{ enough: 25 }, 3],
  [{ enough: 30 }, 3],
  [{ enough: 31 }, 4],
  [{ enough: 1 }, 1],
])("requests no page beyond %o", async (bounds, pages) => {
  const { transport, asked } = service(1_000);
  let items = 0;
  for await (const page of walk(transport, { perPage: 10, ...bounds }).pages) {
    items += page.items.length;
    if (items >= bounds.enough) break;
  }
  expect(asked.sort()).toEqual(upTo(pages));
});

test("requests no page ahead after a page of 33 MiB", async () => {
  const heavy = success(`[{"id":"r1"}${" ".repeat(33 * 2 ** 20)}]`, { current_page: 1, per_page: 1, total_items: 50 });
  const { transport, mostUnderWay } = service(50, (number) => (number === 1 ? heavy : undefined));
  expect(await idsOf(transport, { perPage: 1, concurrency: 100 })).toHaveLength(50);
  expect(mostUnderWay()).toBe(1);
});

describe("a reader that stops", () => {
  test("ends all requests in progress, without events", async () => {
    const { transport, underWay } = service(1_000);
    const { pages, clientContext } = walk(transport, { perPage: 10 });
    let taken = 0;
    for await (const _ of pages) if (++taken === 2) break;
    for (let step = 0; step < 100; step++) await Promise.resolve();
    expect(underWay()).toBe(0);
    expect(clientContext.events.filter(({ type }) => type === "no_reply" || type === "retry")).toEqual([]);
  });

  test("ends the delays before retries", async () => {
    const { transport } = service(1_000, (number) => (number > 2 ? refusal(429, "Too Many Requests") : undefined));
    const { pages, clientContext } = walk(transport, { perPage: 10 });
    const asleep = new Set<AbortSignal>();
    clientContext.clock.sleep = (_, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve();
        if (signal) asleep.add(signal);
        signal?.addEventListener("abort", () => resolve(asleep.delete(signal) as never));
      });
    let taken = 0;
    for await (const _ of pages) if (++taken === 2) break;
    for (let step = 0; step < 100; step++) await Promise.resolve();
    expect(asleep.size).toBe(0);
  });
});

describe("a list that fails in the middle", () => {
  test("exits with the code of the cause, and reports the number of items read", async () => {
    const { transport, underWay } = service(1_000, (number) => (number === 5 ? lost("reset") : undefined));
    expect(await errorOf(idsOf(transport, { perPage: 10 }, { retries: 0 }))).toMatchObject({
      failure: "network",
      because: ["40 of 1,000 were read"],
    });
    for (let step = 0; step < 100; step++) await Promise.resolve();
    expect(underWay()).toBe(0);
  });

  test("fails with the error of the first failed page in list order", async () => {
    const fault: Fault = (number) =>
      number === 3 ? refusal(401, "Unauthorized") : number > 3 ? lost("reset") : undefined;
    const { transport } = service(1_000, fault);
    expect(await errorOf(idsOf(transport, { perPage: 10 }, { retries: 0 }))).toMatchObject({
      failure: "auth",
      because: ["20 of 1,000 were read"],
    });
  });

  test("is complete if a retry succeeds", async () => {
    const fault: Fault = (number, times) => (number % 3 === 0 && times === 1 ? lost("reset") : undefined);
    const { transport } = service(200, fault);
    expect(await idsOf(transport, { perPage: 10 })).toEqual(upTo(200).map((id) => `r${id}`));
  });
});

describe("a service with a rate limit", () => {
  /** Lets so many requests a second through, as a bucket that begins full, by the clock of the link. */
  function limited(total: number, perSecond: number, burst: number) {
    const inner = service(total);
    let refused = 0;
    let tokens = burst;
    let filled = 0;
    const options: { now(): number } = { now: () => 0 };
    const transport: Transport = async (request, limits) => {
      tokens = Math.min(burst, tokens + ((options.now() - filled) * perSecond) / 1000);
      filled = options.now();
      if (tokens < 1) {
        refused++;
        return refusal(429, "Too Many Requests", { "retry-after": "0" });
      }
      tokens--;
      return await inner.transport(request, limits);
    };
    return { transport, options, refused: () => refused };
  }

  test.each([
    [100, 300, 8],
    [200, 10, 32],
    [10, 30, 8],
    [3, 3, 16],
  ])(
    "of %i per second after a burst of %i returns the whole list, %i requests at a time",
    async (perSecond, burst, concurrency) => {
      const { transport, options, refused } = limited(1_000, perSecond, burst);
      const { clientContext, pages } = walk(transport, { perPage: 10, concurrency });
      options.now = clientContext.clock.elapsed;
      let items = 0;
      for await (const page of pages) items += page.items.length;
      expect(items).toBe(1_000);
      expect(refused()).toBeLessThan(3 * concurrency);
    },
  );

  test("that refuses every retry causes exit code 8 with the number of items read", async () => {
    const { transport } = service(1_000, (number) => (number > 4 ? refusal(429, "Too Many Requests") : undefined));
    expect(await errorOf(idsOf(transport, { perPage: 10 }))).toMatchObject({
      failure: "rate_limited",
      because: expect.arrayContaining(["40 of 1,000 were read"]),
    });
  });
});

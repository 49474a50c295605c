import fc from "fast-check";
import { createClient } from "../../../src/client/client.ts";
import type { ClientContext } from "../../../src/client/client-context.ts";
import { createIdSet, type Hash, seededIdHash } from "../../../src/client/pagination/id-set.ts";
import { listPage } from "../../../src/client/pagination/list-page.ts";
import { createListBudget, type ListBounds, lookAhead } from "../../../src/client/pagination/list-pages.ts";
import type { Transport } from "../../../src/client/transport/transport.ts";
import { cli, printedError } from "../../helpers/cli.ts";
import { DEEP } from "../../helpers/deep.ts";
import { refusal, success } from "../../helpers/service/reply.ts";
import { lost } from "../../helpers/service/scripted-service.ts";
import { errorOf, testClientContext } from "../../helpers/test-link.ts";

/** Takes the numbers up to `last`, each at its own leisure, and counts what is in progress or waits to be taken. */
async function taken(last: number, most: number, leisure: readonly number[]) {
  let held = 0;
  let mostHeld = 0;
  const take = lookAhead(async (number) => {
    mostHeld = Math.max(mostHeld, ++held);
    for (let step = leisure[number % leisure.length] ?? 0; step > 0; step--) await Promise.resolve();
    return number;
  });
  const results: number[] = [];
  for (let number = 1; number <= last; number++) {
    results.push(await take(number, { last, most }));
    held--;
  }
  return { results, mostHeld };
}

describe("pages requested ahead", () => {
  test("returns results in order, whatever their duration, and holds no more than the maximum", async () => {
    const list = fc.record({
      last: fc.nat(40),
      most: fc.integer({ min: 1, max: 12 }),
      leisure: fc.array(fc.nat(30), { minLength: 1, maxLength: 9 }),
    });
    await fc.assert(
      fc.asyncProperty(list, async ({ last, most, leisure }) => {
        const { results, mostHeld } = await taken(last, most, leisure);
        expect(results).toEqual(Array.from({ length: last }, (_, index) => index + 1));
        expect(mostHeld).toBe(Math.min(last, most));
      }),
    );
  });

  describe("started work", () => {
    test("grows only when a result is taken", async () => {
      const begun: number[] = [];
      const take = lookAhead(async (number) => void begun.push(number));
      await take(1, { last: 100, most: 3 });
      expect(begun).toEqual([1, 2, 3]);
      await take(2, { last: 100, most: 3 });
      expect(begun).toEqual([1, 2, 3, 4]);
    });

    test("stops at the end even if the end moves closer", async () => {
      const begun: number[] = [];
      const take = lookAhead(async (number) => void begun.push(number));
      await take(1, { last: 100, most: 2 });
      await take(2, { last: 2, most: 8 });
      expect(begun).toEqual([1, 2]);
    });

    test("throws its error when its result is taken, and never otherwise", async () => {
      const take = lookAhead(async (number) => {
        if (number > 1) throw new Error(`${number} failed`);
      });
      await take(1, { last: 3, most: 3 });
      await expect(take(2, { last: 3, most: 3 })).rejects.toThrow("2 failed");
    });
  });
});

const MIB = 2 ** 20;
const weighing = (bytes: number) => ({
  pagination: undefined,
  page: listPage([], { total: undefined, body: { length: bytes } as Uint8Array }),
});

describe("the page budget", () => {
  test.each([
    [MIB / 2, 128],
    [MIB, 64],
    [30 * MIB, 2],
    [64 * MIB, 1],
    [100 * MIB, 1],
  ])("for pages of %i bytes, %i pages may be held", (bytes, most) => {
    expect(createListBudget(weighing(bytes), () => 4096 * MIB).most()).toBe(most);
  });

  test("the largest page so far sets the limit", () => {
    const budget = createListBudget(weighing(MIB), () => 4096 * MIB);
    const held = [budget.measured(weighing(8 * MIB)), budget.measured(weighing(2 * MIB))];
    expect([budget.most(), held.length]).toEqual([8, 2]);
  });
});

const COUNTS = {
  "nothing at all": () => undefined,
  "1e15 items": () => 1e15,
  "more with each page": (page: number, size: number) => (page + 1) * size * 1000,
};

/** A service whose list never ends: every page is full, and every ID is new. */
function endless(count: (page: number, size: number) => number | undefined, id = (number: number) => `r${number}`) {
  let pages = 0;
  const transport: Transport = async ({ target }) => {
    const query = new URL(target, "http://h").searchParams;
    const [page, size] = [Number(query.get("page")), Number(query.get("per_page"))];
    const data = Array.from({ length: size }, (_, index) => ({ id: id(pages * size + index) }));
    pages++;
    const total_items = count(page, size);
    return success(data, total_items === undefined ? undefined : { current_page: page, per_page: size, total_items });
  };
  return { transport, pages: () => pages };
}

async function walked(
  transport: Transport,
  bounds: ListBounds,
  keep: (page: number) => number = () => 0,
  options: Partial<ClientContext> = {},
) {
  let items = 0;
  let read = 0;
  const pages = createClient(testClientContext(transport, options)).relayers.list(bounds);
  const error = await errorOf(
    (async () => {
      for await (const page of pages) {
        items += page.found.length;
        page.keep(keep(++read));
      }
    })(),
  );
  return { items, pages: read, error };
}

describe.each(Object.entries(COUNTS))("an endless list with a total of %s", (_, count) => {
  test("ends at --max-items, with no more items than that", async () => {
    const { transport, pages } = endless(count);
    const { items, error } = await walked(transport, { perPage: 10, maxItems: 95 });
    expect(error).toMatchObject({
      failure: "server",
      exitCode: 9,
      retryable: false,
      message: "the list takes more than 95 items, the limit for one list",
      because: [expect.stringMatching(/^90 of \S+(?: unknown number)? were read$/)],
    });
    expect(items).toBe(90);
    expect(pages()).toBeLessThan(40);
  });

  test("ends if the reader keeps more than half of the heap", async () => {
    const { transport } = endless(count);
    const { items, error } = await walked(transport, { perPage: 10 }, () => 10 * MIB, { heapLimit: () => 592 * MIB });
    expect(error.message).toBe("the list takes more than 200 MiB of memory, the limit for one list");
    expect(items).toBe(210);
  });

  test("ends at 256 MiB, even with a larger heap", async () => {
    const { transport } = endless(count);
    const { items, error } = await walked(transport, { perPage: 10 }, () => 10 * MIB, {
      heapLimit: () => 64 * 1024 * MIB,
    });
    expect(error.message).toBe("the list takes more than 256 MiB of memory, the limit for one list");
    expect([250, 260]).toContain(items);
  });
});

test("the IDs kept for finding duplicates count toward the memory limit", async () => {
  const long = "x".repeat(MIB / 8);
  const { transport } = endless(COUNTS["nothing at all"], (number) => `${long}${number}`);
  const { pages, error } = await walked(transport, { perPage: 4 }, (page) => (page === 1 ? 250 * MIB : 0));
  expect(error.message).toBe("the list takes more than 256 MiB of memory, the limit for one list");
  expect(pages).toBe(6);
});

test.runIf(DEEP)(
  "a list with one item per page ends at 10,000 pages, even if larger pages were requested",
  async () => {
    let pages = 0;
    const transport: Transport = async () =>
      success([{ id: `r${pages++}` }], { current_page: pages, per_page: 1, total_items: 1e15 });
    const { items, error } = await walked(transport, { maxItems: 100_000 });
    expect(error.message).toBe("the list takes more than 10,000 pages, the limit for one list");
    expect(items).toBe(10_000);
  },
);

test("a list of exactly --max-items items is complete", async () => {
  const data = Array.from({ length: 30 }, (_, index) => ({ id: `r${index}` }));
  const transport: Transport = async () => success(data, { current_page: 1, per_page: 1000, total_items: 30 });
  let items = 0;
  for await (const page of createClient(testClientContext(transport)).relayers.list({ maxItems: 30 }))
    items += page.items.length;
  expect(items).toBe(30);
});

const encoder = new TextEncoder();

function newIn(ids: readonly string[], hash: Hash, expected = 0): boolean[] {
  const set = createIdSet(hash);
  set.expect(expected);
  return ids.map((id) => {
    const bytes = encoder.encode(`"${id}"`);
    return set.add(bytes, 1, bytes.length - 1);
  });
}

function newByText(ids: readonly string[]): boolean[] {
  const seen = new Set<string>();
  return ids.map((id) => !seen.has(id) && seen.add(id) !== undefined);
}

const HASHES: readonly [string, Hash][] = [
  ["the default", seededIdHash(0x9e3779b9)],
  ["limited to four values", (bytes, start, end) => (end > start ? (bytes[start] ?? 0) & 3 : 0)],
  ["constant", () => 7],
  ["negative", (_, start, end) => start - end],
];

describe.each(HASHES)("an ID set whose hash is %s", (_, hash) => {
  test("finds the same new IDs as a set of strings", () => {
    const id = fc.oneof(fc.constantFrom("", "a", "ab", "b", "é", "日本", "\0", "a\0"), fc.string({ unit: "grapheme" }));
    fc.assert(
      fc.property(fc.array(id, { maxLength: 60 }), fc.nat(5_000), (ids, expected) => {
        expect(newIn(ids, hash, expected)).toEqual(newByText(ids));
      }),
    );
  });

  test("finds the same new IDs as a set of strings in a list that ascends for a while", () => {
    const ids = fc.uniqueArray(fc.string({ unit: "grapheme", maxLength: 5 }), { maxLength: 60 });
    fc.assert(
      fc.property(ids, fc.array(fc.nat(59), { maxLength: 20 }), fc.nat(5_000), (some, later, expected) => {
        const ascending = some.sort((one, other) => Buffer.compare(encoder.encode(one), encoder.encode(other)));
        const all = [...ascending, ...later.flatMap((index) => ascending[index] ?? [])];
        expect(newIn(all, hash, expected)).toEqual(newByText(all));
      }),
    );
  });

  test("stays exact while it grows", () => {
    const ids = Array.from({ length: 1_500 }, (_, index) => `r${index}`);
    expect(newIn([...ids, ...ids], hash)).toEqual(newByText([...ids, ...ids]));
  });
});

test("stores IDs longer than a block of memory", () => {
  const long = "x".repeat(300_000);
  const ids = ["a", long, `${long}y`, "b", long, "a", "b", `${long}y`];
  expect(newIn(ids, seededIdHash(1))).toEqual(newByText(ids));
});

test("finds duplicates across blocks of memory", () => {
  const ids = Array.from({ length: 40 }, (_, index) => String(index).padStart(30_000, "0"));
  expect(newIn([...ids, ...ids], seededIdHash(1))).toEqual(newByText([...ids, ...ids]));
});

test("needs no table for IDs in ascending order", () => {
  const [ordered, mixed] = [createIdSet(seededIdHash(1)), createIdSet(seededIdHash(1))];
  const ids = Array.from({ length: 5_000 }, (_, index) => encoder.encode(String(index).padStart(6, "0")));
  for (const id of ids) ordered.add(id, 0, id.length);
  for (const id of ids.reverse()) mixed.add(id, 0, id.length);
  expect([ordered.size, mixed.size]).toEqual([5_000, 5_000]);
  expect(mixed.bytes - ordered.bytes).toBeGreaterThan(4 * 5_000);
});

test("allocates little memory even if the service reports a huge total", () => {
  const set = createIdSet(seededIdHash(1));
  const before = process.memoryUsage().arrayBuffers;
  set.expect(Number.MAX_SAFE_INTEGER);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(20_000_000);
});

test("counts each ID once in its size", () => {
  const set = createIdSet(seededIdHash(3));
  for (const id of ["a", "b", "a"]) set.add(encoder.encode(id), 0, 1);
  expect(set.size).toBe(2);
});

/** A service on Redis with this many relayers: it closes the connection past the end, and fails at 0 (facts 13.9). */
function redis(total: number): Transport {
  return async ({ target }) => {
    const query = new URL(target, "http://h").searchParams;
    const [page, size] = [Number(query.get("page") ?? 1), Number(query.get("per_page") ?? 10)];
    if (page === 0 || size === 0) return refusal(500, "An unknown error occurred");
    const from = (page - 1) * size;
    if (total > 0 && from >= total) throw lost("reset");
    const count = Math.min(size, total - from);
    const items = Array.from({ length: count }, (_, index) => ({ id: `r${from + index}` }));
    return success(items, { current_page: page, per_page: size, total_items: total });
  };
}

async function refused(line: string, service: Transport) {
  const ran = await cli(`${line} -o json`, { service });
  const error = printedError(ran.stderr);
  return { error, requests: ran.requests.length };
}

describe("the error for a page that does not exist specifies the page and is not retryable", () => {
  test.each([
    ["relayers list --page 99", 5, 10, "page 99 is past the end (5 relayers, 1 page)", "relayctl relayers list"],
    ["relayers list --page 2", 1, 10, "page 2 is past the end (1 relayer, 1 page)", "relayctl relayers list"],
    [
      "plugins list --page 4 --per-page 2",
      5,
      10,
      "page 4 is past the end (5 plugins, 3 pages)",
      "relayctl plugins list",
    ],
    [
      "tx list eth-main-1 --page 3",
      11,
      10,
      "page 3 is past the end (11 transactions, 2 pages)",
      "relayctl tx list eth-main-1",
    ],
    ["relayers list --page 0", 5, 9, "page 0 does not exist: pages start at 1", "relayctl relayers list"],
    ["relayers list --per-page 0", 5, 9, "a page of 0 items does not exist on this service", "relayctl relayers list"],
  ])("%s of %i", async (line, total, exit_code, message, hint) => {
    const { error } = await refused(line, redis(total));
    expect(error).toMatchObject({ exit_code, retryable: false, hint, applied: "no" });
    expect(error.message).toContain(message);
  });

  test("a page that exists keeps its own error", async () => {
    const { error } = await refused("relayers list --page 2 --retries 0", async ({ target }) => {
      if (target.includes("page=2")) throw lost("reset");
      return success([{ id: "r1" }], { current_page: 1, per_page: 10, total_items: 20 });
    });
    expect(error).toMatchObject({ code: "network", retryable: true });
    expect(error.message).not.toContain("past the end");
  });

  test("the first error is kept if the service does not respond to the check", async () => {
    const { error, requests } = await refused("relayers list --page 2 --retries 0", async () => {
      throw lost("reset");
    });
    expect(error).toMatchObject({ code: "network", retryable: true });
    expect(requests).toBe(2);
  });
});

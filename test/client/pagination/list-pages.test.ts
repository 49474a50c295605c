import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createClient } from "../../../src/client/client.ts";
import type { ListBounds } from "../../../src/client/pagination/list-pages.ts";
import type { Transport } from "../../../src/client/transport/transport.ts";
import { lost, refusal, reply, type Step, scriptedService, success } from "../../helpers/service/scripted-service.ts";
import { errorOf, testClientContext } from "../../helpers/test-link.ts";

const items = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => ({ id: `r${from + index}` }));
const ids = (from: number, to: number) => items(from, to).map(({ id }) => id);

function page(found: object[], current_page: number, per_page: number, total_items: number): Step {
  return { reply: success(found, { current_page, per_page, total_items }) };
}

const uncounted = (count: number) => ({
  type: "note",
  text: `${count} were read, and there may be more: the service does not count this list`,
});

async function walked(transport: Transport, bounds: ListBounds = {}) {
  const clientContext = testClientContext(transport, { retries: 0 });
  const seen: string[] = [];
  for await (const { items: found } of createClient(clientContext).relayers.list(bounds))
    seen.push(...found.map(({ id }) => String(id)));
  return { seen, clientContext };
}

async function walk(bounds: ListBounds, ...steps: Step[]) {
  const service = scriptedService(...steps);
  const { seen, clientContext } = await walked(service.transport, bounds);
  expect(service.left()).toBe(0);
  return { seen, clientContext, asked: service.asked().map((line) => line.replace("GET /api/v1/relayers", "")) };
}

/** A service with a largest page, which closes the connection past the end (facts 2). */
function honest(all: readonly { id: string }[], most = 1000): Transport {
  return async ({ target }) => {
    const query = new URL(target, "http://h").searchParams;
    const number = Number(query.get("page"));
    const size = Math.min(Number(query.get("per_page")), most);
    if (number > 1 && number > Math.ceil(all.length / size)) throw lost("reset");
    const pagination = { current_page: number, per_page: size, total_items: all.length };
    return success(all.slice((number - 1) * size, number * size), pagination);
  };
}

describe("a whole list", () => {
  test("is one request of a thousand where that is enough", async () => {
    const { seen, asked } = await walk({}, page(items(1, 3), 1, 1000, 3));
    expect([seen, asked]).toEqual([ids(1, 3), ["?page=1&per_page=1000"]]);
  });

  test("is empty when it is", async () => {
    expect((await walk({}, page([], 1, 1000, 0))).seen).toEqual([]);
  });

  test("is asked for in the size that is given", async () => {
    const { seen, asked } = await walk({ perPage: 2 }, page(items(1, 2), 1, 2, 3), page(items(3, 3), 2, 2, 3));
    expect([seen, asked]).toEqual([ids(1, 3), ["?page=1&per_page=2", "?page=2&per_page=2"]]);
  });

  test("goes on in the reply's own page size when the service caps it", async () => {
    const { seen, asked } = await walk({}, page(items(1, 2), 1, 2, 3), page(items(3, 3), 2, 2, 3));
    expect([seen, asked]).toEqual([ids(1, 3), ["?page=1&per_page=1000", "?page=2&per_page=2"]]);
  });

  test("is asked for by the hundred when a thousand is refused with a 400", async () => {
    const { seen, asked } = await walk({}, { reply: refusal(400, "Bad Request") }, page(items(1, 3), 1, 100, 3));
    expect([seen, asked[1]]).toEqual([ids(1, 3), "?page=1&per_page=100"]);
  });

  test("is asked for by the hundred when the reply to a thousand is too large", async () => {
    const { seen, asked } = await walk({}, { failure: lost("too_large", 200) }, page(items(1, 3), 1, 100, 3));
    expect([seen, asked[1]]).toEqual([ids(1, 3), "?page=1&per_page=100"]);
  });

  test("is never asked for past its end", () =>
    fc.assert(
      fc.asyncProperty(fc.nat(60), fc.integer({ min: 1, max: 20 }), async (count, most) => {
        const { seen } = await walked(honest(items(1, count), most));
        expect(seen).toEqual(ids(1, count));
      }),
      { numRuns: 60 },
    ));

  test("without pagination ends with the first short page, and a note that the service may hold more", async () => {
    const { asked, clientContext } = await walk(
      { perPage: 2 },
      { reply: success(items(1, 2)) },
      { reply: success(items(3, 4)) },
      { reply: success(items(5, 5)) },
    );
    expect(asked).toHaveLength(3);
    expect(clientContext.events).toContainEqual(uncounted(5));
  });

  test("without pagination is told with a note where the service sends fewer than it is asked for", async () => {
    const { seen, clientContext } = await walk(
      {},
      { reply: success(`[${items(1, 100).map((item) => JSON.stringify(item))}]`) },
    );
    expect(seen).toEqual(ids(1, 100));
    expect(clientContext.events).toContainEqual(uncounted(100));
  });

  test("with null for pagination is one without it", async () => {
    const body = '{"success":true,"data":[{"id":"r1"}],"error":null,"pagination":null}';
    const { seen, clientContext } = await walk({}, { reply: reply(200, body) });
    expect(seen).toEqual(["r1"]);
    expect(clientContext.events).toContainEqual(uncounted(1));
  });

  test("without pagination is whole, without a note, where an empty page ends it", async () => {
    const { clientContext } = await walk({ perPage: 2 }, { reply: success(items(1, 2)) }, { reply: success([]) });
    expect(clientContext.events.filter(({ type }) => type === "note")).toEqual([]);
  });

  test.each([
    ["pagination.total_items", { current_page: 1, per_page: 10, total_items: "300" }],
    ["pagination.per_page", { current_page: 1, per_page: "x", total_items: -1 }],
    ["pagination.current_page", {}],
    ["pagination", []],
  ])("with nonsense at %s is exit 9, and never one that looks whole", async (place, pagination) => {
    for (const count of [2, 6_000]) {
      const service = scriptedService({ reply: success(items(1, count), pagination) });
      expect(await errorOf(walked(service.transport))).toMatchObject({
        failure: "server",
        message: `the response does not match the API, at ${place}`,
      });
    }
  });

  test("tells an item once that comes twice", async () => {
    const { seen } = await walk(
      { perPage: 2 },
      page(items(1, 2), 1, 2, 3),
      page([...items(2, 2), ...items(3, 3)], 2, 2, 3),
    );
    expect(seen).toEqual(ids(1, 3));
  });
});

describe("a list that never ends", () => {
  const full = items(1, 2);

  test("without pagination is over once its pages hold nothing new", async () => {
    const again = { reply: success(full) };
    expect((await walk({ perPage: 2 }, again, again, again, again)).seen).toEqual(ids(1, 2));
  });

  test("that counts ever more items is left, and said to be incomplete", async () => {
    let asked = 0;
    const growing: Transport = async () => {
      asked++;
      return success(items(2 * asked, 2 * asked + 1), {
        current_page: asked,
        per_page: 2,
        total_items: 4 + 2 * asked,
      });
    };
    expect(await errorOf(walked(growing, { perPage: 2 }))).toMatchObject({ failure: "server", retryable: true });
    expect(asked).toBeLessThan(40);
  });
});

describe("a list that moves", () => {
  test("is looked at once more, in one page", async () => {
    const { seen, asked } = await walk(
      { perPage: 2 },
      page(items(1, 2), 1, 2, 4),
      page([...items(2, 2), ...items(4, 4)], 2, 2, 4),
      page(items(1, 4), 1, 4, 4),
    );
    expect([seen.sort(), asked[2]]).toEqual([ids(1, 4), "?page=1&per_page=4"]);
  });

  test.each<[string, Step]>([
    ["is refused", { reply: refusal(400, "Bad Request") }],
    ["is too large", { failure: lost("too_large", 200) }],
  ])("is looked at once more by the hundred where one page of all %s", async (_, step) => {
    const { seen } = await walk(
      { perPage: 2 },
      page(items(1, 2), 1, 2, 3),
      page([], 2, 2, 3),
      step,
      page(items(1, 3), 1, 100, 3),
    );
    expect(seen).toEqual(ids(1, 3));
  });

  test("and lost all its items is looked at once more in a page of at least one", async () => {
    const { asked } = await walk({ perPage: 2 }, page(items(1, 2), 1, 2, 3), page([], 2, 2, 0), page([], 1, 1, 0));
    expect(asked[2]).toBe("?page=1&per_page=1");
  });

  test("is walked again when it is longer than 10,000", async () => {
    const total = 10_001;
    const all = items(1, total);
    const first = Array.from({ length: 11 }, (_, index) => all.slice(index * 1000, (index + 1) * 1000));
    const again = first.map((found, index) => page(found, index + 1, 1000, total));
    const moved = [page(first[1] ?? [], 1, 1000, total), ...again.slice(1)];
    const { seen, asked } = await walk({}, ...moved, ...again);
    expect([new Set(seen).size, asked.length, asked[11]]).toEqual([total, 22, "?page=1&per_page=1000"]);
  });

  test("and is still not complete is exit 9, with how many of how many", async () => {
    const service = scriptedService(page(items(1, 2), 1, 1000, 3), page(items(1, 2), 1, 3, 3));
    expect(await errorOf(walked(service.transport))).toMatchObject({
      failure: "server",
      message: "the list is changing or incomplete: 2 of 3 were read",
      because: [],
      retryable: true,
    });
  });

  test("and got shorter meanwhile is complete", async () => {
    expect((await walk({}, page(items(1, 2), 1, 1000, 3), page(items(1, 2), 1, 3, 2))).seen).toEqual(ids(1, 2));
  });

  test("and holds more than the service counts is told in a note", async () => {
    const { seen, clientContext } = await walk({}, page(items(1, 3), 1, 1000, 2));
    expect(seen).toEqual(ids(1, 3));
    expect(clientContext.events).toContainEqual({ type: "note", text: "3 were read, though the service counts 2" });
  });

  test("and counts ever more ends with the first page that is empty", async () => {
    const service = scriptedService(page(items(1, 2), 1, 2, 100), page([], 2, 2, 100), page(items(1, 2), 1, 100, 100));
    expect(await errorOf(walked(service.transport, { perPage: 2, concurrency: 1 }))).toMatchObject({
      failure: "server",
    });
    expect(service.left()).toBe(0);
  });
});

describe("a walk that breaks", () => {
  test("ends with the code of its cause, and says how many of how many", async () => {
    const service = scriptedService(page(items(1, 2), 1, 2, 5), { failure: lost("reset") });
    expect(await errorOf(walked(service.transport, { perPage: 2 }))).toMatchObject({
      failure: "network",
      because: ["2 of 5 were read"],
    });
  });

  test("at its first page says nothing of that", async () => {
    const service = scriptedService({ reply: refusal(401, "Unauthorized") });
    expect(await errorOf(walked(service.transport))).toMatchObject({ failure: "auth", because: [] });
  });

  test("when a page holds something without an id", async () => {
    const service = scriptedService(page([{ name: "x" }], 1, 1000, 1));
    expect(await errorOf(walked(service.transport))).toMatchObject({
      failure: "server",
      message: "the response does not match the API, at 0.id",
    });
  });
});

describe("one page", () => {
  test.each<[ListBounds, string]>([
    [{ page: 3 }, "?page=3"],
    [{ page: 0 }, "?page=0"],
    [{ page: 2, perPage: 5 }, "?page=2&per_page=5"],
    [{ perPage: 0 }, "?per_page=0"],
    [{ page: 0, perPage: 0 }, "?page=0&per_page=0"],
  ])("%o is one request, as asked", async (bounds, query) => {
    expect((await walk(bounds, page(items(1, 2), 1, 2, 99))).asked).toEqual([query]);
  });

  test("keeps what the service sent twice", async () => {
    expect((await walk({ page: 1 }, page([...items(1, 1), ...items(1, 1)], 1, 10, 2))).seen).toEqual(["r1", "r1"]);
  });

  test("gives its body as received", async () => {
    const text =
      '{ "success":true, "data":[ {"id":"r1"} ], "pagination":{"current_page":1,"per_page":10,"total_items":1} }';
    const client = createClient(testClientContext(async () => reply(200, text)));
    for await (const { body, total } of client.relayers.list({ page: 1 })) {
      expect([new TextDecoder().decode(body), total]).toEqual([text, 1]);
    }
  });
});

test("who stops reading asks for nothing more", async () => {
  const service = scriptedService(page(items(1, 2), 1, 2, 100));
  for await (const _ of createClient(testClientContext(service.transport)).relayers.list({ perPage: 2 })) break;
  expect(service.left()).toBe(0);
});

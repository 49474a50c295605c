import fc from "fast-check";
import { createClient } from "../../../src/client/client.ts";
import type { ListBounds } from "../../../src/client/pagination/list-pages.ts";
import type { Transport } from "../../../src/client/transport/transport.ts";
import { runs } from "../../helpers/deep.ts";
import { refusal, reply, success } from "../../helpers/service/reply.ts";
import { lost, type Step, scriptedService } from "../../helpers/service/scripted-service.ts";
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
  test("takes one request for 1,000 items if the list fits", async () => {
    const { seen, asked } = await walk({}, page(items(1, 3), 1, 1000, 3));
    expect([seen, asked]).toEqual([ids(1, 3), ["?page=1&per_page=1000"]]);
  });

  test("may be empty", async () => expect((await walk({}, page([], 1, 1000, 0))).seen).toEqual([]));

  test("is requested in pages of the given size", async () => {
    const { seen, asked } = await walk({ perPage: 2 }, page(items(1, 2), 1, 2, 3), page(items(3, 3), 2, 2, 3));
    expect([seen, asked]).toEqual([ids(1, 3), ["?page=1&per_page=2", "?page=2&per_page=2"]]);
  });

  test("continues with the response's page size if the service caps the page size", async () => {
    const { seen, asked } = await walk({}, page(items(1, 2), 1, 2, 3), page(items(3, 3), 2, 2, 3));
    expect([seen, asked]).toEqual([ids(1, 3), ["?page=1&per_page=1000", "?page=2&per_page=2"]]);
  });

  test("is requested in pages of 100 if a page of 1,000 is refused with a 400", async () => {
    const { seen, asked } = await walk({}, { reply: refusal(400, "Bad Request") }, page(items(1, 3), 1, 100, 3));
    expect([seen, asked[1]]).toEqual([ids(1, 3), "?page=1&per_page=100"]);
  });

  test("is requested in pages of 100 if a page of 1,000 is too large", async () => {
    const { seen, asked } = await walk({}, { failure: lost("too_large", 200) }, page(items(1, 3), 1, 100, 3));
    expect([seen, asked[1]]).toEqual([ids(1, 3), "?page=1&per_page=100"]);
  });

  test("is never requested past its end", () =>
    fc.assert(
      fc.asyncProperty(fc.nat(60), fc.integer({ min: 1, max: 20 }), async (count, most) => {
        const { seen } = await walked(honest(items(1, count), most));
        expect(seen).toEqual(ids(1, count));
      }),
      runs(20, 1_200),
    ));

  test("without pagination ends at the first short page, with a note that there may be more items", async () => {
    const { asked, clientContext } = await walk(
      { perPage: 2 },
      { reply: success(items(1, 2)) },
      { reply: success(items(3, 4)) },
      { reply: success(items(5, 5)) },
    );
    expect(asked).toHaveLength(3);
    expect(clientContext.events).toContainEqual(uncounted(5));
  });

  test("without pagination has that note if a page is shorter than requested", async () => {
    const { seen, clientContext } = await walk(
      {},
      { reply: success(`[${items(1, 100).map((item) => JSON.stringify(item))}]`) },
    );
    expect(seen).toEqual(ids(1, 100));
    expect(clientContext.events).toContainEqual(uncounted(100));
  });

  test("with null as pagination counts as a list without pagination", async () => {
    const body = '{"success":true,"data":[{"id":"r1"}],"error":null,"pagination":null}';
    const { seen, clientContext } = await walk({}, { reply: reply(200, body) });
    expect(seen).toEqual(["r1"]);
    expect(clientContext.events).toContainEqual(uncounted(1));
  });

  test("without pagination is complete, without a note, if it ends with an empty page", async () => {
    const { clientContext } = await walk({ perPage: 2 }, { reply: success(items(1, 2)) }, { reply: success([]) });
    expect(clientContext.events.filter(({ type }) => type === "note")).toEqual([]);
  });

  test.each([
    ["pagination.total_items", { current_page: 1, per_page: 10, total_items: "300" }],
    ["pagination.per_page", { current_page: 1, per_page: "x", total_items: -1 }],
    ["pagination.current_page", {}],
    ["pagination", []],
  ])("with invalid data at %s fails with exit code 9", async (place, pagination) => {
    for (const count of [2, 6_000]) {
      const service = scriptedService({ reply: success(items(1, count), pagination) });
      expect(await errorOf(walked(service.transport))).toMatchObject({
        failure: "server",
        message: `the response does not match the API, at ${place}`,
      });
    }
  });

  test("contains an item once that the service sends twice", async () => {
    const { seen } = await walk(
      { perPage: 2 },
      page(items(1, 2), 1, 2, 3),
      page([...items(2, 2), ...items(3, 3)], 2, 2, 3),
    );
    expect(seen).toEqual(ids(1, 3));
  });
});

describe("a list without an end", () => {
  const full = items(1, 2);

  test("and without pagination ends when a page has no new items", async () => {
    const again = { reply: success(full) };
    expect((await walk({ perPage: 2 }, again, again, again, again)).seen).toEqual(ids(1, 2));
  });

  test("whose total keeps growing fails as incomplete", async () => {
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

describe("a list that changes while it is read", () => {
  test("is read once more, in one page", async () => {
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
  ])("is read once more in pages of 100 if a page with all items %s", async (_, step) => {
    const { seen } = await walk(
      { perPage: 2 },
      page(items(1, 2), 1, 2, 3),
      page([], 2, 2, 3),
      step,
      page(items(1, 3), 1, 100, 3),
    );
    expect(seen).toEqual(ids(1, 3));
  });

  test("and becomes empty is read once more, with a page size of at least one", async () => {
    const { asked } = await walk({ perPage: 2 }, page(items(1, 2), 1, 2, 3), page([], 2, 2, 0), page([], 1, 1, 0));
    expect(asked[2]).toBe("?page=1&per_page=1");
  });

  test("is read again in pages if it has more than 10,000 items", async () => {
    const total = 10_001;
    const all = items(1, total);
    const first = Array.from({ length: 11 }, (_, index) => all.slice(index * 1000, (index + 1) * 1000));
    const again = first.map((found, index) => page(found, index + 1, 1000, total));
    const moved = [page(first[1] ?? [], 1, 1000, total), ...again.slice(1)];
    const { seen, asked } = await walk({}, ...moved, ...again);
    expect([new Set(seen).size, asked.length, asked[11]]).toEqual([total, 22, "?page=1&per_page=1000"]);
  });

  test("and stays incomplete fails with exit code 9 and the number of items read", async () => {
    const service = scriptedService(
      ...[page(items(1, 2), 1, 1000, 3), page(items(1, 2), 1, 3, 3)],
      ...[page(items(1, 2), 1, 2, 3), page([], 2, 2, 3)],
    );
    expect(await errorOf(walked(service.transport))).toMatchObject({
      failure: "server",
      message: "the list is changing or incomplete: 2 of 3 were read",
      because: [],
      retryable: true,
    });
  });

  test("and that comes in shorter pages than their size says is complete", async () => {
    const sent = page(items(1, 2), 1, 1000, 5);
    const pages = [page(items(1, 2), 1, 2, 5), page(items(3, 4), 2, 2, 5), page(items(5, 5), 3, 2, 5)];
    expect((await walk({}, sent, page(items(1, 2), 1, 5, 5), ...pages)).seen).toEqual(ids(1, 5));
  });

  test("and becomes shorter is complete", async () =>
    expect((await walk({}, page(items(1, 2), 1, 1000, 3), page(items(1, 2), 1, 3, 2))).seen).toEqual(ids(1, 2)));

  test("and has more items than the service counts is complete, with a note", async () => {
    const { seen, clientContext } = await walk({}, page(items(1, 3), 1, 1000, 2));
    expect(seen).toEqual(ids(1, 3));
    expect(clientContext.events).toContainEqual({ type: "note", text: "3 were read, though the service counts 2" });
  });

  test("and has a growing total ends at the first empty page", async () => {
    const service = scriptedService(
      page(items(1, 2), 1, 2, 100),
      page([], 2, 2, 100),
      page(items(1, 2), 1, 100, 100),
      page(items(1, 2), 1, 2, 100),
      page([], 2, 2, 100),
    );
    expect(await errorOf(walked(service.transport, { perPage: 2, concurrency: 1 }))).toMatchObject({
      failure: "server",
    });
    expect(service.left()).toBe(0);
  });
});

describe("a list that fails", () => {
  test("exits with the code of the cause, and reports the number of items read", async () => {
    const service = scriptedService(page(items(1, 2), 1, 2, 5), { failure: lost("reset") });
    expect(await errorOf(walked(service.transport, { perPage: 2 }))).toMatchObject({
      failure: "network",
      because: ["2 of 5 were read"],
    });
  });

  test("reports no number of items if the first page fails", async () => {
    const service = scriptedService({ reply: refusal(401, "Unauthorized") });
    expect(await errorOf(walked(service.transport))).toMatchObject({ failure: "auth", because: [] });
  });

  test("shows the place of an item without an ID", async () => {
    const service = scriptedService(page([{ name: "x" }], 1, 1000, 1));
    expect(await errorOf(walked(service.transport))).toMatchObject({
      failure: "server",
      message: "the response does not match the API, at 0.id",
    });
  });
});

describe("a single page", () => {
  test.each<[ListBounds, string]>([
    [{ page: 3 }, "?page=3"],
    [{ page: 0 }, "?page=0"],
    [{ page: 2, perPage: 5 }, "?page=2&per_page=5"],
    [{ perPage: 0 }, "?per_page=0"],
    [{ page: 0, perPage: 0 }, "?page=0&per_page=0"],
  ])("%o takes one request with the same parameters", async (bounds, query) => {
    expect((await walk(bounds, page(items(1, 2), 1, 2, 99))).asked).toEqual([query]);
  });

  test("keeps duplicate items", async () =>
    expect((await walk({ page: 1 }, page([...items(1, 1), ...items(1, 1)], 1, 10, 2))).seen).toEqual(["r1", "r1"]));

  test("returns its body as received", async () => {
    const text =
      '{ "success":true, "data":[ {"id":"r1"} ], "pagination":{"current_page":1,"per_page":10,"total_items":1} }';
    const client = createClient(testClientContext(async () => reply(200, text)));
    for await (const { body, total } of client.relayers.list({ page: 1 }))
      expect([new TextDecoder().decode(body), total]).toEqual([text, 1]);
  });
});

test("requests no further page after the reader stops", async () => {
  const service = scriptedService(page(items(1, 2), 1, 2, 100));
  for await (const _ of createClient(testClientContext(service.transport)).relayers.list({ perPage: 2 })) break;
  expect(service.left()).toBe(0);
});

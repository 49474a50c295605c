import { createClient } from "../../../src/client/client.ts";
import type { ClientContext } from "../../../src/client/client-context.ts";
import type { ListBounds } from "../../../src/client/pagination/list-pages.ts";
import type { Transport } from "../../../src/client/transport/transport.ts";
import { DEEP } from "../../helpers/deep.ts";
import { success } from "../../helpers/service/reply.ts";
import { errorOf, testClientContext } from "../../helpers/test-link.ts";

const MIB = 2 ** 20;
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

import { runAll } from "../../client/bulk/run-all.ts";
import type { Call } from "../../command-support/call.ts";
import { type RelayctlError, recover } from "../../errors.ts";
import type { Page } from "../../terminal/view.ts";

export interface PagesInContext {
  name: string;
  pages: AsyncIterable<Page>;
}

export interface PageBounds {
  atOnce: number;
  interrupt: AbortSignal;
  failed(name: string, error: RelayctlError): void;
}

/** A page takes about this many times the bytes of its response. */
const BUILT = 3;

/** Reads in parallel, but yields by context, nothing of a failed list. @param enough items for no further page */
export async function* pagesInOrder(
  sources: readonly PagesInContext[],
  { atOnce, interrupt, failed }: PageBounds,
  enough: number,
): AsyncGenerator<Page> {
  const read = async ({ name, pages }: PagesInContext): Promise<{ name: string; page: Page }[]> => {
    // All of the lists are held at the same time.
    const first = firstPages(pages, sources.length * BUILT, enough);
    return (await recover(first, (error) => void failed(name, error)))?.map((page) => ({ name, page })) ?? [];
  };
  const jobs = sources.map((source) => ({ id: source.name, run: () => read(source) }));
  const lists = (await runAll(jobs, { concurrency: atOnce, interrupt }).done).map(({ value = [] }) => value);
  const totals = lists.map((pages) => pages.at(-1)?.page.total ?? countItems(pages.map(({ page }) => page)));
  const total = totals.reduce((sum, count) => sum + count, 0);
  for (const pages of lists)
    for (let next = pages.shift(); next; next = pages.shift()) yield inContext(next.name, next.page, total);
}

async function firstPages(pages: AsyncIterable<Page>, times: number, enough: number): Promise<Page[]> {
  const read: Page[] = [];
  let items = 0;
  for await (const page of pages) {
    read.push(page);
    items += countItems([page]);
    if (items >= enough) break;
    page.keep?.(times * page.body.length);
  }
  return read;
}

function countItems(pages: readonly Page[]): number {
  return pages.reduce((count, page) => count + (page.found ?? page.items).length, 0);
}

function inContext(name: string, page: Page, total?: number): Page {
  const { found, body } = page;
  return {
    get items() {
      return page.items;
    },
    ...(found && { found }),
    ...{ body, total, context: name },
  };
}

export async function* pagesAsRead(
  sources: readonly PagesInContext[],
  { atOnce, failed }: PageBounds,
): AsyncGenerator<Page> {
  const waiting = sources.map(({ name, pages }) => ({ name, iterator: pages[Symbol.asyncIterator]() }));
  type Reader = (typeof waiting)[number];
  const reading = new Map<Reader, Promise<{ reader: Reader; page?: Page }>>();
  const next = (reader: Reader) =>
    reading.set(
      reader,
      recover(reader.iterator.next(), (error) => void failed(reader.name, error)).then((next) =>
        next && !next.done ? { reader, page: next.value } : { reader },
      ),
    );
  try {
    for (;;) {
      for (const reader of waiting.splice(0, atOnce - reading.size)) next(reader);
      if (reading.size === 0) return;
      const { reader, page } = await Promise.race(reading.values());
      reading.delete(reader);
      if (!page) continue;
      next(reader);
      yield inContext(reader.name, page);
    }
  } finally {
    for (const { iterator } of [...reading.keys(), ...waiting]) iterator.return?.()?.catch(() => {});
  }
}

/** Returns how many items of each list are enough to print the first of all. */
export function enoughOf({ output: { where = [], sort, limit } }: Pick<Call, "output">): number {
  return limit === undefined || where.length > 0 || sort !== undefined ? Number.POSITIVE_INFINITY : limit;
}

export function isStreamed({ output: { format, query, sort, limit } }: Pick<Call, "output">): boolean {
  return format === "ndjson" && query === undefined && sort === undefined && limit === undefined;
}

import { grouped } from "../../contract/decimal.ts";
import type { ListItem } from "../../contract/reply/list-reply.ts";
import { RelayctlError } from "../../errors.ts";
import { PaginationEnd } from "./end.ts";
import type { IdSet } from "./id-set.ts";
import type { PaginationLimits } from "./limits.ts";
import { type ListPage, listPage } from "./list-page.ts";
import { type PageRequest, pagesInTurn } from "./pages.ts";

/** The progress of all passes over one list. */
export interface Progress {
  seen: IdSet;
  /** The service's own count, as last reported. */
  total?: number;
  /** Whether that count fell during the last pass: a removal moves other items to a page that was already read. */
  shrank: boolean;
  /** Whether the last page was empty, so that no page can follow. */
  isAtEnd: boolean;
  /** Bytes that the reader of the pages keeps. */
  kept: number;
}

/** Consecutive pages without new items after which the list counts as endless. */
const IDLE_PAGES = 3;

/**
 * Yields each page of one pass over the list, with only the items that no pass has seen before. An error says how far
 * the pass got.
 * @param met the IDs of this pass alone; for the first pass, all seen IDs
 */
export async function* newItems(
  pageRequest: PageRequest & { limits: PaginationLimits },
  met: IdSet,
  progress: Progress,
): AsyncGenerator<ListPage, void> {
  const { seen } = progress;
  const keep = (bytes: number) => {
    progress.kept += bytes;
  };
  let pages = 0;
  progress.shrank = false;
  delete progress.total;
  let idle = 0;
  try {
    for await (const page of pagesInTurn(pageRequest)) {
      count(progress, page);
      const before = met.size;
      const read = seen.size;
      const found = page.found.filter((item) => isNew(item, met, seen));
      const ids = seen.bytes + (met === seen ? 0 : met.bytes);
      const load = { items: met.size, pages: ++pages, ids, kept: progress.kept };
      const broken = pageRequest.limits.broken(load, { request: pageRequest.request, read, total: progress.total });
      if (broken) throw broken;
      yield listPage(found, page, keep);
      idle = met.size > before ? 0 : idle + 1;
      if (idle === IDLE_PAGES) return;
    }
  } catch (error) {
    if (seen.size === 0 || !(error instanceof RelayctlError) || error.cause instanceof PaginationEnd) throw error;
    throw error.with({
      because: [
        `${grouped(seen.size)} of ${progress.total === undefined ? "an unknown number" : grouped(progress.total)} were read`,
      ],
    });
  }
}

function count(progress: Progress, { total, found }: ListPage): void {
  progress.isAtEnd = found.length === 0;
  if (total === undefined) return;
  if (progress.total === undefined) progress.seen.expect(total);
  progress.shrank ||= total < (progress.total ?? 0);
  progress.total = total;
}

function isNew({ bytes, idStart, idEnd }: ListItem, met: IdSet, seen: IdSet): boolean {
  const isFirst = met.add(bytes, idStart, idEnd);
  return met === seen ? isFirst : seen.add(bytes, idStart, idEnd);
}

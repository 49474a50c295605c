import type { ListPage } from "./list-page.ts";

/** A list that moves may give a page of which everything was seen; one that does so again and again never ends. */
const IDLE_PAGES = 3;

/** The pages of one walk, up to where they bring nothing new. */
export async function* untilIdle(pages: AsyncIterable<ListPage>): AsyncGenerator<ListPage, void> {
  const seen = new Set<unknown>();
  let idle = 0;
  for await (const page of pages) {
    yield page;
    const before = seen.size;
    for (const { id } of page.items) seen.add(id);
    idle = seen.size > before ? 0 : idle + 1;
    if (idle === IDLE_PAGES) return;
  }
}

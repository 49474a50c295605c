import type { ListPage } from "../client/pagination/list-page.ts";
import { createScale, type JsonObject } from "../contract/json.ts";

/**
 * The items of a list that are wanted, in its order. What they take counts: a list without an end fails.
 * @param carried items of lists before that are held as well
 */
export async function kept<T extends JsonObject>(
  pages: AsyncIterable<ListPage>,
  isWanted: (item: T) => boolean = () => true,
  carried: Iterable<T> = [],
): Promise<T[]> {
  const scale = createScale();
  const bytesOf = (items: Iterable<T>) => {
    let bytes = 0;
    for (const item of items) bytes += scale(item);
    return bytes;
  };
  const items: T[] = [];
  let before = bytesOf(carried);
  for await (const page of pages) {
    const wanted = (page.items as T[]).filter(isWanted);
    for (const item of wanted) items.push(item);
    page.keep(before + bytesOf(wanted));
    before = 0;
  }
  return items;
}

/** Everything in a list, ordered by id, as tables are. */
export async function listed<T extends JsonObject & { id: string }>(pages: AsyncIterable<ListPage>): Promise<T[]> {
  return (await kept<T>(pages)).sort((one, other) => (one.id < other.id ? -1 : 1));
}

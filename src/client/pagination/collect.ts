import { createHeldBytes, type JsonObject } from "../../contract/json.ts";
import type { ListPage } from "./list-page.ts";

/** Returns the wanted items of a list, and counts their memory: an endless list fails. @param carried earlier items */
export async function collectItems<T extends JsonObject>(
  pages: AsyncIterable<Pick<ListPage, "items"> & Partial<Pick<ListPage, "keep">>>,
  isWanted: (item: T) => boolean = () => true,
  carried: Iterable<T> = [],
): Promise<T[]> {
  const bytesFor = createHeldBytes();
  const sumBytes = (items: Iterable<T>) => {
    let bytes = 0;
    for (const item of items) bytes += bytesFor(item);
    return bytes;
  };
  const items: T[] = [];
  let before = sumBytes(carried);
  for await (const page of pages) {
    const wanted = (page.items as T[]).filter(isWanted);
    for (const item of wanted) items.push(item);
    page.keep?.(before + sumBytes(wanted));
    before = 0;
  }
  return items;
}

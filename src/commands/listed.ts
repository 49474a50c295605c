import type { ListPage } from "../client/list-page.ts";
import type { JsonObject } from "../contract/json.ts";

/** Everything in a list, ordered by id, as tables are. */
export async function listed<T extends JsonObject & { id: string }>(pages: AsyncIterable<ListPage>): Promise<T[]> {
  const items: T[] = [];
  for await (const page of pages) items.push(...(page.items as T[]));
  return items.sort((one, other) => (one.id < other.id ? -1 : 1));
}

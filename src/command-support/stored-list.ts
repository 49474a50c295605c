import { type JsonObject, writeJson } from "../contract/json.ts";
import type { ListView, Page, ResourceView } from "../terminal/view.ts";

/** Returns the view of a list that this program stores itself. `where` is the path of its file. */
export function storedList(resource: ResourceView, items: readonly JsonObject[], where: string): ListView {
  return { kind: "list", resource, pages: onePage(items), where, inOrder: true };
}

async function* onePage(items: readonly JsonObject[]): AsyncGenerator<Page> {
  yield { items, total: items.length, body: new TextEncoder().encode(writeJson([...items])) };
}

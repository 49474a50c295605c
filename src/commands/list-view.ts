import type { Client } from "../client/client.ts";
import type { ListBounds, ListPage } from "../client/walk.ts";
import type { JsonObject } from "../contract/json.ts";
import type { Operation } from "../contract/operation.ts";
import type { Call } from "../flow/call.ts";
import { shownInstead } from "../flow/shown.ts";
import type { ResourceView, View } from "../terminal/view.ts";
import { firstQuery } from "./list-flags.ts";

/** A list as a command gives it. */
export interface Listed<T extends JsonObject> {
  resource: ResourceView<T>;
  operation: Operation;
  pages(client: Client): AsyncIterable<ListPage>;
}

/** The pages of a list, as many of them as were asked for. */
export async function listView<T extends JsonObject>(call: Call, bounds: ListBounds, listed: Listed<T>): Promise<View> {
  const { resource, operation } = listed;
  const shown = await shownInstead(call, { operation, query: firstQuery(bounds) });
  if (shown) return shown;
  if (bounds.page === 0 || bounds.perPage === 0)
    await call.say("note: pages are counted from 1, and 0 is sent as asked");
  const { client, name, flags } = await call.session();
  return { kind: "list", resource, pages: listed.pages(client), where: name, flags };
}

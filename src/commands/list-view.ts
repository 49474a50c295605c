import type { Client } from "../client/client.ts";
import type { ListBounds } from "../client/pagination/list-pages.ts";
import type { ApiRequest } from "../client/request.ts";
import type { Call } from "../command-support/call.ts";
import { shownInstead } from "../command-support/shown.ts";
import type { JsonObject } from "../contract/json.ts";
import type { Page, ResourceView, View } from "../terminal/view.ts";
import { firstQuery } from "./list-flags.ts";
import { withListHints } from "./list-hints.ts";

/** A list as a command gives it. */
export interface ListResult<T extends JsonObject> {
  resource: ResourceView<T>;
  /** The request, but for the pages of it that are asked for. */
  request: ApiRequest;
  /** The service has an order that means something, and it is kept. */
  inOrder?: true;
  pages(client: Client): AsyncIterable<Page>;
}

/** The pages of a list, as many of them as were asked for. */
export async function listView<T extends JsonObject>(
  call: Call,
  bounds: ListBounds,
  listed: ListResult<T>,
): Promise<View> {
  const { resource, request, inOrder } = listed;
  const shown = await shownInstead(call, { ...request, query: { ...request.query, ...firstQuery(bounds) } });
  if (shown) return shown;
  if (bounds.page === 0 || bounds.perPage === 0) await call.say("note: pages start at 1; page 0 is sent as requested");
  const { client, name, flags } = await call.session();
  const pages = withListHints(listed.pages(client), flags);
  return { kind: "list", resource, pages, where: name, flags, ...(inOrder && { inOrder }) };
}

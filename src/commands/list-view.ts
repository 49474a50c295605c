import type { Client } from "../client/client.ts";
import type { ListBounds, ListPage } from "../client/walk.ts";
import type { JsonObject } from "../contract/json.ts";
import type { Operation } from "../contract/operation.ts";
import type { Call } from "../flow/call.ts";
import { shownInstead } from "../flow/shown.ts";
import type { ResourceView, View } from "../terminal/view.ts";
import { type ListFlags, type ListRequest, listRequest } from "./list-flags.ts";

const MAX_PER_PAGE = 1000;

/** The pages of a list, as many of them as the flags ask for. */
export async function listView<T extends JsonObject>(
  call: Call<ListFlags>,
  resource: ResourceView<T>,
  operation: Operation,
  list: (client: Client, bounds: ListBounds) => AsyncIterable<ListPage>,
): Promise<View> {
  const request = listRequest(call.flags);
  const bounds = boundsOf(request, call.flags);
  const shown = await shownInstead(call, { operation, parameters: {}, query: queryOf(bounds) });
  if (shown) return shown;
  if (request.page === 0) await call.say("note: pages are counted from 1");
  const { client, name } = await call.session();
  return { kind: "list", resource, pages: list(client, bounds), where: name };
}

/** A limit asks for no more than it needs, unless something must be looked for or put in order first. */
function boundsOf({ page, perPage, limit }: ListRequest, flags: ListFlags): ListBounds {
  const enough = limit && !flags.where && !flags.sort ? Math.min(limit, MAX_PER_PAGE) : undefined;
  const size = perPage ?? enough;
  return { ...(page !== undefined && { page }), ...(size !== undefined && { perPage: size }) };
}

function queryOf({ page, perPage }: ListBounds): Record<string, string> {
  return { page: String(page ?? 1), per_page: String(perPage ?? MAX_PER_PAGE) };
}

import type { JsonObject } from "../contract/json.ts";
import { badRequest } from "./refusal.ts";
import type { SuccessReply } from "./reply.ts";
import type { Collection } from "./state/collection.ts";

/** Page 0, `per_page` 0, and pages past the end are empty (interface 1.5). @param first the lowest page (facts 2) */
export function pagedListReply(
  collection: Collection,
  query: URLSearchParams,
  shown: (item: JsonObject) => JsonObject,
  first = 0,
): SuccessReply {
  const page = count(query, "page", 1);
  const perPage = count(query, "per_page", 10);
  const from = Math.max(page, first) - 1;
  const items = from < 0 ? [] : collection.page(from * perPage, perPage);
  return {
    data: items.map(shown),
    pagination: { current_page: page, per_page: perPage, total_items: collection.size() },
  };
}

function count(query: URLSearchParams, name: string, absent: number): number {
  const [given, ...more] = query.getAll(name);
  if (given === undefined) return absent;
  const number = Number(given);
  if (more.length > 0 || !/^[0-9]+$/.test(given) || !Number.isSafeInteger(number)) throw badRequest();
  return number;
}

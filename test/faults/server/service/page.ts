import type { JsonObject } from "../../../../src/contract/json.ts";
import type { WireReply } from "../../../../src/contract/wire.ts";
import type { Dialect } from "./dialect.ts";

/** One page of a list, with the pagination of both dialects. */
export function page(items: readonly JsonObject[], target: string, dialect: Dialect): WireReply {
  const query = new URLSearchParams(target.split("?")[1]);
  const current_page = Number(query.get("page") ?? 1);
  const per_page = Number(query.get("per_page") ?? 10);
  const from = (current_page - 1) * per_page;
  const pagination = { current_page, per_page, total_items: items.length };
  return dialect.success(items.slice(from, from + per_page), { pagination });
}

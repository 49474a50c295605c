import { firstQuery, type ListBounds } from "../../client/pagination/page-query.ts";
import type { ApiRequest } from "../../client/request.ts";
import type { Problems } from "../../command-support/problems.ts";
import type { OutputOptions } from "../../terminal/output-options.ts";
import type { ResourceView, View } from "../../terminal/view.ts";
import type { Call } from "../command.ts";

/** A request for every page of a list. */
export interface AllPages {
  /** Without page and size. */
  request: ApiRequest;
  bounds: ListBounds;
}

/** Items of an unknown kind. */
const ITEMS: ResourceView = {
  one: "item",
  many: "items",
  table: [],
  flat: [],
  fields: [],
  block: () => [],
};

const FORMATS: readonly OutputOptions["format"][] = [undefined, "json", "ndjson", "yaml", "name"];

/** Returns the request for every page of a typed GET, whose `per_page` is kept. */
export function allPagesOf(request: ApiRequest, output: OutputOptions, problems: Problems): AllPages {
  const { operation, query = {} } = request;
  const { page, per_page: size, ...others } = query;
  const flag = "--paginate";
  if (operation.method !== "GET") problems.add(flag, "works with GET only");
  else if (operation.id !== "api" && !operation.list) problems.add(flag, "this path is not a list");
  if (page !== undefined) problems.add(flag, "reads every page, so the path must not choose one with page");
  const perPage = size === undefined ? undefined : Number(size);
  if (size !== undefined && !/^[1-9][0-9]{0,8}$/.test(size))
    problems.add(flag, "per_page must be a number from 1", size);
  if (!FORMATS.includes(output.format) && (output.query === undefined || output.format === "raw"))
    problems.add(flag, `prints json (the default), ndjson, yaml, or name, not ${output.format}`);
  const { bare: _, ...strict } = operation;
  return {
    request: { ...request, operation: { ...strict, list: true }, query: others },
    bounds: perPage === undefined ? {} : { perPage },
  };
}

/** Returns the request for the first page, for a dry run. */
export function firstPageOf({ request, bounds }: AllPages): ApiRequest {
  return { ...request, query: { ...request.query, ...firstQuery(bounds) } };
}

/** Returns the items of every page, in the order of the service. */
export async function allItems(call: Call, { request, bounds }: AllPages): Promise<View> {
  const { client, name, flags } = await call.session();
  const pages = client.pages(request, bounds);
  return { kind: "list", resource: ITEMS, pages, where: name, flags, inOrder: true, usual: "json" };
}

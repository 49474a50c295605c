import type { ApiRequest } from "../../client/request.ts";
import { parseJson } from "../../contract/json.ts";
import { API_PREFIX, type Method } from "../../contract/wire.ts";
import type { Proposal } from "../../proposals/proposal.ts";
import { buildOperation } from "../api.ts";

/** Returns the request of a proposal, which is sent in its own spellings only. */
export function requestOf({ method, target, body, respelled }: Proposal): ApiRequest {
  const { pathname, searchParams } = new URL(target, "http://localhost");
  const found = buildOperation(method as Method, pathname.slice(API_PREFIX.length));
  const query = [...searchParams].length === 0 ? {} : { query: Object.fromEntries(searchParams) };
  return {
    ...{ ...found, ...query },
    ...(body !== undefined && { body: parseJson(body) }),
    ...(respelled === undefined && { isExact: true }),
  };
}

import type { ApiResult } from "../client/api-result.ts";
import type { Client } from "../client/client.ts";
import type { ApiRequest } from "../client/request.ts";
import type { Call } from "../command-support/call.ts";
import { shownInstead } from "../command-support/shown.ts";
import type { JsonObject } from "../contract/json.ts";
import type { ResourceView, View } from "../terminal/view.ts";

/** One thing as a command gives it. */
export interface Gotten<T extends JsonObject> {
  resource: ResourceView<T>;
  /** The request that is tried first. */
  request: ApiRequest;
  get(client: Client): Promise<ApiResult<T>>;
  /** How it is shown once it is known: with the coin of its amounts. */
  viewOf?(thing: T): Promise<ResourceView<T>>;
  /** What `-o name` prints, where the thing has no id. */
  nameOf?(thing: T): string;
  /** What there is to know of it beyond its members, for stderr. @param flags what a command repeats to reach the same service */
  notesOn?(thing: T, flags: readonly string[]): readonly string[];
}

/** Reads one thing. */
export async function getView<T extends JsonObject>(call: Call, gotten: Gotten<T>): Promise<View> {
  const { request, get, nameOf, notesOn, viewOf } = gotten;
  const shown = await shownInstead(call, request);
  if (shown) return shown;
  const { client, flags } = await call.session();
  const { data, body } = await get(client);
  const resource = (await viewOf?.(data)) ?? gotten.resource;
  const notes = notesOn?.(data, flags) ?? [];
  return { kind: "one", resource, value: data, body, notes, ...(nameOf && { name: nameOf(data) }) };
}

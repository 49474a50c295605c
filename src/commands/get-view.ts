import type { ApiResult } from "../client/api-result.ts";
import type { Client } from "../client/client.ts";
import type { ApiRequest } from "../client/request.ts";
import type { Call } from "../command-support/call.ts";
import { shownInstead } from "../command-support/shown.ts";
import type { JsonObject } from "../contract/json.ts";
import type { ResourceView, View } from "../terminal/view.ts";

/** The resource that a command reads. */
export interface Gotten<T extends JsonObject> {
  resource: ResourceView<T>;
  /** The first request. */
  request: ApiRequest;
  get(client: Client): Promise<ApiResult<T>>;
  /** Returns its view, e.g. with the coin of its amounts. */
  viewOf?(thing: T): Promise<ResourceView<T>>;
  /** Returns the output of `-o name` if the resource has no ID. */
  nameOf?(thing: T): string;
  /**
   * Returns notes for stderr beyond its fields. @param flags the flags that a command repeats to reach the same service
   */
  notesOn?(thing: T, flags: readonly string[]): readonly string[];
}

/** Reads one resource. */
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

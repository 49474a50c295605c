import type { ApiResult } from "../client/api-result.ts";
import type { Client } from "../client/client.ts";
import type { ApiRequest } from "../client/request.ts";
import { isShown, shownInstead, showRequests } from "../command-support/shown.ts";
import type { JsonObject } from "../contract/json.ts";
import { operations } from "../contract/operations.ts";
import type { ResourceView, View } from "../terminal/view.ts";
import { isMany } from "./bulk/targets.ts";
import type { Argument, Call, CommandFile } from "./command.ts";
import { readSeveral, severalArgument, severalView } from "./get-several.ts";

/** What distinguishes the `get` of one noun. */
interface GetCommand<T extends JsonObject> {
  noun: "relayers" | "networks" | "notifications" | "plugins" | "signers";
  summary: string;
  description: string;
  examples: readonly string[];
  resource: ResourceView<T>;
  argument: Argument;
  get(client: Client, id: string): Promise<ApiResult<T>>;
  /** How this resource is shown, if its view alone does not say it. */
  shown?(call: Call): Pick<ResourceToGet<T>, "viewOf" | "notesOn">;
}

/** Returns `relayctl <noun> get <ids...>`: by the service's own route, otherwise from the list. */
export function getCommand<T extends JsonObject>(spec: GetCommand<T>): CommandFile<object, readonly string[]> {
  const { noun, summary, description, examples, resource, argument, get, shown } = spec;
  const requestFor = (id: string): ApiRequest => ({
    operation: operations[`${noun}.get`],
    parameters: { [`${resource.one}_id`]: id },
  });
  return {
    summary,
    sends: "read",
    ends: { partial: "some failed" },
    examples,
    resource,
    args: [severalArgument(argument)],
    paginates: isMany,
    contexts: {},
    define: (command) => void command.description(`${description} With several IDs, list them in that order.`),
    prepare: (call, problems) => readSeveral(call, problems, resource.one),
    async run(call, ids) {
      const [id, ...more] = ids;
      if (id === undefined || more.length > 0) {
        if (isShown(call)) return await showRequests(call, ids.map(requestFor));
        return await severalView(call, { ids, noun, resource: resource as ResourceView, get });
      }
      return await getView<T>(call, {
        resource,
        request: requestFor(id),
        get: (client) => get(client, id),
        ...shown?.(call),
      });
    },
  };
}

export interface ResourceToGet<T extends JsonObject> {
  resource: ResourceView<T>;
  request: ApiRequest;
  get(client: Client): Promise<ApiResult<T>>;
  /** Returns its view, e.g. with the coin of its amounts. */
  viewOf?(thing: T): Promise<ResourceView<T>>;
  /** Returns the output of `-o name` if the resource has no ID. */
  nameOf?(thing: T): string;
  /** Returns notes for stderr beyond its fields. @param flags those that reach the same service */
  notesOn?(thing: T, flags: readonly string[]): readonly string[];
}

export async function getView<T extends JsonObject>(call: Call, toGet: ResourceToGet<T>): Promise<View> {
  const { request, get, nameOf, notesOn, viewOf } = toGet;
  const shown = await shownInstead(call, request);
  if (shown) return shown;
  const { client, flags } = await call.session();
  const { data, body } = await get(client);
  const resource = (await viewOf?.(data)) ?? toGet.resource;
  const notes = notesOn?.(data, flags) ?? [];
  return { kind: "one", resource, value: data, body, notes, ...(nameOf && { name: nameOf(data) }) };
}

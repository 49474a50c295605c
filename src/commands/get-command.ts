import type { ApiResult } from "../client/api-result.ts";
import type { Client } from "../client/client.ts";
import type { ApiRequest } from "../client/request.ts";
import { readId } from "../command-support/ids.ts";
import { shownInstead } from "../command-support/shown.ts";
import type { JsonObject } from "../contract/json.ts";
import { operations } from "../contract/operations.ts";
import type { ResourceView, View } from "../terminal/view.ts";
import type { Argument, Call, CommandFile } from "./command.ts";

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

/** Returns `relayctl <noun> get <id>`: by the service's own route, otherwise from the list. */
export function getCommand<T extends JsonObject>(spec: GetCommand<T>): CommandFile<object, string> {
  const { noun, summary, description, examples, resource, argument, get, shown } = spec;
  return {
    summary,
    sends: "read",
    examples,
    resource,
    args: [argument],
    define: (command) => void command.description(description),
    prepare: (call, problems) => readId(call, problems, "id", call.args[0]),
    run: (call, id) =>
      getView<T>(call, {
        resource,
        request: { operation: operations[`${noun}.get`], parameters: { [`${resource.one}_id`]: id } },
        get: (client) => get(client, id),
        ...shown?.(call),
      }),
  };
}

/** The resource that a command reads. */
export interface ResourceToGet<T extends JsonObject> {
  resource: ResourceView<T>;
  /** The first request. */
  request: ApiRequest;
  get(client: Client): Promise<ApiResult<T>>;
  /** Returns its view, e.g. with the coin of its amounts. */
  viewOf?(thing: T): Promise<ResourceView<T>>;
  /** Returns the output of `-o name` if the resource has no ID. */
  nameOf?(thing: T): string;
  /**
   * Returns notes for stderr beyond its fields.
   * @param flags the flags that a command repeats to reach the same service
   */
  notesOn?(thing: T, flags: readonly string[]): readonly string[];
}

/** Reads one resource. */
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

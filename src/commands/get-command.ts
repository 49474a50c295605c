import type { ApiResult } from "../client/api-result.ts";
import type { Client } from "../client/client.ts";
import { readId } from "../command-support/ids.ts";
import type { JsonObject } from "../contract/json.ts";
import { operations } from "../contract/operations.ts";
import type { ResourceView } from "../terminal/view.ts";
import type { Argument, Call, CommandFile } from "./command.ts";
import { type Gotten, getView } from "./get-view.ts";

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
  shown?(call: Call): Pick<Gotten<T>, "viewOf" | "notesOn">;
}

/** Returns `relayctl <noun> get <id>`: by the service's own route, else from the list. */
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

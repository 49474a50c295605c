import type { ApiResult } from "../client/api-result.ts";
import { failureOfMany } from "../client/bulk/failure.ts";
import { type Run, runAll } from "../client/bulk/run-all.ts";
import type { Client } from "../client/client.ts";
import { readIds, refuseNone } from "../command-support/ids.ts";
import type { JsonObject } from "../contract/json.ts";
import type { Problems } from "../contract/problems.ts";
import type { ListView, Page, ResourceView } from "../terminal/view.ts";
import type { Argument, Call } from "./command.ts";

/** The maximum of concurrent requests; more could exhaust a node's own rate limit. */
const AT_ONCE = 8;

/** Several resources of one kind, each read by a request of its own. */
export interface Several<T extends JsonObject> {
  ids: readonly string[];
  /** The resources in the plural, for the error. */
  noun: string;
  resource: ResourceView;
  get(client: Client, id: string): Promise<ApiResult<T>>;
  /** Returns the item that is shown for a response (default: its data). */
  itemOf?(id: string, data: T): JsonObject;
}

export function severalArgument(argument: Argument, name = "<ids...>"): Argument {
  const description = argument.description
    .replace("ID (", "IDs (")
    .replace("`-` reads one line", "`-` reads IDs, one per line,");
  return { ...argument, name, description };
}

/** Reads the typed IDs. Several cannot be printed raw, since each is a response of its own. */
export async function readSeveral(
  call: Pick<Call, "app" | "args" | "output">,
  problems: Problems,
  one: string,
  what = "id",
): Promise<readonly string[]> {
  const ids = (await readIds(call, problems, what)) ?? [];
  if (call.args.length > 0) refuseNone(problems, ids);
  if (ids.length > 1 && call.output.format === "raw")
    problems.add("-o", `raw is the response to one request; specify one ${one}`);
  return ids;
}

/** Returns several resources in typed order. One that cannot be read does not hide the others. */
export async function severalView<T extends JsonObject>(call: Call, several: Several<T>): Promise<ListView> {
  const { ids, noun, resource, get, itemOf = (_, data) => data } = several;
  const { client, name, flags } = await call.session();
  const { interrupt } = call.app;
  const run = runAll(
    ids.map((id) => ({ id, run: () => get(client, id) })),
    { concurrency: AT_ONCE, interrupt },
  );
  return {
    kind: "list",
    resource,
    pages: buildPages(run, itemOf),
    where: name,
    flags,
    inOrder: true,
    // If none could be read, the failure says so.
    nothing: null,
    async ending() {
      const failure = failureOfMany(await run.done, noun, interrupt, { writes: false });
      return failure ? { failure } : {};
    },
  };
}

async function* buildPages<T extends JsonObject>(
  { results }: Run<ApiResult<T>>,
  itemOf: (id: string, data: T) => JsonObject,
): AsyncGenerator<Page> {
  for await (const { id, value } of results) {
    if (value) yield { items: [itemOf(id, value.data)], total: undefined, body: value.body };
  }
}

import { bulkFailure, type Run, runAll } from "../client/bulk/run-all.ts";
import type { Client } from "../client/client.ts";
import type { ApiRequest, ApiResult } from "../client/request.ts";
import { readIds, refuseNoIds } from "../command-support/ids.ts";
import { isDryRun, showIfDryRun, showRequests } from "../command-support/shown.ts";
import type { JsonObject } from "../contract/json.ts";
import { operations } from "../contract/operations.ts";
import type { Problems } from "../contract/problems.ts";
import { type ListView, listFrom, type Page, type ResourceView, type View } from "../terminal/view.ts";
import { isBulkCommand } from "./bulk/flags.ts";
import type { Argument, Call, CommandFile, Described } from "./command.ts";

interface GetCommand<T extends JsonObject> extends Described {
  noun: "relayers" | "networks" | "notifications" | "plugins" | "signers";
  resource: ResourceView<T>;
  argument: Argument;
  get(client: Client, id: string): Promise<ApiResult<T>>;
  shown?(call: Call): Pick<ResourceToGet<T>, "viewOf" | "notesOn">;
}

/** Returns `relayctl <noun> get <ids...>`: by the service's route, otherwise from the list. */
export function createGetCommand<T extends JsonObject>(spec: GetCommand<T>): CommandFile<object, readonly string[]> {
  const { noun, argument, get, shown, ...described } = spec;
  const { resource } = spec;
  const requestFor = (id: string): ApiRequest => ({
    operation: operations[`${noun}.get`],
    parameters: { [`${resource.one}_id`]: id },
  });
  return {
    ...described,
    sends: "read",
    ends: { partial: "some failed" },
    args: [getSeveralArgument(argument)],
    paginates: isBulkCommand,
    contexts: {},
    description: `${spec.description} With several IDs, list them in that order.`,
    prepare: (call, problems) => getSeveralIds(call, problems, resource.one),
    async run(call, ids) {
      const [id, ...more] = ids;
      if (id === undefined || more.length > 0) {
        if (isDryRun(call)) return await showRequests(call, ids.map(requestFor));
        return await getSeveralView(call, { ids, noun, resource: resource as ResourceView, get });
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
  viewOf?(thing: T): Promise<ResourceView<T>>;
  /** Returns the output of `-o name` if the resource has no ID. */
  nameOf?(thing: T): string;
  notesOn?(thing: T, flags: readonly string[]): readonly string[];
}

export async function getView<T extends JsonObject>(call: Call, toGet: ResourceToGet<T>): Promise<View> {
  const { request, get, nameOf, notesOn, viewOf } = toGet;
  const shown = await showIfDryRun(call, request);
  if (shown) return shown;
  const { client, flags, recentJournal } = await call.session();
  const recent = await recentJournal();
  const read = () => get(client);
  const { data, body } = recent
    ? await (await ownChanges()).readWithOwnChanges(call, recent, request, read)
    : await read();
  const resource = (await viewOf?.(data)) ?? toGet.resource;
  const notes = notesOn?.(data, flags) ?? [];
  return { kind: "one", resource, value: data, body, notes, ...(nameOf && { name: nameOf(data) }) };
}

const ownChanges = () => import("../command-support/own-changes.ts");

/** The maximum of concurrent requests; more could exhaust a node's own rate limit. */
const AT_ONCE = 8;

interface Several<T extends JsonObject> {
  ids: readonly string[];
  noun: string;
  resource: ResourceView;
  get(client: Client, id: string): Promise<ApiResult<T>>;
  /** Returns the shown item of a response (default: its data). */
  itemOf?(id: string, data: T): JsonObject;
}

export function getSeveralArgument(argument: Argument, name = "<ids...>"): Argument {
  const description = argument.description
    .replace("ID (", "IDs (")
    .replace("`-` reads one line", "`-` reads IDs, one per line,");
  return { ...argument, name, description };
}

/** Reads the typed IDs. Several can't be printed raw, since each is a separate response. */
export async function getSeveralIds(
  call: Pick<Call, "app" | "args" | "output">,
  problems: Problems,
  one: string,
  what = "id",
): Promise<readonly string[]> {
  const ids = (await readIds(call, problems, what)) ?? [];
  if (call.args.length > 0) refuseNoIds(problems, ids);
  if (ids.length > 1 && call.output.format === "raw")
    problems.add("-o", `raw is the response to one request; specify one ${one}`);
  return ids;
}

/** Returns several resources in typed order. If one can't be read, the others are still shown. */
export async function getSeveralView<T extends JsonObject>(call: Call, several: Several<T>): Promise<ListView> {
  const { ids, noun, resource, get, itemOf = (_, data) => data } = several;
  const { client, name, flags } = await call.session();
  const { interrupt } = call.app;
  const run = runAll(
    ids.map((id) => ({ id, run: () => get(client, id) })),
    { concurrency: AT_ONCE, interrupt },
  );
  // If none could be read, the failure says so.
  return listFrom({ name, flags }, resource, buildPages(run, itemOf), {
    nothing: null,
    ending: async () => ({ failure: bulkFailure(await run.done, noun, interrupt, { writes: false }) }),
  });
}

async function* buildPages<T extends JsonObject>(
  { results }: Run<ApiResult<T>>,
  itemOf: (id: string, data: T) => JsonObject,
): AsyncGenerator<Page> {
  for await (const { id, value } of results) {
    if (value) yield { items: [itemOf(id, value.data)], total: undefined, body: value.body };
  }
}

import type { PluginCall } from "../../client/plugin-call.ts";
import { readJson } from "../../command-support/input-file.ts";
import type { Problems } from "../../command-support/problems.ts";
import { idProblem } from "../../contract/id.ts";
import { type JsonValue, writeJson } from "../../contract/json.ts";
import { MAX_CALL_BYTES } from "../../contract/resources/plugin.ts";
import type { Call } from "../command.ts";

/** The flags of `plugins call`, with commander's names. */
export interface CallFlags {
  file?: string;
  get?: true;
  parameter?: string[];
}

/** A validated call. */
export interface TypedCall {
  id: string;
  given: PluginCall;
}

/** Returns the route without a leading slash; undefined if there is none. */
export function routeOf(typed: string | undefined, problems: Problems): string | undefined {
  const route = typed?.replace(/^\/+/, "");
  const rule =
    route === undefined
      ? undefined
      : route
          .split("/")
          .map(idProblem)
          .find((problem) => problem);
  if (rule) problems.add("[route]", `one part of it ${rule}`, typed);
  return route;
}

export function queryOf({ parameter = [] }: CallFlags, problems: Problems): Record<string, string> {
  const query: Record<string, string> = {};
  for (const text of parameter) {
    const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
    if (name === undefined || value === undefined)
      problems.add("--parameter", "needs a name and a value: name=value", text);
    else if (Object.hasOwn(query, name)) problems.add("--parameter", "specified twice", name);
    else query[name] = value;
  }
  return query;
}

/** Returns the plugin's input; undefined for a GET. The service would reject a body that is too large (facts 1.8). */
export async function bodyOf({ app, flags }: Call<CallFlags>, problems: Problems): Promise<JsonValue | undefined> {
  const { file, get } = flags;
  if (get && file !== undefined) problems.add("--file", "a GET request has no body; pass values with --parameter");
  if (get) return undefined;
  const body = file === undefined ? {} : await problems.gather(() => readJson(app, file));
  const size = body === undefined ? 0 : new TextEncoder().encode(writeJson(body)).length;
  if (size > MAX_CALL_BYTES)
    problems.add("--file", `is ${size} bytes of JSON; a plugin takes ${MAX_CALL_BYTES} at most`);
  return body === undefined ? {} : body;
}

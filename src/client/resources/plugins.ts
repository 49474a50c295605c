import type { JsonObject, JsonValue } from "../../contract/json.ts";
import { operations } from "../../contract/operations.ts";
import type { Answer } from "../answer.ts";
import { ask } from "../ask.ts";
import { getNamed } from "../find.ts";
import type { Link } from "../link.ts";
import { PLUGIN } from "../look.ts";
import { type ListBounds, type ListPage, listPages } from "../walk.ts";
import { write } from "../write.ts";

export interface PluginsClient {
  list(bounds?: ListBounds): AsyncIterable<ListPage>;
  get(id: string): Promise<Answer>;
  update(id: string, patch: JsonObject): Promise<Answer>;
  /** Sent at most once after it may have left: what a plugin does is its own. */
  call(id: string, body: JsonValue, query?: Readonly<Record<string, string>>): Promise<Answer>;
  callGet(id: string, query?: Readonly<Record<string, string>>): Promise<Answer>;
}

export function pluginsClient(link: Link): PluginsClient {
  const on = (id: string) => ({ plugin_id: id });
  return {
    list: (bounds = {}) => listPages(ask("plugins.list"), bounds, link),
    get: (id) => getNamed(PLUGIN, id, link),
    update: (id, patch) => write(ask("plugins.update", on(id), patch), link),
    call: (id, body, query = {}) =>
      write({ operation: operations["plugins.call"], parameters: on(id), query, body }, link),
    callGet: (id, query = {}) => write({ ...ask("plugins.call-get", on(id)), query }, link),
  };
}

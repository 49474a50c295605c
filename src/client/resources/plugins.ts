import type { JsonObject } from "../../contract/json.ts";
import type { Plugin } from "../../contract/plugin.ts";
import type { Answer } from "../answer.ts";
import { ask } from "../ask.ts";
import { getNamed } from "../find.ts";
import type { Link } from "../link.ts";
import { PLUGIN } from "../look.ts";
import { callPlugin, type PluginAnswer, type PluginCall, pluginAsk } from "../plugin-call.ts";
import { type ListBounds, type ListPage, listPages } from "../walk.ts";
import { write } from "../write.ts";

export interface PluginsClient {
  list(bounds?: ListBounds): AsyncIterable<ListPage>;
  get(id: string, options?: { byRoute?: boolean }): Promise<Answer<Plugin>>;
  update(id: string, patch: JsonObject): Promise<Answer<Plugin>>;
  /** Sent at most once after it may have left: what a plugin does is its own. */
  call(id: string, given: PluginCall): Promise<PluginAnswer>;
}

export function pluginsClient(link: Link): PluginsClient {
  const on = (id: string) => ({ plugin_id: id });
  return {
    list: (bounds = {}) => listPages(ask("plugins.list"), bounds, link),
    get: (id, options) => getNamed(PLUGIN, id, link, options),
    update: (id, patch) => write(ask("plugins.update", on(id), patch), link),
    call: (id, given) => callPlugin(pluginAsk(id, given), link),
  };
}

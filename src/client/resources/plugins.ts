import type { JsonObject } from "../../contract/json.ts";
import type { Plugin } from "../../contract/resources/plugin.ts";
import type { ApiResult } from "../api-result.ts";
import type { ClientContext } from "../client-context.ts";
import { getNamed } from "../find.ts";
import { type ListBounds, type ListPage, listPages } from "../pagination/list-pages.ts";
import { callPlugin, type PluginCall, type PluginResult, pluginRequest } from "../plugin-call.ts";
import { PLUGIN } from "../read-back/target.ts";
import { apiRequest, type WriteFacts } from "../request.ts";
import { write } from "../write.ts";

export interface PluginsClient {
  list(bounds?: ListBounds): AsyncIterable<ListPage>;
  get(id: string, options?: { byRoute?: boolean }): Promise<ApiResult<Plugin>>;
  update(id: string, patch: JsonObject, facts?: WriteFacts): Promise<ApiResult<Plugin>>;
  /** Calls a plugin. Never sent again once it may have left: a plugin can do anything. */
  call(id: string, given: PluginCall): Promise<PluginResult>;
}

export function pluginsClient(clientContext: ClientContext): PluginsClient {
  const on = (id: string) => ({ plugin_id: id });
  return {
    list: (bounds = {}) => listPages(apiRequest("plugins.list"), bounds, clientContext),
    get: (id, options) => getNamed(PLUGIN, id, clientContext, options),
    update: (id, patch, facts) => write(apiRequest("plugins.update", on(id), patch), clientContext, facts),
    call: (id, given) => callPlugin(pluginRequest(id, given), clientContext),
  };
}

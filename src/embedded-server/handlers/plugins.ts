import type { Handler } from "../handler.ts";
import { listReply } from "../paging.ts";
import { pluginUnknown } from "../refusal.ts";

/** Lists plugins. Not in the interface; facts 8.3. */
export const listPlugins: Handler = async ({ query, store }) =>
  store.read(({ plugins }) => listReply(plugins, query, (plugin) => plugin));

export const getPlugin: Handler = async ({ ids: [id = ""], store }) =>
  store.read(({ plugins }) => {
    const plugin = plugins.get(id);
    if (!plugin) throw pluginUnknown(id);
    return { data: plugin };
  });

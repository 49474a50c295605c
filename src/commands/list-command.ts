import type { ListBounds } from "../client/pagination/list-pages.ts";
import { operations } from "../contract/operations.ts";
import type { ResourceView } from "../terminal/view.ts";
import type { CommandFile } from "./command.ts";
import { defineListFlags, type ListFlags, listBounds } from "./list-flags.ts";
import { listView } from "./list-view.ts";

/** What distinguishes the `list` of one noun. */
interface ListCommand {
  noun: "relayers" | "networks" | "notifications" | "plugins" | "signers";
  summary: string;
  description: string;
  examples: readonly string[];
  resource: ResourceView;
}

/** Returns `relayctl <noun> list`. */
export function listCommand(spec: ListCommand): CommandFile<ListFlags, ListBounds> {
  const { noun, summary, description, examples, resource } = spec;
  return {
    summary,
    sends: "read",
    examples,
    resource,
    paginates: true,
    define: (command) => void defineListFlags(command.description(description)),
    prepare: async ({ flags }, problems) => listBounds(flags, problems),
    run: (call, bounds) =>
      listView(call, bounds, {
        resource,
        request: { operation: operations[`${noun}.list`] },
        pages: (client) => client[noun].list(bounds),
      }),
  };
}

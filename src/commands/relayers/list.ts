import type { ListBounds } from "../../client/pagination/list-pages.ts";
import { isDryRun } from "../../command-support/shown.ts";
import type { CommandFile } from "../command.ts";
import { createListCommand } from "../list-command.ts";
import { type ListFlags, listBounds } from "../list-flags.ts";
import { WATCH_OPTION, type WatchFlag, watchIntervalFlag } from "../watch/flag.ts";
import { liveValuesNamed, relayerListView } from "./live/list-view.ts";

const list = createListCommand({
  noun: "relayers",
  summary: "List the relayers and the state of each",
  description:
    "List relayers with their network, state, notification, and address. The fields `pending` (how many transactions are pending) and `oldest` (the age of the oldest one) need extra requests for each relayer, so they are read only when --fields, --where, or --sort uses them.",
  examples: [
    "relayctl relayers list",
    "relayctl relayers list --where system_disabled --fields id,disabled_reason.type",
    "relayctl relayers list --fields id,state,pending,oldest --sort=-oldest",
  ],
  resource: relayerListView(),
});

export const relayersList: CommandFile<ListFlags & WatchFlag, { bounds: ListBounds; every: number | undefined }> = {
  ...list,
  define(command) {
    list.define?.(command);
    command.option(...WATCH_OPTION);
  },
  async prepare(call, problems) {
    return { bounds: listBounds(call.flags, problems), every: watchIntervalFlag(call, problems) };
  },
  async run(call, { bounds, every }) {
    if (isDryRun(call)) return await list.run(call, bounds);
    if (every !== undefined) return await (await import("./list/watch.ts")).watchRelayers(call, { bounds, every });
    const named = liveValuesNamed(call.output);
    if (!named.status && !named.oldest) return await list.run(call, bounds);
    return await (await import("./list/with-values.ts")).listWithValues(call, bounds, named);
  },
};

import { storedList } from "../../command-support/stored-list.ts";
import type { View } from "../../terminal/view.ts";
import type { Call, CommandFile } from "../command.ts";
import { contextView, storedContext } from "./stored-context.ts";

/** `relayctl context list`: shows the stored contexts, without tokens. */
export const contextList: CommandFile = {
  summary: "List the stored contexts",
  sends: "nothing",
  examples: ["relayctl context list", "relayctl context list -o json", "relayctl context list --fields name,server"],
  resource: contextView,
  define(command) {
    command.description(
      "List the stored contexts with their servers and how each gets its token, and show which context is current.",
    );
  },
  run,
};

async function run({ app }: Call): Promise<View> {
  const { contexts, current } = await app.config.read();
  const items = Object.entries(contexts).map(([name, context]) => storedContext(name, context, name === current));
  items.sort((left, right) => (left.name < right.name ? -1 : 1));
  return storedList(contextView, items, app.config.path);
}

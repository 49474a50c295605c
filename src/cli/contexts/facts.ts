import { isJsonObject, type JsonObject, type JsonValue, withLastMember } from "../../contract/json.ts";
import type { BlockLine, Ending, FactsView } from "../../terminal/view.ts";
import type { InContext } from "./in-context.ts";

/** Returns the facts of several contexts as one: below each other, and for scripts as a list. */
export function factsOfContexts(sources: readonly InContext<FactsView>[], ending: Ending): FactsView {
  const lists = sources[0]?.view.lists;
  return {
    kind: "facts",
    lines: sources.flatMap(({ name, view }): BlockLine[] => [
      { label: "context", value: { text: name } },
      ...view.lines,
    ]),
    value: lists
      ? Object.fromEntries(lists.map((list) => [list, sources.flatMap((source) => listIn(source, list))]))
      : sources.flatMap(({ name, view }) => itemsIn(view.value, name)),
    ...ending,
  };
}

function listIn({ name, view: { value } }: InContext<FactsView>, list: string): JsonObject[] {
  const items = isJsonObject(value) ? value[list] : [];
  return Array.isArray(items) ? items.flatMap((item) => itemsIn(item, name)) : [];
}

/** Returns each object with its context, and any other value as a member `value` next to it. */
function itemsIn(value: JsonValue, name: string): JsonObject[] {
  return (Array.isArray(value) ? value : [value]).map((item) =>
    withLastMember(isJsonObject(item) ? item : { value: item }, "context", name),
  );
}

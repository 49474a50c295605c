import type { JsonObject } from "../../contract/json.ts";
import { type ResourceView, type TableColumn, viewContextColumn } from "../../terminal/view.ts";

const FIELD = "context";

export interface ResourceInContext {
  name: string;
  resource: ResourceView;
  /** The flags that a command repeats to reach its service. */
  flags: readonly string[];
}

/** Returns the view of a resource with the context of each item: the first column of tables, and the last of data. */
export function resourceWithContext(resource: ResourceView): ResourceView {
  const { table, flat, fields } = resource;
  const [first, ...more] = table;
  return {
    ...resource,
    table: [viewContextColumn(), ...(first ? [{ ...first, worth: "always" as const }] : []), ...more],
    flat: [...flat, FIELD],
    fields: [...fields, FIELD],
  };
}

export function resourceOfContexts(sources: readonly [ResourceInContext, ...ResourceInContext[]]): ResourceView {
  const [{ resource: first }] = sources;
  const isSame = sources.every(({ resource }) => resource === first);
  const { screen, below, ...drawn } = isSame ? first : drawnByContext(sources, first);
  const itemsOf = (items: readonly JsonObject[], name: string) => items.filter(({ context }) => context === name);
  const linesBy = (key: "screen" | "below") => (items: readonly JsonObject[]) =>
    sources.flatMap(({ name, resource, flags }) => {
      const own = itemsOf(items, name);
      const lines = own.length === 0 ? [] : (resource[key]?.(own, flags) ?? []);
      const heading = `${name} · ${own.length} ${own.length === 1 ? resource.one : resource.many}`;
      return lines.length === 0 ? [] : [{ heading }, ...lines];
    });
  return resourceWithContext({
    ...drawn,
    ...(screen && { screen: linesBy("screen") }),
    ...(below && { below: linesBy("below") }),
  });
}

function drawnByContext(sources: readonly ResourceInContext[], first: ResourceView): ResourceView {
  const byName = new Map(sources.map(({ name, resource }) => [name, resource]));
  const resourceFor = ({ context }: JsonObject) => byName.get(String(context)) ?? first;
  const headers = [...new Set(sources.flatMap(({ resource }) => resource.table.map(({ header }) => header)))];
  const { derived, sign, ...others } = first;
  return {
    ...others,
    table: headers.flatMap((header) => findColumn(header, byName) ?? []),
    ...(sign && { sign: (item) => (resourceFor(item).sign ?? sign)(item) }),
    ...(derived && {
      derived: Object.fromEntries(
        Object.entries(derived).map(([key, field]) => [
          key,
          {
            ...field,
            value: (item: JsonObject, now: number) => (resourceFor(item).derived?.[key] ?? field).value(item, now),
          },
        ]),
      ),
    }),
  };
}

/** Returns a column that every context may fill. A column that only some contexts have is empty in the others. */
function findColumn(header: string, views: ReadonlyMap<string, ResourceView>): TableColumn<JsonObject> | undefined {
  const columns = new Map(
    [...views].flatMap(([name, { table }]) =>
      table.filter((each) => each.header === header).map((each) => [name, each]),
    ),
  );
  const [first] = columns.values();
  if (!first) return undefined;
  const { reads: _, apart, ...others } = first;
  const columnFor = ({ context }: JsonObject) => columns.get(String(context));
  const reads = [...columns.values()].map((column) => column.reads);
  return {
    ...others,
    cell: (item) => columnFor(item)?.cell(item) ?? { text: "" },
    ...(apart && { apart: (item) => columnFor(item)?.apart?.(item) ?? "" }),
    ...(reads.every((fields) => fields !== undefined) && { reads: [...new Set(reads.flat())] }),
  };
}

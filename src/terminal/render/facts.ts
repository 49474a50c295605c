import { isJsonObject, type JsonValue } from "../../contract/json.ts";
import { flatCell } from "../escape.ts";
import type { OutputOptions } from "../output-options.ts";
import type { Printer } from "../printer.ts";
import { parseQuery } from "../select/query.ts";
import type { View } from "../view.ts";
import { formatFor, printBlock } from "./one.ts";
import { idOf, printValue } from "./value.ts";

type FactsView = Extract<View, { kind: "facts" }>;

/** Prints what this tool computed: its lines on a terminal, its value everywhere else. There is no reply to be raw. */
export async function renderFacts(view: FactsView, options: OutputOptions, out: Printer): Promise<void> {
  const { headers } = options;
  const query = options.query === undefined ? undefined : await parseQuery(options.query);
  const format = formatFor(options, out);
  if (query) return printValue(query(view.value), { format, headers }, out);
  if (format === "name") return out.stdout.write(names(view.value));
  if (format === "table") return printBlock(view.lines, out);
  await printValue(view.value, { format, headers }, out);
}

function names(value: JsonValue): string {
  const items = Array.isArray(value) ? value : [value];
  const ids = items.filter(isJsonObject).map(idOf);
  return ids.map((id) => `${flatCell(id)}\n`).join("");
}

import { isJsonObject, type JsonValue } from "../../contract/json.ts";
import { flatCell } from "../escape.ts";
import type { OutputOptions } from "../output-options.ts";
import type { Printer } from "../printer.ts";
import { valueText } from "../select/path.ts";
import { parseQuery } from "../select/query.ts";
import type { FactsView } from "../view.ts";
import { formatFor, printBlock } from "./one.ts";
import { printRaw } from "./raw.ts";
import { idOf, printValue } from "./value.ts";

/** Prints facts that are not a resource: lines on a terminal, the value everywhere else. Only a response can be raw. */
export async function renderFacts(view: FactsView, options: OutputOptions, out: Printer): Promise<void> {
  const { headers } = options;
  const query = options.query === undefined ? undefined : await parseQuery(options.query);
  const format = formatFor(options, out);
  if (format === "raw" && view.body) return printRaw(view.body, out);
  if (query) return printValue(query(view.value), { format, headers }, out);
  if (format === "name") return out.stdout.write(names(view.name ?? view.value));
  if (format === "table") return printBlock(view.lines, out);
  await printValue(view.value, { format, headers }, out);
}

function names(value: JsonValue): string {
  const items = Array.isArray(value) ? value : [value];
  const ids = items.map((item) => (isJsonObject(item) ? idOf(item) : valueText(item)));
  return ids.map((id) => `${flatCell(id)}\n`).join("");
}

import type { OutputFormat } from "../output-options.ts";
import type { Printer } from "../printer.ts";
import { fieldsReadBy } from "../select/derived.ts";
import type { Selection } from "../select/selection.ts";
import type { ResourceView } from "../view.ts";

/**
 * Returns the item fields that the output needs, so that all others can be skipped: fields to show, filter, and sort
 * by. Returns undefined if any field may be needed.
 */
export function fieldsRead(
  resource: ResourceView,
  format: OutputFormat,
  selection: Selection,
  out: Printer,
): readonly string[] | undefined {
  const shown = selection.query ? undefined : pathsShown(resource, format, selection, out);
  if (shown === undefined) return undefined;
  const choosing = [...selection.where, ...(selection.sort ? [selection.sort] : [])].map(({ field }) => field);
  const paths = ["id", ...shown, ...choosing].flatMap((path) => fieldsReadBy(resource, path));
  return [...new Set(paths.map((path) => path.split(".", 1).join()))];
}

function pathsShown(
  { id, table, flat, screen, attention }: ResourceView,
  format: OutputFormat,
  { fields }: Selection,
  { stdout }: Printer,
): readonly string[] | undefined {
  if (format === "name") return [id ?? "id", "name"];
  // On a terminal the summary below a table may read any field.
  if (format === "table" && stdout.isTerminal && attention) return undefined;
  if (fields) return fields;
  if (format === "tsv" || format === "csv") return flat;
  if (format !== "table" || screen) return undefined;
  const reads = table.map((column) => column.reads);
  return reads.every((fields) => fields !== undefined) ? reads.flat() : undefined;
}

import type { JsonValue } from "../../contract/json.ts";
import { PLUGIN_SWITCHES, type Plugin, timeoutSeconds } from "../../contract/resources/plugin.ts";
import type { BlockLine, Cell, ResourceView } from "../../terminal/view.ts";
import { cell, column, lines } from "../cells.ts";

const FIELDS = ["id", "path", "timeout", ...PLUGIN_SWITCHES, "config"];

/** The view of plugins. */
export const pluginView: ResourceView<Plugin> = {
  one: "plugin",
  many: "plugins",
  table: [
    column("id", "id"),
    { header: "timeout", cell: ({ timeout }) => timeoutCell(timeout), align: "right" },
    { header: "get", cell: ({ allow_get_invocation }) => cell(allow_get_invocation) },
    { header: "logs", cell: ({ emit_logs }) => cell(emit_logs) },
    column("path", "path"),
  ],
  flat: ["id", "path", "timeout.secs", ...PLUGIN_SWITCHES],
  fields: [...FIELDS, "timeout.secs"],
  block: (plugin) => FIELDS.flatMap((field) => fieldLines(field, plugin[field])),
};

/** Formats a timeout, which is an object since v1.4 (facts 8.3), as `300 s`. */
export function timeoutCell(timeout: JsonValue | undefined): Cell {
  const seconds = cell(timeoutSeconds(timeout));
  return seconds.tone ? seconds : { text: `${seconds.text} s` };
}

/** Returns lines for a field, or none if an older service lacks it. */
function fieldLines(field: string, value: JsonValue | undefined): BlockLine[] {
  if (value === undefined) return [];
  return lines(field.replaceAll("_", " "), [field === "timeout" ? timeoutCell(value) : cell(value)]);
}

import type { JsonValue } from "../contract/json.ts";
import { type Plugin, pluginFields, pluginTimeoutSeconds } from "../contract/resources/plugin.ts";
import {
  type BlockLine,
  type Cell,
  type ResourceView,
  toCell,
  toColumn,
  viewColumns,
  viewLines,
} from "../terminal/view.ts";

const COLUMNS = viewColumns<Plugin>(pluginFields, {
  timeout: { header: "timeout", cell: ({ timeout }) => pluginTimeoutCell(timeout), align: "right" },
  allow_get_invocation: toColumn("get", "allow_get_invocation"),
  emit_logs: toColumn("logs", "emit_logs"),
});

export const pluginView: ResourceView<Plugin> = {
  one: "plugin",
  many: "plugins",
  ...COLUMNS,
  fields: [...COLUMNS.fields, "timeout.secs"],
  block: (plugin) => COLUMNS.fields.flatMap((field) => fieldLines(field, plugin[field])),
};

/** Formats a timeout, which is an object since v1.4 (facts 8.3), as `300 s`. */
export function pluginTimeoutCell(timeout: JsonValue | undefined): Cell {
  const seconds = toCell(pluginTimeoutSeconds(timeout));
  return seconds.tone ? seconds : { text: `${seconds.text} s` };
}

function fieldLines(field: string, value: JsonValue | undefined): BlockLine[] {
  if (value === undefined) return [];
  return viewLines(field.replaceAll("_", " "), [field === "timeout" ? pluginTimeoutCell(value) : toCell(value)]);
}

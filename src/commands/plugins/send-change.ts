import { holdsAlready } from "../../client/read-back/compare.ts";
import type { PlannedWrite } from "../../command-support/prepared-write.ts";
import type { DiffFlag } from "../../command-support/shown.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../contract/json.ts";
import { operations } from "../../contract/operations.ts";
import { bodyFieldRule } from "../../contract/requests/body-problems.ts";
import { updatePluginSchema } from "../../contract/requests.ts";
import { type Plugin, pluginTimeoutSeconds } from "../../contract/resources/plugin.ts";
import type { Undo } from "../../session/receipt-words.ts";
import { commandLine } from "../../shell/shell-words.ts";
import { escapeText } from "../../terminal/escape.ts";
import { toCell } from "../../terminal/view.ts";
import { alignWidths } from "../../terminal/width.ts";
import { pluginTimeoutCell, pluginView } from "../../views/plugin.ts";
import type { Call } from "../command.ts";
import { alreadySetNote, type ResourceChange, readBefore, receiptWithBefore } from "../read-before.ts";

export function pluginChange(call: Call<DiffFlag>, { id, body, read }: ResourceChange<Plugin>): PlannedWrite<Plugin> {
  return {
    request: { operation: operations["plugins.update"], parameters: { plugin_id: id }, body },
    title: `update plugin ${id}`,
    act: "changing a plugin",
    id,
    resource: pluginView,
    prepare: async (session) => {
      const found = await (read?.() ?? readBefore(call, id, session.client.plugins));
      const before = found?.data;
      const isAlready = before && body.config === undefined && holdsAlready(body, withTimeoutInSeconds(before));
      const changes = Object.entries(body).flatMap(([name, requested]) => {
        if (before && name !== "config" && holdsAlready({ [name]: requested }, withTimeoutInSeconds(before))) return [];
        const old = before ? `${shownValue(name, before[name])} ` : "";
        return { name, change: `${old}→ ${shownValue(name, requested)}` };
      });
      return {
        before: found,
        already: isAlready ? alreadySetNote(id) : undefined,
        preview: () => alignWidths(changes.map(({ name, change }) => [name, escapeText(change)])),
        send: (client) => client.plugins.update(id, body, { before }),
        receipt: () =>
          receiptWithBefore(session, "plugins", id, {
            texts: changes.map(({ name, change }) => `${name} ${change}`),
            undo: before && undoOfPlugin(body, before),
          }),
        readAgain: commandLine(...session.flags, "plugins", "get", id),
      };
    },
  };
}

function withTimeoutInSeconds(plugin: Plugin): Plugin {
  return { ...plugin, timeout: pluginTimeoutSeconds(plugin.timeout) ?? null };
}

/** Returns a value for display; of a config only the names, since its values may be keys. */
function shownValue(name: string, value: JsonValue | undefined): string {
  if (name === "timeout") return pluginTimeoutCell(value).text;
  if (name !== "config") return toCell(value).text;
  const names = isJsonObject(value) ? Object.keys(value) : [];
  return names.length === 0 ? "empty" : `with ${names.join(", ")}`;
}

export function undoOfPlugin(body: JsonObject, plugin: Plugin): Undo {
  const before = withTimeoutInSeconds(plugin);
  const undone = Object.keys(body).map((name) => undoOfOne(name, before[name]));
  const not = undone.find((undo) => "because" in undo);
  return not ?? { flags: undone.flatMap((undo) => ("flags" in undo ? undo.flags : [])) };
}

/** 596 hours in seconds, the longest duration of a flag. */
const LONGEST_TYPED = 596 * 3600;

function undoOfOne(name: string, was: JsonValue | undefined): Undo {
  if (name === "config")
    return shownValue(name, was) === "empty"
      ? { flags: ["--no-config"] }
      : { because: "a config can only be set from a file" };
  const isTimeout = name === "timeout" && bodyFieldRule(updatePluginSchema, name, was ?? null) === undefined;
  if (isTimeout && Number(was) <= LONGEST_TYPED) return { flags: ["--plugin-timeout", `${toCell(was).text}s`] };
  const flag = name.replaceAll("_", "-");
  if (typeof was === "boolean") return { flags: [was ? `--${flag}` : `--no-${flag}`] };
  return { because: `the previous ${name} is unknown` };
}

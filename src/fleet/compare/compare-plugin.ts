import { isJsonObject, type JsonObject, type JsonValue } from "../../contract/json.ts";
import type { ChangeableField } from "../../contract/resources/field-types.ts";
import { type pluginFields, pluginTimeoutSeconds } from "../../contract/resources/plugin.ts";
import { MASK } from "../../contract/rpc-url.ts";
import { canonicalJson, canonicalText } from "./canonical-json.ts";
import type { Comparison } from "./findings.ts";

/** What applies to a plugin while the file does not set it (facts 8.3). */
export const PLUGIN_DEFAULTS: Readonly<Record<ChangeableField<typeof pluginFields>, JsonValue>> = {
  timeout: 300,
  emit_logs: false,
  emit_traces: false,
  raw_response: false,
  allow_get_invocation: false,
  forward_logs: false,
  config: {},
};

export function comparePlugin({ desired: { fields }, live, findings }: Comparison): void {
  const path = fields.path ?? null;
  if (path !== null && typeof live.path === "string" && path !== live.path) {
    const reason = "the API cannot change a plugin's path";
    findings.outsideApi(reason, { path: "path", before: live.path, after: path });
  }
  for (const [name, byDefault] of Object.entries(PLUGIN_DEFAULTS)) {
    const after = fields[name] ?? null;
    const before = comparedPluginMember(name, live);
    if (formatText(after ?? byDefault) === formatText(before ?? byDefault)) continue;
    if (live.raw_response === undefined) {
      const reason = "services before v1.4 cannot change a plugin";
      findings.outsideApi(reason, { path: name, before: shown(before), after: shown(after) });
      continue;
    }
    const difference = { path: [name], before: shown(before), after: shown(after), default: byDefault };
    findings.change({ ...difference, sent: after ?? byDefault });
  }
}

/** Returns a member of a plugin as in a request; null if it is unset. */
export function comparedPluginMember(name: string, plugin: JsonObject): JsonValue {
  const value = name === "timeout" ? pluginTimeoutSeconds(plugin.timeout) : plugin[name];
  return value ?? null;
}

function formatText(value: JsonValue): string {
  return canonicalText(value) ?? canonicalJson({});
}

/** Returns a value without its texts, which may be secrets in a plugin's config. */
function shown(value: JsonValue): JsonValue {
  if (typeof value === "string") return MASK;
  if (Array.isArray(value)) return value.map(shown);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shown(member)]));
}

import { isJsonObject, type JsonObject, type JsonValue } from "../json.ts";
import { type FieldTable, fieldsShape } from "./field.ts";
import type { Returned } from "./field-types.ts";

function toggle<const Name extends string>(name: Name, on: string, off: string) {
  return { form: "flag", null: "ignored", flag: [`--${name}`, on], clear: [`--no-${name}`, off] } as const;
}

/** A plugin's fields (facts 8.3); services before v1.4 return few. New fields go last. */
export const pluginFields = {
  id: { holds: "id", label: "id", table: 1, flat: true },
  path: { holds: "text", label: "path", table: 5, flat: true },
  /** `{secs, nanos}` in a response, seconds in a request. A special flag sets it. */
  timeout: {
    ...{ holds: "anything", label: "timeout", table: 2, flat: "timeout.secs" },
    update: { form: "seconds", rule: "Timeout must be greater than 0, in whole seconds", null: "ignored" },
  },
  emit_logs: {
    ...{ holds: "flag", label: "emit logs", table: 4, flat: true },
    update: toggle("emit-logs", "Return the plugin's logs with each call", "Do not return logs"),
  },
  emit_traces: {
    ...{ holds: "flag", label: "emit traces", flat: true },
    update: toggle("emit-traces", "Return the plugin's traces with each call", "Do not return traces"),
  },
  raw_response: {
    ...{ holds: "flag", label: "raw response", flat: true },
    update: toggle("raw-response", "Return the plugin's value without an envelope", "Return the value in an envelope"),
  },
  allow_get_invocation: {
    ...{ holds: "flag", label: "allow get invocation", table: 3, flat: true },
    update: toggle("allow-get-invocation", "Allow calls with GET", "Allow only POST"),
  },
  forward_logs: {
    ...{ holds: "flag", label: "forward logs", flat: true },
    update: toggle(
      "forward-logs",
      "Also write the plugin's logs to the service's log",
      "Keep the plugin's logs out of the service's log",
    ),
  },
  /** A special flag reads it from a file. */
  config: { holds: "anything", label: "config", update: { form: "object", null: "ignored" } },
} as const satisfies FieldTable;

/** The documented fields; the declarations of the package write them out. */
type PluginFields = Returned<typeof pluginFields>;

/** A plugin as the service returns it. */
export type Plugin = PluginFields & JsonObject;

export const pluginShape = fieldsShape(pluginFields);

/** The maximum body of a call in bytes (facts 1.8). */
export const MAX_CALL_BYTES = 262_144;

/** Returns a plugin's timeout in seconds: a number in a request, an object in a response. */
export function pluginTimeoutSeconds(timeout: JsonValue | undefined): JsonValue | undefined {
  return isJsonObject(timeout) ? timeout.secs : timeout;
}

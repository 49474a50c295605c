import { isJsonObject, type JsonObject, type JsonValue } from "../json.ts";
import { flag, nullish, object, text } from "../reply/shape.ts";

/** A plugin as the service returns it (facts 8.3); services before v1.4 have only some of its fields. */
export type Plugin = PluginFields & JsonObject;

export interface PluginFields {
  id: string;
  path?: string | null;
  /** `{secs, nanos}`. */
  timeout?: JsonValue;
  emit_logs?: boolean | null;
  emit_traces?: boolean | null;
  raw_response?: boolean | null;
  allow_get_invocation?: boolean | null;
  forward_logs?: boolean | null;
  config?: JsonValue;
}

/** The boolean settings of a plugin. */
export const PLUGIN_SWITCHES = [
  "emit_logs",
  "emit_traces",
  "raw_response",
  "allow_get_invocation",
  "forward_logs",
] as const;

export const pluginShape = object({
  id: text,
  path: nullish(text),
  ...Object.fromEntries(PLUGIN_SWITCHES.map((name) => [name, nullish(flag)])),
});

/** The maximum body of a call in bytes (facts 1.8). */
export const MAX_CALL_BYTES = 262_144;

/** Returns a plugin's timeout in seconds; it is a number of seconds in a request and an object in a response. */
export function timeoutSeconds(timeout: JsonValue | undefined): JsonValue | undefined {
  return isJsonObject(timeout) ? timeout.secs : timeout;
}

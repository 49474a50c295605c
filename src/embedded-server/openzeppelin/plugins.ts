import { isJsonObject, type JsonObject } from "../../contract/json.ts";
import { MAX_U64 } from "../../contract/largest-integers.ts";
import { updatingPluginBy } from "../handlers/update-plugin.ts";
import { flag, optional, struct, typedBody, unexpected, whole } from "./serde.ts";

const readUpdate = struct("UpdatePluginRequest", {
  timeout: optional(whole("u64", MAX_U64)),
  emit_logs: optional(flag),
  emit_traces: optional(flag),
  raw_response: optional(flag),
  allow_get_invocation: optional(flag),
  config: optional((value) => {
    if (!isJsonObject(value)) throw unexpected(value, "a map");
    return value;
  }),
  forward_logs: optional(flag),
});

export const updatePlugin = updatingPluginBy((request) => typedBody(request, readUpdate) as JsonObject);

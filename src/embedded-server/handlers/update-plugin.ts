import { isJsonObject, type JsonObject } from "../../contract/json.ts";
import { updatePluginSchema } from "../../contract/requests.ts";
import type { WireRequest } from "../../contract/wire.ts";
import { jsonBody, valid } from "../body.ts";
import type { Handler } from "../handler.ts";
import { badRequest, Refusal } from "../refusal.ts";
import { findResource } from "./resources.ts";

/** Reads the new fields of a plugin, without those that are null; `timeout` is in seconds. @throws Refusal */
type ReadPlugin = (request: WireRequest) => JsonObject;

/** Updates a plugin (facts 8.3). */
export function updatingPluginBy(read: ReadPlugin): Handler {
  return async ({ ids: [id = ""], request, store }) => {
    const { timeout, ...patch } = read(request);
    if (timeout === 0) throw new Refusal(400, "Timeout must be greater than 0");
    return store.change((state) => {
      const old = findResource(state, "plugins", id);
      const updated = { ...old, ...patch, ...(timeout !== undefined && { timeout: { secs: timeout, nanos: 0 } }) };
      state.plugins.put(updated);
      return { data: updated };
    });
  };
}

export const updatePlugin = updatingPluginBy((request) => {
  const body = jsonBody(request);
  if (!isJsonObject(body)) throw badRequest();
  const set = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
  return set.timeout === 0 ? { timeout: 0 } : (valid(updatePluginSchema, set) as JsonObject);
});

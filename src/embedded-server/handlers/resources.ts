import type { JsonObject } from "../../contract/json.ts";
import { type Handler, pagedListReply } from "../handler.ts";
import { Refusal, stillUsed } from "../refusal.ts";
import type { Resource } from "../state/collection.ts";
import type { ServerState } from "../state/state.ts";

type Noun = "networks" | "notifications" | "plugins" | "signers";
type Show = (item: JsonObject) => JsonObject;

/** Returns a resource. @throws Refusal if it does not exist */
export function findResource(state: Pick<ServerState, Noun>, noun: Noun, id: string): Resource {
  const found = state[noun].get(id);
  if (!found) throw new Refusal(404, refusalWords(noun, id));
  return found;
}

/** Returns the service's words, which differ by noun (facts 6 and 8). */
function refusalWords(noun: Noun, id: string): string {
  if (noun === "plugins") return `Plugin with id ${id} not found`;
  if (noun === "signers") return `Signer with ID ${id} not found`;
  return noun === "networks" ? `Network with ID '${id}' not found` : `Notification with ID '${id}' not found`;
}

/** Returns the handlers that list and read a noun (interface 4.4, facts 6 and 8). */
export function readResources(noun: Noun, show: Show = (item) => item): { list: Handler; get: Handler } {
  return {
    list: async ({ query, store }) => store.read((state) => pagedListReply(state[noun], query, show)),
    get: async ({ ids: [id = ""], store }) => store.read((state) => ({ data: show(findResource(state, noun, id)) })),
  };
}

const DELETED = {
  notifications: { what: "notification", text: "Notification deleted successfully" },
  signers: { what: "signer", text: "Signer deleted successfully" },
} as const;

/** Returns a handler that deletes an unused resource; its message lists relayers by name (facts 6 and 8.1). */
export function deleteUnusedResource(noun: keyof typeof DELETED): Handler {
  const { what, text } = DELETED[noun];
  return async ({ ids: [id = ""], store }) =>
    store.change((state) => {
      findResource(state, noun, id);
      const users = state.relayers.all().filter((relayer) => relayer[`${what}_id`] === id);
      if (users.length > 0) throw stillUsed(what, id, users);
      state[noun].remove(id);
      return { data: text };
    });
}

/** Returns a notification without its key (interface 2.5); a removed key is empty. */
export function resourceWithoutKey({ id, type = "webhook", url = "", signing_key }: JsonObject): JsonObject {
  return { id: id ?? "", type, url, has_signing_key: typeof signing_key === "string" && signing_key !== "" };
}

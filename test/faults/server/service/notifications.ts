import type { JsonObject, JsonValue } from "../../../../src/contract/json.ts";
import type { Dialect } from "./dialect.ts";
import { refused, saving } from "./outcome.ts";
import type { Considered } from "./service.ts";
import type { State } from "./state.ts";

/** interface 4.5; the real service has no conflict (facts 6). */
export function createNotification(body: JsonObject, state: State, dialect: Dialect): Considered {
  const id = typeof body.id === "string" ? body.id : "made-by-the-service";
  if (state.notifications.has(id)) {
    const real = dialect.name === "real";
    return refused(
      id,
      real
        ? dialect.failure(500, "An unknown error occurred")
        : dialect.failure(409, "Notification with this ID already exists"),
    );
  }
  return saving(state.notifications, id, () => shape(id, body, {}), dialect, 201);
}

/** interface 4.6: an absent or null key keeps it, "" removes it, any other text sets it. */
export function updateNotification(id: string, body: JsonObject, state: State, dialect: Dialect): Considered {
  const notification = state.notifications.get(id);
  if (!notification) return refused(id, dialect.failure(404, "Notification not found"));
  return saving(state.notifications, id, () => shape(id, body, notification), dialect);
}

function shape(id: string, { url, signing_key }: JsonObject, before: JsonObject): JsonObject {
  return { id, type: "webhook", url: url ?? before.url ?? "", has_signing_key: hasKey(signing_key, before) };
}

function hasKey(key: JsonValue | undefined, before: JsonObject): boolean {
  return typeof key === "string" ? key !== "" : before.has_signing_key === true;
}

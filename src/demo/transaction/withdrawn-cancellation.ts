import type { JsonObject } from "../../contract/json.ts";
import type { Resource } from "../state/collection.ts";

/**
 * What a replacement makes of a cancellation that was accepted before it. The facts do not tell (5.4 names `is_canceled`
 * neither among what a replacement changes nor among what it keeps). A record with the mark and a transfer would read as
 * a cancellation that came too late (5.5), which it is not: the mark goes, and the user's reason with it.
 */
export function withdrawnCancellation({ is_canceled }: Resource): JsonObject {
  return is_canceled === true ? { is_canceled: false, status_reason: null } : {};
}

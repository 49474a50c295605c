import type { JsonObject } from "../../contract/json.ts";
import type { Resource } from "../state/collection.ts";

/**
 * What a replacement makes of a cancellation that was accepted before it. It is not known what the service does (facts 5.4).
 * A record with the mark and a transfer would look like a cancellation that came too late (facts 5.5), which it is not: the
 * mark is removed, and the user's reason with it.
 */
export function withdrawnCancellation({ is_canceled }: Resource): JsonObject {
  return is_canceled === true ? { is_canceled: false, status_reason: null } : {};
}

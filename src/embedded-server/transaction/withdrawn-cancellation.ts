import type { JsonObject } from "../../contract/json.ts";
import type { Resource } from "../state/collection.ts";

/**
 * Withdraws an accepted cancellation when a replacement follows. The service's behavior is not known (facts 5.4). A
 * marked record with a transfer would look like a cancellation that came too late (facts 5.5), so the mark and the
 * user's reason are removed.
 */
export function withdrawnCancellation({ is_canceled }: Resource): JsonObject {
  return is_canceled === true ? { is_canceled: false, status_reason: null } : {};
}

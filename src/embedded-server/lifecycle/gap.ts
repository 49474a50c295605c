import { hexDigits } from "../digits.ts";
import type { Resource } from "../state/collection.ts";
import type { ServerState } from "../state/state.ts";
import { timestampText } from "../timestamp.ts";
import { noopFields } from "../transaction/noop.ts";
import { lifecycleFromSubmitted } from "./lifecycle.ts";
import { signed } from "./steps.ts";
import { update } from "./update.ts";

/**
 * Fills the nonce of a transaction that failed before it was sent: the service sends a transaction that does nothing,
 * so that the later ones can be mined (facts 13.3).
 */
export function fillGap(state: ServerState, failed: Resource, timestamp: number): void {
  const at = timestampText(timestamp);
  const filler: Resource = {
    ...failed,
    ...noopFields(failed),
    ...signed(state),
    id: madeId(state.hashes),
    status: "submitted",
    status_reason: `Gap-filling NOOP for nonce ${Number(failed.nonce)}`,
    created_at: at,
    sent_at: at,
  };
  update(state, filler, timestamp);
  state.lifecycles.set(filler.id, lifecycleFromSubmitted({ id: filler.id, end: "confirmed" }, filler, timestamp));
}

/** Returns an ID in the form of a UUID, the same for the same number: steps are deterministic. */
function madeId(number: number): string {
  return hexDigits(number, 32).replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, "$1-$2-4$3-8$4-$5");
}

import type { Call } from "../call.ts";
import { checkConsent } from "../consent/consent.ts";

/**
 * Refuses before anything is read what many writes will need and nobody has given. What a typed word agrees to is judged
 * once it is known what is to be written.
 * @throws RelayctlError declined
 */
export function refuseSetUnasked(call: Call, act: string): void {
  if (call.common.confirm === undefined) checkConsent(call, { act, sort: "yes" });
}

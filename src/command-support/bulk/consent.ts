import type { Call } from "../call.ts";
import { checkConsent } from "../consent/consent.ts";

/**
 * Refuses a bulk write without the required consent, before anything is read. Whether a typed word is correct is
 * checked once the targets are known.
 * @throws RelayctlError declined
 */
export function requireConsentForSet(call: Call, act: string): void {
  if (call.common.confirm === undefined) checkConsent(call, { act, sort: "yes" });
}

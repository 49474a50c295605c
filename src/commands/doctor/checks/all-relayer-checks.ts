import type { RelayerCode } from "../codes.ts";
import type { RelayerFacts } from "../facts.ts";
import type { Found } from "../finding.ts";
import type { Place } from "../place.ts";
import { anyReceiver, noBump, noCap, noMinimum, tightCap } from "./policy-checks.ts";
import { disabled, maskedUrl, noNotification, paused } from "./relayer-checks.ts";

/** The checks of a relayer. Each is made only if its facts were read. */
export const relayerChecks: Readonly<Record<RelayerCode, (facts: RelayerFacts, place: Place) => readonly Found[]>> = {
  "REL-DISABLED": disabled,
  "REL-PAUSED": paused,
  "REL-NO-CAP": noCap,
  "REL-CAP-TIGHT": tightCap,
  "REL-NO-BUMP": noBump,
  "REL-MIN-BALANCE-UNSET": noMinimum,
  "REL-NO-NOTIFICATION": noNotification,
  "REL-ANY-RECEIVER": anyReceiver,
  "REL-MASKED-URL": maskedUrl,
};

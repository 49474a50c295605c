import type { RelayerCode } from "../code.ts";
import type { RelayerFacts } from "../facts.ts";
import type { Found } from "../finding.ts";
import type { Place } from "../place.ts";
import { belowMinimum, nodeBehind, nodeDown, shortRunway, tooLow, wrongChain } from "./node-checks.ts";
import { anyReceiver, noBump, noCap, noMinimum, tightCap } from "./policy-checks.ts";
import { drift, foreign, gaps, phantoms, stuckBy } from "./queue-checks.ts";
import { backlog, old, reverts } from "./record-checks.ts";
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
  "RPC-DOWN": nodeDown,
  "RPC-CHAIN": wrongChain,
  "RPC-BEHIND": nodeBehind,
  "NONCE-JAM": stuckBy("NONCE-JAM"),
  "NONCE-GAP": gaps,
  "NONCE-UNBROADCAST": stuckBy("NONCE-UNBROADCAST"),
  "NONCE-FOREIGN": foreign,
  "NONCE-DRIFT": drift,
  "NONCE-BACKLOG": backlog,
  "TX-PHANTOM": phantoms,
  "TX-OLD": old,
  "TX-REVERTS": reverts,
  "BAL-BELOW-MIN": belowMinimum,
  "BAL-TOO-LOW": tooLow,
  "BAL-RUNWAY": shortRunway,
};

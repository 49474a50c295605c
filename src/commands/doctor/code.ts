/** How bad a finding is: `fail` stops work now, `warn` will or could, and `note` is worth knowing. */
export type DoctorSeverity = "fail" | "warn" | "note";

/** A check of the service, or of this machine. */
export type ServiceCode =
  | "SVC-REACH"
  | "SVC-AUTH"
  | "SVC-READY"
  | "SVC-CLOCK"
  | "SVC-TLS"
  | "SVC-VERSION"
  | "SVC-RATE"
  | "RPC-SHARED"
  | "HOOK-NO-KEY"
  | "HOOK-HTTP"
  | "HOOK-UNUSED"
  | "CONF-READ"
  | "CONF-MODE"
  | "NODE-VERSION"
  | "JOURNAL-CHANGED"
  | "JOURNAL-UNKNOWN";

export type RelayerCode =
  | "REL-DISABLED"
  | "REL-PAUSED"
  | "REL-NO-CAP"
  | "REL-CAP-TIGHT"
  | "REL-NO-BUMP"
  | "REL-MIN-BALANCE-UNSET"
  | "REL-NO-NOTIFICATION"
  | "REL-ANY-RECEIVER"
  | "REL-MASKED-URL"
  | "RPC-DOWN"
  | "RPC-CHAIN"
  | "RPC-BEHIND"
  | "NONCE-JAM"
  | "NONCE-GAP"
  | "NONCE-UNBROADCAST"
  | "NONCE-FOREIGN"
  | "NONCE-DRIFT"
  | "NONCE-BACKLOG"
  | "TX-PHANTOM"
  | "TX-OLD"
  | "TX-REVERTS"
  | "BAL-BELOW-MIN"
  | "BAL-TOO-LOW"
  | "BAL-RUNWAY";

/** A check that only `doctor --local` makes. */
export type LocalCode =
  | "LOCAL-WRITE"
  | "LOCAL-TOKEN"
  | "LOCAL-CERT"
  | "LOCAL-PROXY"
  | "LOCAL-CERT-EXPIRED"
  | "LOCAL-CLOCK"
  | "LOCAL-LOCK"
  | "LOCAL-PATH"
  | "LOCAL-VARIABLE"
  | "LOCAL-OVERRIDE"
  | "LOCAL-SIGNED-OUT"
  | "LOCAL-COMPILED"
  | "LOCAL-LOCALE"
  | "LOCAL-COMPLETION";

/** A check of this machine, which `doctor --local` makes. */
export type MachineCode =
  | LocalCode
  | "CONF-READ"
  | "CONF-MODE"
  | "NODE-VERSION"
  | "JOURNAL-CHANGED"
  | "JOURNAL-UNKNOWN";

/** A check. Codes are stable: scripts may test them. */
export type DoctorCode = ServiceCode | RelayerCode | LocalCode;

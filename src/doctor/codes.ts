import type { RelayerFacts, ServiceFacts } from "./facts.ts";

/** The relayers that are examined unless IDs or `--all` are given. */
export const MOST_RELAYERS = 100;
/** Days before the end of a certificate at which it is reported. */
export const CERTIFICATE_DAYS = 14;
/** Days before the end of the client certificate at which it is reported, and at which it is urgent. */
export const OWN_CERTIFICATE_DAYS = { warn: 30, fail: 7 };
export const REVERT_HOURS = 24;
/** Days for which a balance should last. */
export const RUNWAY_DAYS = 3;

/** How bad a finding is: `fail` stops work now, `warn` will or could stop it, and `note` is worth knowing. */
export type DoctorSeverity = "fail" | "warn" | "note";

export const SEVERITIES: readonly DoctorSeverity[] = ["fail", "warn", "note"];

interface Check {
  severity: DoctorSeverity;
  about: string;
}

interface ServiceCheck extends Check {
  /** If one of these facts was not read, the check is skipped for the same reason. */
  ofService: readonly (keyof ServiceFacts)[];
}

interface RelayerCheck extends Check {
  ofRelayer: readonly (keyof RelayerFacts["read"])[];
  /** Set for EVM relayers only: no others have nonces and a gas price. */
  isEvmOnly?: true;
  /** A fact without which a part of the check is skipped. */
  partly?: keyof RelayerFacts["read"];
}

const service = (severity: DoctorSeverity, about: string, ...ofService: ServiceCheck["ofService"]): ServiceCheck => ({
  ...{ severity, about, ofService },
});
const relayer = (severity: DoctorSeverity, about: string, ...ofRelayer: RelayerCheck["ofRelayer"]): RelayerCheck => ({
  ...{ severity, about, ofRelayer },
});
const evm = (severity: DoctorSeverity, about: string, ...ofRelayer: RelayerCheck["ofRelayer"]): RelayerCheck => ({
  ...{ severity, about, ofRelayer, isEvmOnly: true },
});

const MACHINE_CODES = {
  "CONF-READ": service("fail", "the config on this machine cannot be read", "local"),
  "CONF-MODE": service("warn", "other users can read or change a file that relayctl uses", "local"),
  "NODE-VERSION": service("note", "this version of Node.js gets no security fixes anymore", "local"),
  "JOURNAL-CHANGED": service("fail", "the journal on this machine is not as it was written", "journal"),
  "JOURNAL-UNKNOWN": service("warn", "the outcome of writes is unknown, or a cap was left raised", "journal"),
} satisfies Record<string, ServiceCheck>;

export const SERVICE_CODES = {
  "SVC-REACH": service("fail", "the service does not respond", "health"),
  "SVC-AUTH": service("fail", "the service rejects the token, or there is none", "token"),
  "SVC-READY": service("fail", "a part of the service is not ready", "ready"),
  "SVC-CLOCK": service("warn", "the clocks of the service and of this machine differ", "clock"),
  "SVC-TLS": service("warn", `the certificate of the service expires within ${CERTIFICATE_DAYS} days`, "certificate"),
  "CERT-EXPIRES": service("fail", `the client certificate expires within ${OWN_CERTIFICATE_DAYS.fail} days`, "local"),
  "CERT-EXPIRING": service("warn", `the client certificate expires within ${OWN_CERTIFICATE_DAYS.warn} days`, "local"),
  "CERT-CHAIN": service("note", "the file of the client certificate does not contain its whole chain", "local"),
  "SVC-VERSION": service("warn", "the service looks like an old version with known defects", "relayers"),
  "SVC-RATE": service("warn", "the service limited the rate of requests", "limited"),
  "RPC-SHARED": service("note", "one host serves several relayers that have no other", "relayers"),
  "HOOK-NO-KEY": service("warn", "a notification has no signing key", "relayers", "notifications"),
  "HOOK-HTTP": service("warn", "a notification is sent without TLS", "notifications"),
  "HOOK-UNUSED": service("note", "no relayer uses a notification", "relayers", "notifications"),
  ...MACHINE_CODES,
} satisfies Record<string, ServiceCheck>;

export type ServiceCode = keyof typeof SERVICE_CODES;

export const RELAYER_CODES = {
  "REL-DISABLED": relayer("fail", "the service disabled the relayer", "list"),
  "REL-PAUSED": relayer("warn", "an operator paused the relayer", "list"),
  "REL-NO-CAP": evm("warn", "no cap limits the gas price", "list"),
  "REL-CAP-TIGHT": evm("warn", "the gas price cap leaves no room for a bump", "network", "prices"),
  "REL-NO-BUMP": evm("note", "bumps and cancellations do not raise the price on the network", "network"),
  "REL-MIN-BALANCE-UNSET": evm("warn", "the minimum balance is at most 1 wei", "list"),
  "REL-NO-NOTIFICATION": relayer("warn", "the relayer has no notification", "list"),
  "REL-ANY-RECEIVER": evm("note", "the relayer sends to any receiver", "list"),
  "REL-MASKED-URL": relayer("fail", "a stored RPC URL is the service's own mask", "list", "network"),
  "RPC-DOWN": relayer("fail", "the node does not respond, even for an active relayer", "node"),
  "RPC-CHAIN": evm("fail", "the node is on the wrong chain", "node"),
  "RPC-BEHIND": evm("fail", "the newest block of the node is old", "node"),
  "NONCE-JAM": evm("fail", "a transaction holds up all later ones", "queue"),
  "NONCE-GAP": evm("fail", "transactions wait for a nonce that no record has", "queue"),
  "NONCE-UNBROADCAST": evm("fail", "a transaction was not broadcast", "queue"),
  "NONCE-FOREIGN": evm("fail", "a nonce was used without a record: elsewhere, or twice by the service", "queue"),
  "NONCE-DRIFT": evm("warn", "the relayer's counter is ahead of the chain", "queue"),
  "NONCE-BACKLOG": relayer("note", "transactions wait for longer than usual", "records"),
  "TX-PHANTOM": { ...evm("fail", "no node knows the hash of a record", "queue"), partly: "compared" },
  "TX-OLD": relayer("warn", "transactions are pending for longer than the service allows", "records"),
  "TX-REVERTS": relayer("warn", `transactions reverted in the last ${REVERT_HOURS} hours`, "records"),
  "TX-EXPIRY": evm("warn", "the service has deleted the record of a transaction within an hour", "records"),
  "BAL-BELOW-MIN": relayer("fail", "the balance is below the minimum", "status"),
  "BAL-TOO-LOW": evm("fail", "the balance cannot pay for a transfer now", "status", "prices"),
  "BAL-RUNWAY": evm("warn", `the balance lasts less than ${RUNWAY_DAYS} days at its pace`, "runway"),
} satisfies Record<string, RelayerCheck>;

export type RelayerCode = keyof typeof RELAYER_CODES;

const local = (severity: DoctorSeverity, about: string): Check => ({ severity, about });

export const LOCAL_CODES = {
  "LOCAL-WRITE": local("fail", "no file can be created in the folder of the config or of the journal"),
  "LOCAL-TOKEN": local("fail", "the program of a token_command is missing, or may not be run"),
  "LOCAL-CERT": local("fail", "a file with certificates to trust cannot be used"),
  "LOCAL-PROXY": local("fail", "a variable with a proxy is not a proxy URL"),
  "LOCAL-CERT-EXPIRED": local("warn", "a certificate to trust has expired"),
  "LOCAL-CLOCK": local("warn", "the clock of this machine is slow"),
  "LOCAL-LOCK": local("warn", "the config is locked, or a lock was left"),
  "LOCAL-PATH": local("warn", "PATH has several programs named relayctl"),
  "LOCAL-VARIABLE": local("warn", "a variable that begins with RELAYCTL_ has no effect"),
  "LOCAL-OVERRIDE": local("note", "a variable overrides the current context"),
  "LOCAL-SIGNED-OUT": local("note", "a context has no token"),
  "LOCAL-COMPILED": local("note", "compiled code is not kept, so each start is slower"),
  "LOCAL-LOCALE": local("note", "the locale is not UTF-8"),
  "LOCAL-COMPLETION": local("note", "the shell does not complete the words of relayctl"),
} satisfies Record<string, Check>;

export type MachineCode = keyof typeof LOCAL_CODES | keyof typeof MACHINE_CODES;

/** A check. Codes are stable: scripts may test them. */
export type DoctorCode = ServiceCode | RelayerCode | keyof typeof LOCAL_CODES;

const CODES = { ...SERVICE_CODES, ...RELAYER_CODES, ...LOCAL_CODES };

export const ALL_CODES = Object.keys(CODES) as readonly DoctorCode[];

export function doctorCodeSeverity(code: DoctorCode): DoctorSeverity {
  return CODES[code].severity;
}

export function doctorCodeText(code: DoctorCode): string {
  return CODES[code].about;
}

export function doctorCodesFor(isOfMachine: boolean): readonly DoctorCode[] {
  return ALL_CODES.filter((code) => (isOfMachine ? isLocalCode(code) : !(code in LOCAL_CODES)));
}

const LISTED: readonly string[] = ["list", "network", "pause"];

export function doctorCodesNeedStatus(codes: readonly DoctorCode[]): boolean {
  const isListed = (code: RelayerCode) => RELAYER_CODES[code].ofRelayer.every((name) => LISTED.includes(name));
  return codes.some((code) => code in RELAYER_CODES && !isListed(code as RelayerCode));
}

/** Returns the checks of this machine, which a library does not make. */
export function isLocalCode(code: DoctorCode): boolean {
  return code in LOCAL_CODES || code in MACHINE_CODES;
}

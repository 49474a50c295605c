import type { Diagnosis, QueueEvidence } from "../chain/queue/diagnosis.ts";
import type { Runway } from "../chain/runway/runway.ts";
import type { CertificateChain } from "../config/machine/machine.ts";
import type { JsonObject } from "../contract/json.ts";
import type { Network } from "../contract/resources/network.ts";
import type { Notification } from "../contract/resources/notification.ts";
import type { Relayer } from "../contract/resources/relayer.ts";
import type { Transaction } from "../contract/transaction/transaction.ts";
import { RelayctlError } from "../errors.ts";

/** A value that was read, or why it was not. Checks only use facts. */
export type Fact<T> = { value: T } | Missing;

export interface Missing {
  skipped: string;
  /** Set if a request failed: not all could be examined. */
  failure?: RelayctlError;
}

export function factValue<T>(fact: Fact<T>): T {
  if ("skipped" in fact) throw new RelayctlError("internal", `a check without its facts: ${fact.skipped}`);
  return fact.value;
}

/** A failure is a value, since checks are about failures. */
export interface ServiceFacts {
  /** Why the service is unhealthy; undefined if it is healthy. */
  health: Fact<string | undefined>;
  /** Why the service rejects the token, or a gateway the request; undefined if none does. */
  token: Fact<{ message: string; isGateway: boolean } | undefined>;
  limited: Fact<number>;
  ready: Fact<Readiness>;
  clock: Fact<Clocks>;
  /** In milliseconds since 1970; undefined without TLS. */
  certificate: Fact<number | undefined>;
  relayers: Fact<readonly Relayer[]>;
  networks: Fact<readonly Network[]>;
  notifications: Fact<readonly Notification[]>;
  journal: Fact<JournalFacts>;
  local: Fact<LocalFacts>;
}

export interface Readiness {
  isReady: boolean;
  /** The unhealthy parts, in words: `redis: unhealthy: PING timed out`. */
  parts: readonly string[];
}

/** Two clocks at the same moment, in milliseconds since 1970. */
export interface Clocks {
  service: number;
  here: number;
}

export interface Pause {
  /** Milliseconds since 1970. */
  since: number;
  by: string;
}

export interface NodeFacts {
  /** Set for the user's node, which replaces the relayer's. */
  isOwn?: boolean;
  /** Why the node does not respond; undefined if it does. */
  silence: string | undefined;
  /** Why it is not a node of the relayer's network. */
  wrongChain: string | undefined;
  /** Milliseconds since the newest block of a node that lags; undefined if it doesn't, or was not read. */
  delay: number | undefined;
  /** The network's average milliseconds between blocks. */
  blockTime: number;
}

/** The service's current gas prices, in wei, before the relayer's cap. */
export interface GasPrices {
  fast: bigint;
}

export interface Records {
  newest: readonly Transaction[];
  isWhole: boolean;
}

export interface Accepted {
  transactionId: string;
  /** Milliseconds since 1970. */
  at: number;
}

export interface JournalFacts {
  /** Why it is damaged; undefined if it is not. */
  fault: string | undefined;
  unsettled: number;
  /** Texts about caps that may have been left raised. */
  leftRaised: readonly string[];
}

export interface LocalFacts {
  /** The files that relayctl uses and that other users can read or change. */
  open: readonly ExposedFile[];
  /** Undefined without Node.js, and for the demo, which is the same on every machine. */
  nodeVersion: string | undefined;
  certificate?: CertificateChain;
}

export interface ExposedFile {
  path: string;
  /** `the config`. */
  what: string;
  isSecret: boolean;
  others: "read" | "change";
}

export interface Queue {
  evidence: QueueEvidence;
  diagnosis: Diagnosis;
}

export interface RelayerFacts {
  relayer: Relayer;
  symbol: string | undefined;
  read: {
    /** Its entry in the list, which always exists. */
    list: Fact<Relayer>;
    /** Its network; undefined for a network that the service does not describe. */
    network: Fact<Network | undefined>;
    /** Who paused it, as far as the journal knows. */
    pause: Fact<Pause | undefined>;
    /** What it accepted in the last hour, as far as the journal knows. */
    accepted: Fact<readonly Accepted[]>;
    /** The service's status (facts 3.1). */
    status: Fact<JsonObject>;
    records: Fact<Records>;
    node: Fact<NodeFacts>;
    prices: Fact<GasPrices>;
    queue: Fact<Queue>;
    compared: Fact<true>;
    runway: Fact<Runway>;
  };
}

export interface Facts {
  /** Milliseconds since 1970. */
  now: number;
  flags: readonly string[];
  service: ServiceFacts;
  relayers: readonly RelayerFacts[];
}

/** Milliseconds by which two clocks may differ: a date has whole seconds, and a response takes time. */
export const MOST_SKEW = 30_000;

/** Returns the earlier of the service's and this machine's clock, so that nothing looks older than it is. */
export function cautiousFactTime(clock: Fact<Clocks>, now: number): number {
  if ("skipped" in clock) return now;
  const skew = clock.value.service - clock.value.here;
  return skew < -MOST_SKEW ? now + skew : now;
}

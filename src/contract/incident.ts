export const LARGEST_SEED = 999_999;

export const INCIDENTS = ["jam", "drained", "lost-answer", "node-lies", "reorg"] as const;

export type IncidentName = (typeof INCIDENTS)[number];

/** A payment that must arrive exactly once during an incident. */
export interface IncidentPayment {
  to: string;
  /** In wei. */
  value: bigint;
}

/** A request that changes transactions, as the service received it. */
export interface ReceivedWrite {
  method: string;
  target: string;
  body: string;
  isApplied: boolean;
}

/** How often each fact was met during an incident, according to the service and its chain. */
interface IncidentCounts {
  /** How many times too often payments arrived, or are about to. */
  paid_twice: number;
  /** Payments that never arrived, and transfers to anyone else. */
  lost: number;
  /** Whole minutes in which nobody read the relayers. */
  minutes_blind: number;
  /** Canceled transactions whose payment nothing else makes. */
  needless_cancellations: number;
}

export interface IncidentFacts {
  /** Whether every payment arrived, and nothing is pending. */
  isOver: boolean;
  milliseconds: number;
  counts: IncidentCounts;
  writes: readonly ReceivedWrite[];
}

export interface PlayedIncident {
  name: IncidentName;
  /** The same seed gives the same incident. */
  seed: number;
  stop: AbortSignal;
  /** Called before the server listens. */
  begun(payments: readonly IncidentPayment[]): void;
  ended(facts: IncidentFacts): void;
}

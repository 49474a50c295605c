/** Short lines take milliseconds a round, long lines seconds. */
export const FULL = {
  shortRounds: 21,
  /** How often a short line runs in a round: the clock counts milliseconds. */
  repeat: 3,
  longRounds: 7,
  fleet: 100_000,
  largeFleet: 1_000_000,
  patches: 10_000,
  /** xargs starts a curl for each: a fifth of the writes is enough to measure its speed. */
  peerPatches: 2_000,
  limitedPatches: 2_000,
  limitedRounds: 3,
  payments: 7_000,
  peerPayments: 500,
  listRequests: 20_000,
  deliveries: 20_000,
};

/** Enough to see that the program works and roughly where things stand. */
export const QUICK = {
  shortRounds: 5,
  repeat: 2,
  longRounds: 1,
  fleet: 20_000,
  largeFleet: 100_000,
  patches: 2_000,
  peerPatches: 200,
  limitedPatches: 600,
  limitedRounds: 1,
  payments: 1_000,
  peerPayments: 100,
  listRequests: 10_000,
  deliveries: 5_000,
};

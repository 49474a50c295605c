export const USUAL_CONCURRENCY = 8;
/** The service rejects more concurrent requests (facts 1.4). */
export const MAX_CONCURRENCY = 100;
/** A higher rate is a typo. */
export const MAX_RATE = 999_999;

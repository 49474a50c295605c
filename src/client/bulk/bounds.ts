/** The requests at a time unless a number is typed. */
export const USUAL_CONCURRENCY = 8;
/** The service rejects more concurrent requests (facts 1.4). */
export const MAX_CONCURRENCY = 100;
/** Requests per second; a higher number is a typo. */
export const MAX_RATE = 999_999;

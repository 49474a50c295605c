/** The largest integers that a request may contain (interface 1.5). */
export const MAX_U32 = 2n ** 32n - 1n;
export const MAX_INT64 = 2n ** 63n - 1n;
export const MAX_U64 = 2n ** 64n - 1n;
export const MAX_U128 = 2n ** 128n - 1n;
/** The maximum `value` of a new transaction (facts 5.3). */
export const MAX_U256 = 2n ** 256n - 1n;

/** The times that spending is measured over, by the name of its field, in milliseconds. */
export const SPEND_WINDOWS = { spend_1h: 3_600_000, spend_1d: 24 * 3_600_000 } as const;

export type SpendWindow = keyof typeof SPEND_WINDOWS;

export const SPEND_FIELDS = Object.keys(SPEND_WINDOWS) as readonly SpendWindow[];

/** An account's transfers and fees in these times, in wei. A time that could not be read is absent. */
export type Spends = Readonly<Partial<Record<SpendWindow, bigint>>>;

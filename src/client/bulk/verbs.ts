export interface BulkVerb {
  doing: string;
  done: string;
}

export const bulkVerbs = {
  pause: { doing: "pausing", done: "paused" },
  resume: { doing: "resuming", done: "resumed" },
  update: { doing: "updating", done: "updated" },
  cancel: { doing: "canceling", done: "canceled" },
  freeze: { doing: "freezing", done: "frozen" },
} as const satisfies Record<string, BulkVerb>;

export interface BulkCounts {
  /** The progress of those in progress, e.g. `20 submitted, 12 mined`. */
  phases?: string;
  /** E.g. `pausing`. */
  doing: string;
  of: number;
  done: number;
  failed: number;
  /** The sum so far, e.g. `12.5 ETH`. */
  sum?: string;
  /** Milliseconds of `elapsed`. */
  since: number;
}

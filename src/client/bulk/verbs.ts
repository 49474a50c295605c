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
  /** How far those in progress have come, e.g. `20 submitted, 12 mined`. */
  phases?: string;
  /** What is being done, e.g. `pausing`. */
  doing: string;
  of: number;
  done: number;
  failed: number;
  /** What has been done so far besides the number, e.g. `12.5 ETH`. */
  sum?: string;
  /** When they began, in milliseconds of `elapsed`. */
  since: number;
}

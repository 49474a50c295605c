/** The forms of a verb for progress and summaries. */
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

/** How far many operations have come. */
export interface BulkCounts {
  /** What is being done, e.g. `pausing`. */
  doing: string;
  /** The number of all operations. */
  of: number;
  done: number;
  failed: number;
  /** What has been done so far besides the number, e.g. `12.5 ETH`. */
  sum?: string;
  /** When they began, in milliseconds of `elapsed`. */
  since: number;
}

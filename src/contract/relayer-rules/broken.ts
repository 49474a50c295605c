/** A broken rule: its field, and the service's words. */
export interface BrokenRule {
  path: string;
  rule: string;
  /** The allowed values, if the words do not include them. */
  allowed?: string;
}

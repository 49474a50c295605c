/** A rule that is broken: at which member, and in the service's words. */
export interface BrokenRule {
  path: string;
  rule: string;
  /** What the relayer allows, where that is not in them. */
  allowed?: string;
}

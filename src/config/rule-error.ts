/** A text that breaks a rule. The message is the rule, for a `Problem`. */
export class RuleError extends Error {
  override readonly name: string = "RuleError";
  /** The text, unless it may contain a secret. */
  readonly given: string | undefined;

  constructor(rule: string, given?: string) {
    super(rule);
    this.given = given;
  }
}

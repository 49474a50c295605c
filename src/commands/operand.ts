/** A word that a command takes after its name. */
export interface Operand {
  /** As help writes it: `<id>` is required, `[name]` is not, and the last may be many, as `<ids...>`. */
  name: string;
  /** For help. */
  description: string;
}

/**
 * Questions to a person. They are written to stderr, and asked only after it is known that somebody is there. Ctrl-C
 * rejects with an `interrupted` error; texts are escaped here.
 */
export interface Prompts {
  /** `[y/N]`: nothing but a clear yes is true. */
  confirm(question: string): Promise<boolean>;
  text(question: string, options?: { default?: string; validate?: (answer: string) => true | string }): Promise<string>;
  /** Shows nothing of what is typed, not even its length. */
  hidden(question: string): Promise<string>;
}

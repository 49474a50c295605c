/**
 * Questions to a person. They are written to stderr, and asked only after it is known that somebody is there. Ctrl-C
 * rejects with an `interrupted` error; texts are escaped here.
 */
export interface Prompts {
  /** `[y/N]`: nothing but a clear yes is true. */
  confirm(question: string): Promise<boolean>;
  text(question: string, options?: TextOptions): Promise<string>;
  /** Shows nothing of what is typed, not even its length. */
  hidden(question: string, options?: { validate?: Validate }): Promise<string>;
  /** One of a few, with the arrow keys. A long list is paged. */
  select<T>(question: string, choices: readonly Choice<T>[], options?: { default?: T }): Promise<T>;
  /** One of many: what is typed narrows the list. */
  search<T>(question: string, choices: readonly Choice<T>[]): Promise<T>;
  /** Any number of a few, in the order of the list. */
  checkbox<T>(question: string, choices: readonly Choice<T>[]): Promise<T[]>;
}

/** True, or why an answer is refused: its question is then asked once more. */
export type Validate = (answer: string) => true | string | Promise<true | string>;

export interface TextOptions {
  /** The answer of Enter alone. */
  default?: string;
  validate?: Validate;
  /** How the answer stands on the screen once it is given, where that may not be all of it. */
  shown?: (answer: string) => string;
}

/** Something to choose. */
export interface Choice<T> {
  value: T;
  /** How it is listed. */
  name: string;
  /** How the answer is shown once it is chosen; its name unless given. */
  short?: string;
  /** A line below the list while this choice is the active one. */
  description?: string;
  /** Why it cannot be selected now; it is listed all the same. */
  disabled?: string;
}

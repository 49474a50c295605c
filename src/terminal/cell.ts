/** The meaning of a word, for color output: `good` green, `warn` yellow, `bad` red, `faint` dim. */
export type Tone = "good" | "warn" | "bad" | "faint";

export interface Cell {
  text: string;
  tone?: Tone | undefined;
  /** A time in milliseconds since 1970, which a terminal shows with its age, or as its age in a table. */
  time?: number | undefined;
}

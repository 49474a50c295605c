/** A whole word that could stand at the end of the line, with its summary. */
export interface Candidate {
  word: string;
  summary?: string;
}

/** The words that a shell should offer. The shell filters the words that fit, if it can. */
export interface Offer {
  /** `open` words are not finished: no space after them. For `files` the shell completes paths itself. */
  kind: "words" | "open" | "files";
  candidates: readonly Candidate[];
}

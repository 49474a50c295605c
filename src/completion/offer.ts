/** A word that could stand at the end of the line, whole, and what it is. */
export interface Candidate {
  word: string;
  summary?: string;
}

/** What a shell is to offer. Which of the words fit what was typed is left to the shell, where it knows better. */
export interface Offer {
  /** `open` words are not finished: no space after them. For `files` the shell looks itself. */
  kind: "words" | "open" | "files";
  candidates: readonly Candidate[];
}

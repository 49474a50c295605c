export interface LostLinesFlag {
  evenIfJournalLostLines?: true;
}

export const LOST_LINES = [
  "--even-if-journal-lost-lines",
  "Continue despite lost lines; asks for the context's name",
] as const;

/** How the options that messages mention are written: as flags, or as members of an object. */
export interface Spelling {
  again: string;
  resume: string;
  run: string;
  assumeNotSent: string;
  state: string;
  speed: string;
  allowDuplicates: string;
  /** What a user is told about unknown rows (default: how a run is resumed). */
  whenUnknown?: readonly string[];
}

export const AS_FLAGS: Spelling = {
  again: "--again",
  resume: "--resume",
  run: "--run",
  assumeNotSent: "--assume-not-sent",
  state: "--state",
  speed: "--speed",
  allowDuplicates: "--allow-duplicates",
};

export const AS_MEMBERS: Spelling = {
  again: "again: true",
  resume: "resume: true",
  run: "run",
  assumeNotSent: "assumeNotSent",
  state: "state",
  speed: "speed",
  allowDuplicates: "allowDuplicates: true",
};

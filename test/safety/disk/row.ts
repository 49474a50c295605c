import type { Beginning, Ended, Life } from "./real-files.ts";

/** A command that writes a file, and what it promises of the file. */
export interface Row extends Beginning {
  line: string;
  /** The folder of its journal, below the life's. */
  journal?: string;
  /** What was done before, on a disk that works. */
  before?: readonly (string | ((life: Life) => void | Promise<void>))[];
  /** What it ends with on a disk that works (default: 0). */
  ends?: number;
  /** Files that have the old content or the new one: the new one if, and only if, the command ends well. */
  replaces?: readonly string[];
  /** Files that grow by lines, with what is said if the last one is cut off; a line that is missing is said to be, too. */
  extends?: Readonly<Record<string, string>>;
  /** What the same line ends with once there is room, if the first run sent its write (default: 0). */
  again?: readonly number[];
  /** What a user does once there is room, instead of typing the same line. Returns what was wrong then. */
  after?(life: Life, ended: Ended): Promise<string[]>;
}

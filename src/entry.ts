import { writeSync } from "node:fs";
import { BARE } from "./cli/help/bare.ts";
import { VERSION } from "./version.ts";

const STDOUT = 1;

/** What is known before anything is loaded; nothing for all that has to be understood first. */
function knownAnswer(words: readonly string[]): string | undefined {
  const [word, ...more] = words;
  if (word === undefined) return BARE;
  return more.length === 0 && (word === "--version" || word === "-V") ? `${VERSION}\n` : undefined;
}

/** Opening a stream would take longer than all of this. What cannot be written so is left to the streams of the program. */
function isWritten(text: string): boolean {
  try {
    return writeSync(STDOUT, text) > 0;
  } catch {
    return false;
  }
}

const known = knownAnswer(process.argv.slice(2));
if (known === undefined || !isWritten(known)) void import("./main.ts");

import { lstatSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { JournalFolder } from "../folder.ts";

/** Version 0.1 removes the file of this name each time that it takes the lock, and gives up if it is a folder. */
const NAME = "waiting";
const ATTEMPTS = 20;

/** Keeps version 0.1, which does not know the present head, from writing to a journal. To be called under the lock. */
export function closeToOlder(folder: JournalFolder): void {
  const path = join(folder.path, NAME);
  for (let attempt = 0; attempt < ATTEMPTS && !isClosedToOlder(folder); attempt++) {
    // Such a program that waits for the lock creates it.
    rmSync(path, { force: true });
    mkdirSync(join(path, "a newer relayctl writes here"), { recursive: true, mode: 0o700 });
  }
}

/** Returns whether a head of the present form was written here once. */
export function isClosedToOlder({ path }: JournalFolder): boolean {
  return lstatSync(join(path, NAME), { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Returns whether a journal has anything but a salt and locks: a head is written before that, and was removed if it is missing. */
export function hasTraces(folder: JournalFolder): boolean {
  return (
    isClosedToOlder(folder) || folder.names().some((name) => /^(?:\d{4}-\d{2}\.ndjson|lookup|torn-.*)$/.test(name))
  );
}

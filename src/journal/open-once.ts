import { rmSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Environment } from "../config/environment.ts";
import { fileError } from "../config/files/file-error.ts";
import { locationSubfolder } from "../config/location.ts";
import { elseOnError } from "../errors.ts";
import type { JournalPlace, MaskedJournal } from "./journal.ts";
import type { JournalOptions } from "./open-journal.ts";

/** Returns a function that opens each journal once: entries that wait in one queue are written together. */
export function createOpenJournal(
  world: Pick<JournalOptions, "surroundings" | "note" | "processes">,
  { env, platform }: { env: Environment; platform: NodeJS.Platform },
  user: number | undefined,
): (place: JournalPlace) => Promise<MaskedJournal> {
  const opened = new Map<string, MaskedJournal>();
  return async (place) => {
    const path = pathTo(place, env, platform);
    const { openJournal } = await import("./open-journal.ts");
    const journal = opened.get(path) ?? openJournal({ ...world, path, user });
    opened.set(path, journal);
    return journal;
  };
}

function pathTo(place: JournalPlace, env: Environment, platform: NodeJS.Platform): string {
  if (typeof place === "object") return resolve(place.folder);
  return locationSubfolder(place === "demo" ? "demo-journal" : "journal", env, platform);
}

/** Returns whether a journal was written since then: every entry changes its head. */
export function wroteSince(place: JournalPlace, time: number, env: Environment, platform: NodeJS.Platform): boolean {
  return elseOnError(() => statSync(join(pathTo(place, env, platform), "head.json")).mtimeMs >= time, false);
}

/** Removes the journal of `--demo`, whose transactions a reset removes. @throws RelayctlError usage; io */
export function removeDemoJournal(env: Environment, platform: NodeJS.Platform): void {
  const path = pathTo("demo", env, platform);
  try {
    rmSync(path, { recursive: true, force: true });
  } catch (error) {
    throw fileError(path, "written", error);
  }
}

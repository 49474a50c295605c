import { resolve } from "node:path";
import type { Environment } from "../config/environment.ts";
import { journalFolder } from "../config/location.ts";
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
    const path =
      typeof place === "object"
        ? resolve(place.folder)
        : journalFolder(place === "demo" ? "demo-journal" : "journal", env, platform);
    const { openJournal } = await import("./open-journal.ts");
    const journal = opened.get(path) ?? openJournal({ ...world, path, user });
    opened.set(path, journal);
    return journal;
  };
}

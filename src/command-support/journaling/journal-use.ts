import { type Environment, variable } from "../../config/environment.ts";
import type { Settings } from "../../config/settings.ts";
import type { JournalPlace } from "../../journal/journal.ts";

/** Which journal a command's writes go to. */
export interface JournalUse {
  place: JournalPlace;
  /** Whether no write may be sent if the journal cannot be written. */
  isRequired: boolean;
}

/**
 * Returns the journal of a command: the user's for a stored context, that of the demo, or the one that
 * `RELAYCTL_JOURNAL` specifies; undefined if none is kept, as in a CI job that has its server and token from variables.
 */
export function journalUse(settings: Settings, env: Environment): JournalUse | undefined {
  const typed = variable(env, "RELAYCTL_JOURNAL");
  const isRequired = !settings.demo && settings.context !== undefined && settings.journal === "required";
  if (typed === "off" && !isRequired) return undefined;
  if (settings.demo) return { place: "demo", isRequired };
  if (typed !== undefined && typed !== "off") return { place: { folder: typed }, isRequired };
  return settings.context === undefined ? undefined : { place: "user", isRequired };
}

import { type Environment, variable } from "../../config/environment.ts";
import type { Settings } from "../../config/settings.ts";
import type { JournalPlace } from "../../journal/journal.ts";

export interface JournalUse {
  place: JournalPlace;
  /** What refuses a write if the journal cannot be written: `this context` or `--once`; absent if it is sent anyway. */
  requiredBy?: string;
}

/** The flags of a transaction that is sent only once, and the folder of a run of payments. */
export interface OnceFlags {
  once?: string;
  /** The folder of the journal that knows the keys, or the payments. */
  state?: string;
}

/**
 * Returns the journal of a command: the user's for a stored context, that of the demo, or the one that
 * `RELAYCTL_JOURNAL` specifies; undefined if none is kept, as in a CI job that has its server and token from variables.
 */
export function journalUse(
  settings: Settings,
  env: Environment,
  { once, state }: OnceFlags = {},
): JournalUse | undefined {
  const isStrict = !settings.demo && settings.context !== undefined && settings.journal === "required";
  const place = state !== undefined ? { folder: state } : usualPlace(settings, env, isStrict);
  if (place === undefined) return undefined;
  const requiredBy = isStrict ? "this context" : once === undefined ? undefined : "--once";
  return { place, ...(requiredBy !== undefined && { requiredBy }) };
}

function usualPlace(settings: Settings, env: Environment, isStrict: boolean): JournalPlace | undefined {
  const typed = variable(env, "RELAYCTL_JOURNAL");
  if (typed === "off" && !isStrict) return undefined;
  if (settings.demo) return "demo";
  if (typed !== undefined && typed !== "off") return { folder: typed };
  return settings.context === undefined ? undefined : "user";
}

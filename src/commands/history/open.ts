import type { Call } from "../../command-support/call.ts";
import { journalVariable } from "../../config/environment.ts";
import type { Settings } from "../../config/resolve-settings.ts";
import { type RelayctlError, usageError } from "../../errors.ts";
import type { Journal, JournalPlace } from "../../journal/journal.ts";
import { sessionJournalUse } from "../../session/journaling/session-journal.ts";
import { readSettings, settingsNotes } from "../../session/read-settings.ts";

export type OpenHistory = Awaited<ReturnType<typeof openContextHistory>>;

export async function openContextHistory(call: Call) {
  const { app, common, say } = call;
  if (isOff(app.env)) throw noHistory(app.env);
  const settings = await readSettings(app, common);
  for (const note of settingsNotes(settings)) await say(note);
  const journal = await app.journal(keptIn(settings, app.env));
  // The demo has a separate journal.
  if (settings.demo) return { journal, server: undefined, name: "demo" };
  const { server, context } = settings;
  return { journal, server: server.value, name: context?.value ?? server.value };
}

export async function openWholeHistory(call: Call): Promise<Journal> {
  const { app, common } = call;
  if (isOff(app.env)) throw noHistory(app.env);
  const folder = journalVariable(app.env);
  if (!common.demo && folder !== undefined) return await app.journal({ folder });
  const settings = await readSettings(app, common);
  return await app.journal(keptIn(settings, app.env));
}

export function noHistory(env: Call["app"]["env"]): RelayctlError {
  const why = isOff(env)
    ? "is off, so no journal is kept; unset it, or set it to a folder"
    : "is not set, and server and token come from variables or flags, so no journal is kept; set it to a folder, or use a stored context";
  return usageError([{ where: "RELAYCTL_JOURNAL", rule: why }]);
}

function isOff(env: Call["app"]["env"]): boolean {
  return journalVariable(env) === "off";
}

function keptIn(settings: Settings, env: Call["app"]["env"]): JournalPlace {
  const use = sessionJournalUse(settings, env);
  if (!use) throw noHistory(env);
  return use.place;
}

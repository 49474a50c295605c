import type { App } from "../app.ts";
import type { ConnectionFlags } from "../config/connection/typed-connection.ts";
import { resolveSettings, type Settings } from "../config/resolve-settings.ts";
import type { Message } from "../message.ts";

export async function readSettings(
  { env, config, project }: Pick<App, "env" | "config" | "project">,
  flags: ConnectionFlags,
): Promise<Settings> {
  return await resolveSettings(flags, env, () => config.read(), project);
}

export function settingsNotes({ variableNotes, notes }: Settings): Message[] {
  return [...variableNotes.map((text) => ({ environment: text })), ...notes.map((note) => ({ note }))];
}

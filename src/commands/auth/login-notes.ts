import type { App } from "../../app.ts";

interface Login {
  name: string;
  server: string;
  /** How many relayers were seen. */
  total: number | undefined;
  /** The current context now. */
  current: string | undefined;
}

/** What a person is told after a login. */
export function loginNotes(
  { config, env }: Pick<App, "config" | "env">,
  { name, server, total, current }: Login,
): string[] {
  const seen = total === undefined ? "" : ` (${total} ${total === 1 ? "relayer" : "relayers"} seen)`;
  const notes = [
    `signed in to ${server} as context ${name}${seen}`,
    `the token is in ${shortPath(config.path, env.HOME)}, readable by you alone`,
  ];
  if (current !== name)
    notes.push(`note: the current context is still ${current}; run relayctl context use ${name} to switch`);
  for (const variable of ["RELAYCTL_SERVER", "RELAYCTL_TOKEN", "RELAYCTL_TOKEN_FILE", "RELAYCTL_CONTEXT"]) {
    if (env[variable]) notes.push(`note: ${variable} is set and overrides this context unless you specify --context`);
  }
  return notes;
}

function shortPath(path: string, home: string | undefined): string {
  return home && path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}

import type { App } from "../../app.ts";
import { commandLine } from "../../command-support/shell-words.ts";
import { grouped } from "../../contract/decimal.ts";

interface Login {
  name: string;
  server: string;
  /** The number of relayers found. */
  total: number | undefined;
  current: string | undefined;
  /** The store of the token; undefined for the config. */
  place?: string | undefined;
}

export function loginNotes(
  { config, env }: Pick<App, "config" | "env">,
  { name, server, total, current, place }: Login,
): string[] {
  const seen = total === undefined ? "" : ` (${grouped(total)} ${total === 1 ? "relayer" : "relayers"} seen)`;
  const notes = [
    `signed in to ${server} as context ${name}${seen}`,
    `the token is in ${place ?? `${shortPath(config.path, env.HOME)}, readable by you alone`}`,
  ];
  if (current !== name)
    notes.push(`note: the current context is still ${current}; run ${commandLine("context", "use", name)} to switch`);
  for (const variable of ["RELAYCTL_SERVER", "RELAYCTL_TOKEN", "RELAYCTL_TOKEN_FILE", "RELAYCTL_CONTEXT"]) {
    if (env[variable]) notes.push(`note: ${variable} is set and overrides this context unless you specify --context`);
  }
  return notes;
}

function shortPath(path: string, home: string | undefined): string {
  return home && path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}

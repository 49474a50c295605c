import { usageError } from "../errors.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** Returns a variable's value. An empty variable counts as unset (promises 6). */
export function readEnv(env: Environment, name: string): string | undefined {
  return env[name] || undefined;
}

/** Returns the journal's folder, or `off`. @throws RelayctlError usage for any other switch: it would become a folder's name */
export function journalVariable(env: Environment): string | undefined {
  const given = readEnv(env, "RELAYCTL_JOURNAL");
  if (given !== undefined && given !== "off" && /^(?:on|off|true|yes|1|false|no|0)$/i.test(given))
    throw usageError([{ where: "RELAYCTL_JOURNAL", given, rule: "needs a folder, or off" }]);
  return given;
}

/** Variables that no other program may see: a token, and URLs of nodes, which contain keys. */
const HIDDEN = /^RELAYCTL_(?:TOKEN$|NODE_)/;

export function programEnvironment(env: Environment): Environment {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !HIDDEN.test(name)));
}

/** Returns where read-only mode is set, if it is on. */
export function readOnlyPlace(
  env: Environment,
  { context, readOnly }: { context?: { value: string }; readOnly?: boolean } = {},
): string | undefined {
  if (readEnv(env, "RELAYCTL_READONLY") !== undefined) return "RELAYCTL_READONLY";
  return readOnly && context ? `context ${context.value}` : undefined;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** A variable's value. An empty variable counts as unset (promises 6). */
export function variable(env: Environment, name: string): string | undefined {
  return env[name] || undefined;
}

/** Variables that no other program may see: one is asked for a token, none is given one. */
const HIDDEN = ["RELAYCTL_TOKEN"];

/** The environment of a program that is run. */
export function environmentOfPrograms(env: Environment): Environment {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !HIDDEN.includes(name)));
}

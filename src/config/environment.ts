export type Environment = Readonly<Record<string, string | undefined>>;

/** A variable's value. An empty variable counts as unset (design 6). */
export function variable(env: Environment, name: string): string | undefined {
  return env[name] || undefined;
}

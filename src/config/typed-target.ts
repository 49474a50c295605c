import type { Problem } from "../errors.ts";
import { parseServer } from "./connection/origin.ts";
import type { ConnectionFlags } from "./connection/typed-connection.ts";
import { type Environment, variable } from "./environment.ts";
import type { TokenSource } from "./settings.ts";
import { type Sourced, typed, validated } from "./sourced.ts";

/** The target and token settings from flags and variables, before any file is read. */
export interface TypedTarget {
  context: Sourced<string> | undefined;
  /** An origin. */
  server: Sourced<string> | undefined;
  token: TokenSource | undefined;
  notes: readonly string[];
}

/** Variables that are invalid if empty: a missing CI secret must not select another identity. */
const NEVER_EMPTY = ["RELAYCTL_SERVER", "RELAYCTL_TOKEN", "RELAYCTL_TOKEN_FILE"];

/**
 * Returns the typed target. A typed `--context` stands for everything in the context: server and token of the
 * environment are then ignored.
 */
export function typedTarget(flags: ConnectionFlags, env: Environment, problems: Problem[]): TypedTarget {
  refuseEmpty(flags, env, problems);
  const ignored = flags.context === undefined ? [] : NEVER_EMPTY.filter((name) => env[name] !== undefined);
  const used = flags.context === undefined ? env : {};
  return {
    context: typed("--context", flags.context, env, "RELAYCTL_CONTEXT"),
    server: validated(typed("--server", flags.server, used, "RELAYCTL_SERVER"), parseServer, problems),
    token: typedToken(flags, used, problems),
    notes: ignored.map((name) => `${name} is ignored because --context is set`),
  };
}

function refuseEmpty(flags: ConnectionFlags, env: Environment, problems: Problem[]): void {
  for (const [flag, value] of [
    ["--context", flags.context],
    ["--token-file", flags.tokenFile],
    ["--ca-file", flags.caFile],
  ] as const) {
    if (value === "") problems.push({ where: flag, rule: "is empty" });
  }
  for (const name of NEVER_EMPTY) {
    if (env[name] === "") problems.push({ where: name, rule: "is empty; give it a value, or unset it" });
  }
}

function typedToken(flags: ConnectionFlags, env: Environment, problems: Problem[]): TokenSource | undefined {
  if (flags.tokenFile !== undefined) return { kind: "file", from: "--token-file", path: flags.tokenFile };
  const token = variable(env, "RELAYCTL_TOKEN");
  const path = variable(env, "RELAYCTL_TOKEN_FILE");
  if (token && path)
    problems.push({ where: "RELAYCTL_TOKEN_FILE", rule: "RELAYCTL_TOKEN is set too; unset one of them" });
  if (token) return { kind: "variable", from: "RELAYCTL_TOKEN", token };
  return path ? { kind: "file", from: "RELAYCTL_TOKEN_FILE", path } : undefined;
}

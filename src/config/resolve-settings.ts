import { type Problem, usageError } from "../errors.ts";
import { boundsOf } from "./bounds.ts";
import type { Config } from "./config.ts";
import type { ConnectionFlags } from "./connection/typed-connection.ts";
import type { Environment } from "./environment.ts";
import type { ReadProject } from "./project/project.ts";
import { resolveService } from "./resolve-service.ts";
import type { Settings } from "./settings.ts";
import { unknownVariableNotes } from "./variables.ts";

/**
 * Resolves every setting in order: flag, variable, context, default. Skips the config if variables have server and
 * token and no context is specified; reads a project file only if nothing else selects a context or a server.
 * @throws RelayctlError usage with every problem at once, or not_found for an unknown context
 */
export async function resolveSettings(
  flags: ConnectionFlags,
  env: Environment,
  readConfig: () => Promise<Config>,
  readProject?: ReadProject,
): Promise<Settings> {
  const problems: Problem[] = [];
  const bounds = boundsOf(flags, env, problems);
  const notes = unknownVariableNotes(env);
  if (!flags.demo) {
    const service = await resolveService(flags, env, { readConfig, readProject }, problems);
    return { ...service, ...bounds, notes: [...notes, ...service.notes] };
  }
  problems.push(...conflictsWithDemo(flags));
  if (problems.length > 0) throw usageError(problems);
  return { demo: true, ...bounds, notes };
}

/** Returns the problems of `--demo`, which overrides variables and context, and excludes other targets. */
function conflictsWithDemo(flags: ConnectionFlags): Problem[] {
  const targets = {
    "--context": flags.context,
    "--server": flags.server,
    "--token-file": flags.tokenFile,
    "--header": flags.header,
  };
  return Object.entries(targets)
    .filter(([, value]) => value !== undefined)
    .map(([flag]) => ({ where: flag, rule: "cannot be combined with --demo" }));
}

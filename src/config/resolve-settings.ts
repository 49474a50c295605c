import { type Problem, usageError } from "../errors.ts";
import { boundsOf } from "./bounds.ts";
import type { Config } from "./config.ts";
import type { ConnectionFlags } from "./connection/typed-connection.ts";
import type { Environment } from "./environment.ts";
import type { ReadProject } from "./project/project.ts";
import { resolveService } from "./resolve-service.ts";
import type { Settings } from "./settings.ts";
import { unknownVariableNotes } from "./variables.ts";

/** Takes flag, variable, context, default; a project file if nothing else selects a service. @throws usage */
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

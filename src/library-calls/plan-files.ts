import type { Client } from "../client/client.ts";
import type { Clock } from "../client/clock.ts";
import { createFiles } from "../config/files/files.ts";
import type { FileWorld } from "../config/files/read-file.ts";
import { createSecrets } from "../config/token/secrets.ts";
import { isJsonObject } from "../contract/json.ts";
import { usageError } from "../errors.ts";
import { compareFleets } from "../fleet/compare/compare-fleets.ts";
import { readFleetFiles } from "../fleet/config/read-fleet.ts";
import { sourcePlaceText } from "../fleet/desired-fleet.ts";
import { NO_SECRETS } from "../fleet/known-secrets.ts";
import { readLiveFor } from "../fleet/live.ts";
import { openFleetSources } from "../fleet/open-sources.ts";
import type { Plan } from "../fleet/plan.ts";
import { MASKED, optionProblems } from "./guard-calls.ts";

export interface PlanFleetOptions {
  /** The variables that the files may refer to (default: the variables of this process). */
  env?: Readonly<Record<string, string | undefined>>;
  /** Variables whose values the plan may show, so that IDs may contain them (default: none). */
  allowEnv?: readonly string[];
  /** Further folders that the files may read other files from (default: none). */
  allowFile?: readonly string[];
  /** The folder with the networks (default: the folder in the files). */
  networks?: string;
  /** Whether to leave out members of the files that this version does not know (default: false). */
  allowUnknown?: boolean;
  /** Whether to delete relayers, signers, and notifications that the files do not describe (default: false). */
  prune?: boolean;
  /** Whether to send signing keys and RPC URLs that cannot be compared (default: false). */
  sendHidden?: boolean;
  onWarning?: (warning: string) => void;
}

/** Compares files with a service like `plan`, but without a journal of earlier changes. */
export async function planFiles(
  named: string | readonly string[],
  client: Client & { origin: string; [MASKED]?: (plan: Plan) => Plan },
  options: PlanFleetOptions | undefined,
  world: FileWorld & { clock: Clock; env: Readonly<Record<string, string | undefined>> },
): Promise<Plan> {
  const files = typeof named === "string" ? [named] : named;
  const problems = optionProblems(options, [
    "env",
    "allowEnv",
    "allowFile",
    "networks",
    "allowUnknown",
    "prune",
    "sendHidden",
    "onWarning",
  ]);
  if (!Array.isArray(files) || !files.every((file) => typeof file === "string"))
    problems.push({ where: "files", rule: "must be a path, or a list of paths" });
  if (!isJsonObject(client)) problems.push({ where: "client", rule: "must be a client of createClient" });
  if (problems.length > 0) throw usageError(problems);
  const { env, prune = false, sendHidden = false, onWarning = () => {}, ...allowed } = options ?? {};
  if (files.includes("-")) throw usageError([{ where: "-", rule: "is not a file: the library does not read stdin" }]);
  const secrets = createSecrets();
  const stdin = { isTerminal: false, read: async () => new Uint8Array() };
  const read = { files: createFiles(world), stdin, env: env ?? world.env, secrets };
  const sources = openFleetSources(read, allowed);
  const desired = await readFleetFiles(files, sources);
  for (const { place, text } of desired.warnings) onWarning(`${sourcePlaceText(place)}: ${text}`);
  const live = await readLiveFor(client, desired, { prune });
  const comparing = { server: client.origin, now: world.clock.now(), files, known: NO_SECRETS, prune, sendHidden };
  const plan = secrets.masked((await compareFleets(desired, live, comparing)).plan);
  return client[MASKED]?.(plan) ?? plan;
}

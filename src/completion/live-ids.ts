import { join } from "node:path";
import { type Environment, readEnv } from "../config/environment.ts";
import { fileMark, readTextNow } from "../config/files/read-now.ts";
import { COMPLETION_DEADLINE, COMPLETION_PATIENCE, COMPLETION_TIMEOUT } from "../timing.ts";
import { keptIds, LARGEST_KEPT } from "./kept-ids.ts";
import { shortName } from "./short-name.ts";
import type { Candidate, LiveKind } from "./words.ts";

export interface LiveWorld {
  env: Environment;
  now(): number;
  folder(): string;
  config(): string;
  /** Returns further paths that select a context: the project file, and the list of trusted ones. */
  project?(): readonly string[];
  /** Asks in a separate process, so that no hang blocks the shell. A late response helps the next time. */
  ask(argv: readonly string[], patience: number): Promise<void>;
}

export interface IdLookup {
  kind: LiveKind;
  /** Empty except for transactions. */
  relayer: string;
  target: readonly string[];
}

/** Limits of the separate process, whose end the completion does not wait for. */
const BOUNDS = [
  `--timeout=${COMPLETION_TIMEOUT / 1_000}s`,
  `--deadline=${COMPLETION_DEADLINE / 1_000}s`,
  "--retries=0",
  "--quiet",
];

/** Matches a URL with a password, which must not appear in a process list. */
const USER_INFO = /\/\/[^/]*@/;
/** A header in the line itself: its value must not leak, and it may be another identity. */
const OWN_HEADER = /^--header=(?!@(?!-$))/;

/** Returns the service's IDs of the last minute; empty if they aren't found quickly. */
export async function liveIds(lookup: IdLookup, world: LiveWorld): Promise<readonly Candidate[]> {
  if (readEnv(world.env, "RELAYCTL_NO_DYNAMIC_COMPLETION")) return [];
  const { kind, relayer, target } = lookup;
  if (target.some((flag) => OWN_HEADER.test(flag))) return [];
  const key = cacheKey(lookup, world);
  const kept = await loadIds(key, world);
  if (kept) return kept;
  if (target.some((flag) => USER_INFO.test(flag))) return [];
  await world.ask(
    ["__ids", ...target, ...BOUNDS, "--", kind, key, ...(relayer === "" ? [] : [relayer])],
    COMPLETION_PATIENCE,
  );
  return (await loadIds(key, world)) ?? [];
}

async function loadIds(key: string, world: LiveWorld): Promise<readonly Candidate[] | undefined> {
  const text = readTextNow(join(world.folder(), key), LARGEST_KEPT);
  return await keptIds(text, { now: world.now(), token: world.env.RELAYCTL_TOKEN });
}

/** Digests all that selects service and identity. Parsing the config would take longer. */
function cacheKey({ kind, relayer, target }: IdLookup, { env, config, project }: LiveWorld): string {
  const settings = Object.entries(env)
    .filter(([name]) => name.startsWith("RELAYCTL_") && !NOT_IN_NAME.test(name))
    .map(([name, value]) => `${name}=${value}`);
  const flags = target.filter((flag) => !flag.startsWith("--proxy="));
  const typed = flags.flatMap((flag) => /^--(?:token-file=|header=@)(.*)/s.exec(flag)?.[1] ?? []);
  const files = [config(), ...typed, readEnv(env, "RELAYCTL_TOKEN_FILE"), readEnv(env, "RELAYCTL_HEADERS_FILE")];
  const marks = files.map((path) => (path ? fileMark(path) : ""));
  const projects = (project?.() ?? []).flatMap((path) => [path, fileMark(path)]);
  return shortName([kind, relayer, ...flags.sort(), ...settings.sort(), ...marks, ...projects]);
}

/** Variables that contain secrets: a token is compared by its digest, and proxies and nodes change nothing. */
const NOT_IN_NAME = /^RELAYCTL_(?:TOKEN$|PROXY$|NODE_)/;

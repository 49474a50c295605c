import { join } from "node:path";
import { type Environment, variable } from "../config/environment.ts";
import { fileMark, readTextNow } from "../config/files/read-now.ts";
import { keptIds, LARGEST_KEPT } from "./kept-ids.ts";
import type { Candidate } from "./offer.ts";
import { shortName } from "./short-name.ts";
import type { LiveKind } from "./words.ts";

/** Milliseconds for which a person waits for the service. */
const PATIENCE = 300;

/** What live ids are looked up with. */
export interface LiveWorld {
  env: Environment;
  now(): number;
  /** The folder that keeps ids. */
  folder(): string;
  /** The path of `config.json`. */
  config(): string;
  /**
   * Has this program ask the service in a process of its own and keep the answer; waits for it no longer than this. An
   * answer that comes later is there for the next time, and nothing that hangs can hold up the shell.
   */
  ask(argv: readonly string[], patience: number): Promise<void>;
}

/** What is to be looked up. */
export interface Lookup {
  kind: LiveKind;
  /** Whose transactions; else empty. */
  relayer: string;
  /** Of the line that is being completed. */
  target: readonly string[];
}

/** Bounds of the process that asks, which nobody waits for to the end. */
const BOUNDS = ["--timeout=5s", "--deadline=10s", "--retries=0", "--quiet"];

/** A URL with a password, which no list of processes may show. */
const USER_INFO = /\/\/[^/]*@/;

/** The ids that the service has, as it said within the last minute. None when that cannot be found out quickly. */
export async function liveIds(lookup: Lookup, world: LiveWorld): Promise<readonly Candidate[]> {
  if (variable(world.env, "RELAYCTL_NO_DYNAMIC_COMPLETION")) return [];
  const key = keyOf(lookup, world);
  const kept = await load(key, world);
  if (kept) return kept;
  const { kind, relayer, target } = lookup;
  if (target.some((flag) => USER_INFO.test(flag))) return [];
  await world.ask(["__ids", ...target, ...BOUNDS, "--", kind, key, ...(relayer === "" ? [] : [relayer])], PATIENCE);
  return (await load(key, world)) ?? [];
}

async function load(key: string, world: LiveWorld): Promise<readonly Candidate[] | undefined> {
  const text = readTextNow(join(world.folder(), key), LARGEST_KEPT);
  return await keptIds(text, { now: world.now(), token: world.env.RELAYCTL_TOKEN });
}

/**
 * The name of the file that keeps the ids: it follows from everything that decides which service is asked and as whom,
 * and holds none of it. The config is not read for it, which would take longer than the rest: any change gives a new name.
 */
function keyOf({ kind, relayer, target }: Lookup, { env, config }: LiveWorld): string {
  const settings = Object.entries(env)
    .filter(([name]) => name.startsWith("RELAYCTL_") && !NOT_IN_NAME.includes(name))
    .map(([name, value]) => `${name}=${value}`);
  const flags = target.filter((flag) => !flag.startsWith("--proxy="));
  const tokenFile = flags.find((flag) => flag.startsWith("--token-file="))?.replace("--token-file=", "");
  const files = [config(), tokenFile ?? variable(env, "RELAYCTL_TOKEN_FILE")];
  const marks = files.map((path) => (path ? fileMark(path) : ""));
  return shortName([kind, relayer, ...flags.sort(), ...settings.sort(), ...marks]);
}

/** They hold secrets: a token is compared by its digest, and a proxy changes nothing. */
const NOT_IN_NAME = ["RELAYCTL_TOKEN", "RELAYCTL_PROXY"];

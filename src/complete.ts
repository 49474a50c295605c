import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type LiveWorld, liveIds } from "./completion/live-ids.ts";
import { offerFor } from "./completion/offer-for.ts";
import type { Sources } from "./completion/offer-value.ts";
import { parseShellRequest } from "./completion/shells.ts";
import { shippedWords } from "./completion/shipped-words.ts";
import { targetFlagsOfTypedLine } from "./completion/typed-line.ts";
import { readTextNow } from "./config/files/read-now.ts";
import { configFolder, locationSubfolder, stateFolder } from "./config/location.ts";
import { findProjectPath } from "./config/project/find-project.ts";
import { TRUSTED_NAME } from "./config/project/project.ts";
import { ownProgram, readShipped } from "./installation.ts";

const { argv, env, platform } = process;
const MAX_CONFIG = 2 ** 20;
const STDOUT = 1;

const configPath = () => join(configFolder(env, platform), "config.json");

const world: LiveWorld = {
  env,
  now: () => Date.now(),
  folder: () => locationSubfolder("completion", env, platform),
  config: configPath,
  project() {
    const path = findProjectPath(process.cwd(), env.HOME);
    return path === undefined ? [] : [path, join(stateFolder(env, platform), TRUSTED_NAME)];
  },
  async ask(args, patience) {
    const [{ runDetached }, { clock }] = await Promise.all([import("./config/run-detached.ts"), import("./system.ts")]);
    await runDetached([...ownProgram(), ...args], patience, clock);
  },
};

const sources: Sources = {
  contexts: () =>
    orNone(async () => {
      const { contextCandidates } = await import("./completion/configured.ts");
      return contextCandidates(readTextNow(configPath(), MAX_CONFIG));
    }),
  labels: (kind) =>
    orNone(async () => {
      const { labelCandidates } = await import("./completion/configured.ts");
      return labelCandidates(readTextNow(configPath(), MAX_CONFIG), kind && [kind]);
    }),
  live: (kind, line, relayer) => orNone(() => liveIds({ kind, relayer, target: targetFlagsOfTypedLine(line) }, world)),
};

async function orNone<T>(find: () => Promise<readonly T[]>): Promise<readonly T[]> {
  return await find().catch(() => []);
}

/** Runs `relayctl __complete <shell> …`: prints completions of a line for that shell's script. */
async function runComplete(): Promise<void> {
  const request = parseShellRequest(argv.slice(3));
  if (!request) return;
  const offer = await offerFor(request.words, shippedWords(readShipped), sources);
  // Opening a stream would take longer than the whole completion.
  writeFileSync(STDOUT, `${request.print(offer).join("\n")}\n`);
}

// An error message would break the line that the user is typing.
runComplete().catch(() => {});

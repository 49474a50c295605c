import type { App } from "../../app.ts";
import { wantsPlainLines } from "../../terminal/capabilities.ts";
import type { CommonFlags } from "../common-flags.ts";
import { createProgress, NO_PROGRESS, type Progress } from "../progress.ts";
import { promptsWithin } from "../prompting/prompts-within.ts";

/**
 * Opens the progress line of a command; none without a terminal, with `--quiet`, or with `--verbose`, which prints
 * everything.
 */
export function openProgress({ clock, stderr, env }: App, { quiet, verbose }: CommonFlags): Progress {
  if (!stderr.isTerminal || quiet || verbose) return NO_PROGRESS;
  return createProgress({ clock, stderr, plain: wantsPlainLines(env) });
}

/** Returns the app with outputs that clear the progress line first. Parts that open on first use stay unopened. */
export function behindProgress(world: App, progress: Progress): App {
  const cleared = async <T>(ask: () => Promise<T>) => {
    await progress.clear();
    return await ask();
  };
  return Object.create(world, {
    stdout: { get: () => progress.around(world.stdout) },
    stderr: { get: () => progress.around(world.stderr) },
    prompts: { value: async () => promptsWithin(await world.prompts(), cleared) },
  });
}

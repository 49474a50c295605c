import { join } from "node:path";
import { timed } from "./shell.js";

/** Turns off what npm does besides installing. */
export const NPM_FLAGS = "--no-audit --no-fund --no-update-notifier --ignore-scripts --loglevel=error";

/** The user's npm configuration, with a separate cache. */
export function npmEnvironment({ env, folder }) {
  return { ...process.env, ...env, HOME: process.env.HOME, npm_config_cache: join(folder, "npm-cache") };
}

/** Runs a line that may need the network, and whatever certificates its user has named for that. */
export async function installedBy(world, line) {
  try {
    await timed(world, `${line} ${NPM_FLAGS}`, { env: npmEnvironment(world) });
    return true;
  } catch (error) {
    world.signal.throwIfAborted();
    world.say(`${line} ${error.message}`);
    return false;
  }
}

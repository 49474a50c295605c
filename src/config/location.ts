import { posix, win32 } from "node:path";
import { usageError } from "../errors.ts";
import { type Environment, readEnv } from "./environment.ts";

/** A variable of the XDG base directory specification, the path below the home folder without it, and Windows's variable. */
type ConfigPath = readonly [xdg: string, belowHome: string, windows: string];

/** Returns the folder of `config.json` (promises 6). @throws RelayctlError usage without the variable for it */
export function configFolder(env: Environment, platform: string): string {
  return folderIn(["XDG_CONFIG_HOME", ".config", "APPDATA"], env, platform);
}

/** Returns the folder of state kept between runs, such as the state of `--demo` (promises 2.4). */
export function stateFolder(env: Environment, platform: string): string {
  return folderIn(["XDG_STATE_HOME", ".local/state", "LOCALAPPDATA"], env, platform);
}

/** The journal of `--demo` is separate. */
export function locationSubfolder(
  kind: "completion" | "demo-journal" | "journal" | "kept" | "proposals" | "retry",
  env: Environment,
  platform: string,
): string {
  return (platform === "win32" ? win32 : posix).join(stateFolder(env, platform), kind);
}

function folderIn([xdg, belowHome, windows]: ConfigPath, env: Environment, platform: string): string {
  const own = readEnv(env, "RELAYCTL_CONFIG_DIR");
  if (own) return own;
  if (platform === "win32") return win32.join(absolutePath(windows, env, win32.isAbsolute), "relayctl");
  const chosen = readEnv(env, xdg);
  if (chosen && posix.isAbsolute(chosen)) return posix.join(chosen, "relayctl");
  return posix.join(absolutePath("HOME", env, posix.isAbsolute), belowHome, "relayctl");
}

function absolutePath(name: string, env: Environment, isAbsolute: (path: string) => boolean): string {
  const value = readEnv(env, name);
  if (value && isAbsolute(value)) return value;
  const rule = value ? "is not an absolute path" : "is not set";
  throw usageError([
    { where: name, rule: `${rule}, so relayctl has no folder for its files; set it, or RELAYCTL_CONFIG_DIR` },
  ]);
}

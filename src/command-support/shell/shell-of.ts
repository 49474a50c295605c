import { type Environment, variable } from "../../config/environment.ts";

/**
 * What a command is written for. `bash` stands for all shells that know `$'…'`, `sh` for those that do not;
 * `powershell` is written so that cmd reads the same.
 */
export type Shell = "bash" | "sh" | "fish" | "powershell" | "other";

const KNOWN: Readonly<Record<string, Shell>> = {
  bash: "bash",
  zsh: "bash",
  ksh: "bash",
  ksh93: "bash",
  mksh: "bash",
  sh: "sh",
  dash: "sh",
  ash: "sh",
  fish: "fish",
  pwsh: "powershell",
};

/** The shell that the user pastes into, as `$SHELL` names it. Windows sets no such variable, except for a shell from elsewhere. */
export function shellOf(env: Environment): Shell {
  const path = variable(env, "SHELL");
  if (path === undefined) return env.OS === "Windows_NT" ? "powershell" : "bash";
  const name = /([^/\\]*?)(?:\.exe)?$/i.exec(path)?.[1] ?? "";
  return Object.hasOwn(KNOWN, name) ? (KNOWN[name] ?? "other") : "other";
}

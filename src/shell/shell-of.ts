import { type Environment, variable } from "../config/environment.ts";

/** `bash` for shells with `$'…'`, `sh` for others; `powershell` also works in cmd. */
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

/** Returns the user's shell from `$SHELL`. Windows doesn't set it, except for a ported shell. */
export function shellOf(env: Environment): Shell {
  const path = variable(env, "SHELL");
  if (path === undefined) return env.OS === "Windows_NT" ? "powershell" : "bash";
  const name = /([^/\\]*?)(?:\.exe)?$/i.exec(path)?.[1] ?? "";
  return Object.hasOwn(KNOWN, name) ? (KNOWN[name] ?? "other") : "other";
}

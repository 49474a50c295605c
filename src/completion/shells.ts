import { bashRequest } from "./shells/bash.ts";
import { fishRequest } from "./shells/fish.ts";
import { powershellRequest } from "./shells/powershell.ts";
import type { Request } from "./shells/request.ts";
import { zshRequest } from "./shells/zsh.ts";

export const SHELLS = ["bash", "zsh", "fish", "powershell"] as const;
export type Shell = (typeof SHELLS)[number];

const READERS: Record<Shell, (facts: readonly string[], words: readonly string[]) => Request> = {
  bash: bashRequest,
  zsh: zshRequest,
  fish: fishRequest,
  powershell: powershellRequest,
};

/** Parses the arguments from a script: `<shell> <its facts…> -- <words…>`. Returns undefined for an unknown shell. */
export function requestOf(argv: readonly string[]): Request | undefined {
  const shell = SHELLS.find((shell) => shell === argv[0]);
  const end = argv.indexOf("--");
  return shell && READERS[shell](argv.slice(1, end), argv.slice(end + 1));
}

import { bashScript } from "./scripts/bash.ts";
import { fishScript } from "./scripts/fish.ts";
import { powershellScript } from "./scripts/powershell.ts";
import { zshScript } from "./scripts/zsh.ts";
import type { Shell } from "./shells.ts";

/** How to set up completion in a shell. */
export interface Setup {
  script: string;
  /** The line to add, and where. */
  line: string;
  where: string;
}

export const SETUPS: Record<Shell, Setup> = {
  bash: {
    script: bashScript,
    line: 'eval "$(relayctl completion bash)"',
    where: "~/.bashrc",
  },
  zsh: {
    script: zshScript,
    line: 'eval "$(relayctl completion zsh)"',
    where: "~/.zshrc, after compinit",
  },
  fish: {
    script: fishScript,
    line: "relayctl completion fish | source",
    where: "~/.config/fish/config.fish",
  },
  powershell: {
    script: powershellScript,
    line: "relayctl completion powershell | Out-String | Invoke-Expression",
    where: "your $PROFILE file",
  },
};

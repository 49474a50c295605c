import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** How a shell is made ready: its prompt says so, and Ctrl-G prints the line as it stands. */
export interface InteractiveShell {
  name: string;
  argv: readonly string[];
  /** Typed at its start, one line. */
  setUp: string;
  /** The keys that list what fits. */
  list: string;
}

const BASH: InteractiveShell = {
  name: "bash",
  argv: ["--norc", "-i"],
  setUp: `set -u; eval "$(relayctl completion bash)"; bind -x '"\\C-g": printf "<%s>" "$READLINE_LINE"'; PS1='READ''Y> '`,
  list: "\t\t",
};

const ZSH: InteractiveShell = {
  name: "zsh",
  argv: ["-f", "-i"],
  setUp: `setopt nounset; autoload -U compinit; compinit -u -D; eval "$(relayctl completion zsh)"; show() { print -rn -- "<$BUFFER>" }; zle -N show; bindkey '^G' show; PS1='READ''Y> '`,
  list: "\t",
};

const FISH: InteractiveShell = {
  name: "fish",
  argv: ["--no-config", "-i"],
  setUp: `relayctl completion fish | source; bind \\cg 'printf "<%s>" (commandline)'; function fish_prompt; echo -n 'READ''Y> '; end`,
  list: "\t",
};

const ALL = [BASH, ZSH, FISH];

/** The shells of this machine. */
export const found = ALL.filter(({ name }) => isProgram(name));
/** Those that it does not have. */
export const missing = ALL.filter((shell) => !found.includes(shell)).map(({ name }) => name);

function isProgram(name: string): boolean {
  return (process.env.PATH ?? "").split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

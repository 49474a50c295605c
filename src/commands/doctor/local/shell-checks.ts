import { join } from "node:path";
import { variable } from "../../../config/environment.ts";
import type { Found } from "../finding.ts";
import { type MachineFacts, shellOf } from "./machine-facts.ts";

export function programsOnPath({ machine }: MachineFacts): Found[] {
  const [first, ...others] = machine.programs("relayctl");
  if (first === undefined || others.length === 0) return [];
  return [
    { message: `PATH has several programs named relayctl; ${first} runs`, advice: `Not used: ${others.join(", ")}` },
  ];
}

export function noCompletion({ env, machine, startup }: MachineFacts): Found[] {
  const shell = shellOf(env);
  const files = COMPLETIONS[shell]?.map((path) =>
    join(path.startsWith("/") ? "/" : (variable(env, "HOME") ?? "/"), path),
  );
  if (!files || startup.includes("relayctl completion") || files.some((path) => machine.changedAt(path) !== undefined))
    return [];
  return [{ message: `${shell} does not complete the words of relayctl`, advice: `To install: ${LINES[shell] ?? ""}` }];
}

const COMPLETIONS: Readonly<Record<string, readonly string[]>> = {
  bash: ["/usr/share/bash-completion/completions/relayctl", ".local/share/bash-completion/completions/relayctl"],
  zsh: ["/usr/share/zsh/vendor-completions/_relayctl", "/usr/share/zsh/site-functions/_relayctl"],
  fish: ["/usr/share/fish/vendor_completions.d/relayctl.fish", ".config/fish/completions/relayctl.fish"],
};

const LINES: Readonly<Record<string, string>> = {
  bash: `echo 'eval "$(relayctl completion bash)"' >> ~/.bashrc`,
  zsh: `echo 'eval "$(relayctl completion zsh)"' >> ~/.zshrc`,
  fish: "relayctl completion fish > ~/.config/fish/completions/relayctl.fish",
};

export function asciiLocale({ env }: MachineFacts): Found[] {
  const name = ["LC_ALL", "LC_CTYPE", "LANG"].find((each) => variable(env, each) !== undefined);
  const locale = name && variable(env, name);
  if (locale === undefined || /utf-?8/i.test(locale)) return [];
  return [
    { message: `the locale ${locale} is not UTF-8, so a terminal gets ASCII alone`, advice: "Set LC_ALL=C.UTF-8." },
  ];
}

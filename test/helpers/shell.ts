import { execFileSync } from "node:child_process";

/** Runs a text in a shell with a program that prints its arguments, and returns the arguments of each call. */
export function argvsUnder(shell: string, program: string, text: string, env: Record<string, string> = {}): string[][] {
  const told = shell.endsWith("fish")
    ? `function ${program}; printf '%s\\0' (count $argv) $argv; end`
    : `${program}() { printf '%s\\0' "$#"; for word in "$@"; do printf '%s\\0' "$word"; done; }`;
  const out = execFileSync(shell, ["-c", `${told}\n${text}`], {
    env: { PATH: "/bin:/usr/bin", LC_ALL: "C.UTF-8", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const words = out.toString().split("\0").slice(0, -1);
  const calls: string[][] = [];
  while (words.length > 0) calls.push(words.splice(0, Number(words.shift())));
  return calls;
}

/** The same for a text of one command. */
export function argvUnder(shell: string, program: string, text: string, env: Record<string, string> = {}): string[] {
  return argvsUnder(shell, program, text, env).flat();
}

export function argvUnderSh(program: string, text: string, env: Record<string, string> = {}): string[] {
  return argvUnder("/bin/sh", program, text, env);
}

import type { App } from "../app.ts";
import { type Environment, readEnv } from "../config/environment.ts";
import { inQuotes } from "../shell-quotes.ts";
import { replaceUnsafe } from "../terminal/escape.ts";

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
export function userShell(env: Environment): Shell {
  const path = readEnv(env, "SHELL");
  if (path === undefined) return env.OS === "Windows_NT" ? "powershell" : "bash";
  const name = /([^/\\]*?)(?:\.exe)?$/i.exec(path)?.[1] ?? "";
  return Object.hasOwn(KNOWN, name) ? (KNOWN[name] ?? "other") : "other";
}

export function shellWord(word: string): string {
  return spelledAlike(word);
}

/** Returns a text in quotes that hide nothing, even if it needs none. */
export function shellQuoted(text: string): string {
  const word = inQuotes(text);
  return word === text ? `'${text}'` : word;
}

/** Returns a `relayctl` command for a shell; words that look like short flags come last, after `--`. */
export function commandLine(...argv: readonly string[]): string {
  return ["relayctl", ...withEndOfFlags(argv)].map(shellWord).join(" ");
}

/** Target flags, which come first with their values. */
const TARGET = /^(?:-c|--server|--token-file|--header|--ca-file|--cert|--key|--key-passphrase-file)$/;

/** Inserts `--`. Printed commands have long flags, except the target flags. */
function withEndOfFlags(argv: readonly string[]): readonly string[] {
  if (argv.includes("--")) return argv;
  const start = argv.findIndex((word, index) => !word.startsWith("-") && !TARGET.test(argv[index - 1] ?? ""));
  const isArgument = (word: string, index: number) => index > start && /^-(?!-[a-z]|$)/.test(word);
  const args = argv.filter(isArgument);
  if (args.length === 0 || start < 0) return argv;
  return [...argv.filter((word, index) => !isArgument(word, index)), "--", ...args];
}

export function historyCommand(state: string | undefined, flags: readonly string[], words: readonly string[]): string {
  return `${state === undefined ? "" : `RELAYCTL_JOURNAL=${shellWord(state)} `}${commandLine(...flags, ...words)}`;
}

/** Returns one line without hidden characters; undefined if that shell can't write it. */
export function shellSpelling(word: string, shell: Shell): string | undefined {
  if (word.includes("\0") || !word.isWellFormed()) return undefined;
  return SPELLINGS[shell](word);
}

/** Returns a word as typed in bash, zsh, fish from 3.4 on, and sh, on one line; empty if no shell can pass it. */
function spelledAlike(word: string): string {
  if (isShown(word)) return word.includes("\0") || !word.isWellFormed() ? "''" : inQuotes(word);
  return (word.endsWith("\n") ? undefined : inSubstitution(word)) ?? shellSpelling(word, "bash") ?? "''";
}

const SPELLINGS: Readonly<Record<Shell, (word: string) => string | undefined>> = {
  bash: (word) => (isShown(word) ? inQuotes(word) : inDollarQuotes(word)),
  sh: (word) => (isShown(word) ? inQuotes(word) : undefined),
  fish: (word) => splitHidden(word).map(pieceInFish).join("") || "''",
  powershell: inDoubleQuotes,
  other: (word) => (isShown(word) && !/['\\!]/.test(word) ? inQuotes(word) : undefined),
};

/** Quotes with `$'…'`, with `!` and `'` as numbers: some versions would expand history or end the text. */
function inDollarQuotes(word: string): string {
  const escaped = word.replaceAll("\\", "\\\\").replace(/['!]/g, octalEscape);
  return `$'${replaceHidden(escaped, octalEscape)}'`;
}

/** Quotes with `printf`, which every shell has; a substitution loses its final line breaks. */
function inSubstitution(word: string): string | undefined {
  if (word.includes("\0") || !word.isWellFormed()) return undefined;
  const escaped = word.replace(/['"\\!$`]|^-/g, octalEscape).replaceAll("%", "%%");
  return `"$(printf '${replaceHidden(escaped, octalEscape)}')"`;
}

/** Returns UTF-8 bytes as `\342\200\213`, which older versions of bash support too. */
function octalEscape(character: string): string {
  const bytes = [...new TextEncoder().encode(character)];
  return bytes.map((byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("");
}

type Piece = { text: string } | { hidden: string };

function splitHidden(word: string): Piece[] {
  const parts = replaceHidden(word, (character) => `\0${character}\0`).split("\0");
  return parts.flatMap((part, index) => (part === "" ? [] : [index % 2 === 1 ? { hidden: part } : { text: part }]));
}

function pieceInFish(piece: Piece): string {
  if ("text" in piece) return inQuotes(piece.text);
  const code = piece.hidden.codePointAt(0) ?? 0;
  return code > 0xffff ? `\\U${code.toString(16).padStart(8, "0")}` : `\\u${code.toString(16).padStart(4, "0")}`;
}

/** Quotes a word for PowerShell and cmd; a quote, `$`, `%`, or a final backslash is unsafe in either. */
function inDoubleQuotes(word: string): string | undefined {
  if (/^[A-Za-z0-9_-]([A-Za-z0-9_:/-]|[.](?=[A-Za-z0-9]))*$/.test(word) && !/^-.*[.:]/.test(word)) return word;
  return /^[\p{L}\p{M}\p{N}_ .:/@+=,()#*?~;[\]{}-]+$/u.test(word) ? `"${word}"` : undefined;
}

function isShown(word: string): boolean {
  return replaceHidden(word, () => "") === word;
}

function replaceHidden(word: string, written: (character: string) => string): string {
  // Other spaces look like the usual one, and some terminals paste them as it.
  return replaceUnsafe(word, written).replace(/(?! )\p{Zs}/gu, written);
}

export type Pasteable = { line: string } | { because: string };

/** The longest line that every system can pass to a program. */
const LONGEST = 30_000;

export function pasteableWords(argv: readonly string[], { env, secrets }: Pick<App, "env" | "secrets">): Pasteable {
  const shell = userShell(env);
  // A secret must not appear in another spelling, and a redacted word is another value.
  if (argv.some((word) => secrets.redact(word) !== word)) return { because: "an old value holds a secret" };
  const words = ["relayctl", ...argv].map((word) => shellSpelling(word, shell));
  if (!words.every((word) => word !== undefined)) return { because: unwritableText(argv, shell) };
  const line = words.join(" ");
  if (line.length > LONGEST) return { because: `the command would be ${line.length} characters long` };
  return secrets.redact(line) === line ? { line } : { because: "an old value holds a secret" };
}

function unwritableText(argv: readonly string[], shell: string): string {
  if (argv.some((word) => shellSpelling(word, "bash") === undefined)) return "an old value cannot be part of a command";
  return `an old value cannot be typed in ${shell === "other" ? "this shell" : shell}; use bash or zsh`;
}

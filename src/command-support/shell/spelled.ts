import { replaceUnsafe } from "../../terminal/text/replace-unsafe.ts";
import type { Shell } from "./shell-of.ts";

/**
 * A word as it is typed in a shell to mean exactly this, on one line and without a character that hides or acts; nothing
 * where that shell has no way to write it. No argument of a program holds NUL or half of a surrogate pair.
 */
export function spelled(word: string, shell: Shell): string | undefined {
  if (word.includes("\0") || !word.isWellFormed()) return undefined;
  return SPELLINGS[shell](word);
}

const SPELLINGS: Readonly<Record<Shell, (word: string) => string | undefined>> = {
  bash: (word) => (isShown(word) ? inQuotes(word) : inDollarQuotes(word)),
  sh: (word) => (isShown(word) ? inQuotes(word) : undefined),
  fish: (word) => piecesOf(word).map(pieceInFish).join("") || "''",
  powershell: inDoubleQuotes,
  other: (word) => (isShown(word) && !/['\\!]/.test(word) ? inQuotes(word) : undefined),
};

/** Not one that begins with `=`, which zsh replaces with the path of a program. */
const BARE = /^(?!=)[A-Za-z0-9_@%+=:,./-]+$/;

/**
 * In single quotes, with the quotes and backslashes that fish would read otherwise between them, so that one spelling is
 * right for every shell of POSIX and for fish.
 */
export function inQuotes(word: string): string {
  if (BARE.test(word)) return word;
  const parts = word.split(/((?:'|\\{2,}|\\(?='|$))+)/);
  const written = parts.map((part, index) =>
    index % 2 === 1 ? part.replace(/./g, "\\$&") : part === "" ? "" : `'${part}'`,
  );
  return written.join("") || "''";
}

/** `!` and `'` as numbers: some versions would take them for history and for the end. */
function inDollarQuotes(word: string): string {
  const escaped = word.replaceAll("\\", "\\\\").replace(/['!]/g, octal);
  return `$'${replaceHidden(escaped, octal)}'`;
}

/** The bytes of UTF-8 as `\342\200\213`, which older versions of bash know, too. */
function octal(character: string): string {
  const bytes = [...new TextEncoder().encode(character)];
  return bytes.map((byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("");
}

type Piece = { text: string } | { hidden: string };

function piecesOf(word: string): Piece[] {
  const parts = replaceHidden(word, (character) => `\0${character}\0`).split("\0");
  return parts.flatMap((part, index) => (part === "" ? [] : [index % 2 === 1 ? { hidden: part } : { text: part }]));
}

function pieceInFish(piece: Piece): string {
  if ("text" in piece) return inQuotes(piece.text);
  const code = piece.hidden.codePointAt(0) ?? 0;
  return code > 0xffff ? `\\U${code.toString(16).padStart(8, "0")}` : `\\u${code.toString(16).padStart(4, "0")}`;
}

/** What PowerShell and cmd read alike. A quote, `$`, `%` or a backslash at the end reaches a program in neither for sure. */
function inDoubleQuotes(word: string): string | undefined {
  if (/^[A-Za-z0-9_-]([A-Za-z0-9_:/-]|[.](?=[A-Za-z0-9]))*$/.test(word) && !/^-.*[.:]/.test(word)) return word;
  return /^[\p{L}\p{M}\p{N}_ .:/@+=,()#*?~;[\]{}-]+$/u.test(word) ? `"${word}"` : undefined;
}

/** Spaces other than the usual one look like it, and are pasted as it by some terminals. */
const OTHER_SPACE = /(?! )\p{Zs}/gu;

function isShown(word: string): boolean {
  return replaceHidden(word, () => "") === word;
}

function replaceHidden(word: string, written: (character: string) => string): string {
  return replaceUnsafe(word, written).replace(OTHER_SPACE, written);
}

/** Words without quotes in any shell. zsh expands a leading `=`, and shells have jobs at a leading `%`. */
const BARE = /^(?![=%])[A-Za-z0-9_@%+=:,./-]+$/;

/** Quotes for every POSIX shell and fish: in single quotes, except quotes and backslashes that fish would interpret. */
export function inQuotes(word: string): string {
  if (BARE.test(word)) return word;
  const parts = word.split(/((?:'|\\{2,}|\\(?='|$))+)/);
  const written = parts.map((part, index) =>
    index % 2 === 1 ? part.replace(/./g, "\\$&") : part === "" ? "" : `'${part}'`,
  );
  return written.join("") || "''";
}

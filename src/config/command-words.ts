/** Matches a quoted part, or a character after a backslash. Any other backslash is literal, as in a Windows path. */
const QUOTED = /'([^']*)'|"((?:\\["\\]|[^"])*)"|\\([\s'"\\])/g;
const WORD = new RegExp(`(?:${QUOTED.source}|[^\\s'"])+`, "g");

/** The problem of a text without words. */
export const OPEN_QUOTE = "has a quote that is not closed";

/** Splits `code --wait` or `"/opt/My Editor/edit" -w` into words like a shell; undefined for an open quote. */
export function commandWords(typed: string): string[] | undefined {
  if (typed.replace(WORD, "").trim() !== "") return undefined;
  return [...typed.matchAll(WORD)].map(([word]) => word.replace(QUOTED, unquoteWord));
}

function unquoteWord(_: string, single?: string, double?: string, escaped?: string): string {
  return single ?? double?.replace(/\\(["\\])/g, "$1") ?? escaped ?? "";
}

/**
 * Texts that parsers of YAML 1.1 or 1.2 interpret as another type: `null`, booleans, the value and merge keys, numbers
 * in every base with signs, separators, sexagesimal digits, and exponents, infinities, dates, document markers, and
 * Ruby's symbols. Broader than both specifications, since parsers are: unneeded quotes do no harm.
 */
const RESOLVED: readonly RegExp[] = [
  /^(?:|~|null|y|n|yes|no|on|off|true|false|=|<<)$/i,
  /^[-+]?\.?(?:inf|infinity|nan)$/i,
  /^[-+]?0[xob][0-9a-f_.p+-]*$/i,
  /^[-+]?\.?[0-9][0-9_,.:]*(?:e[-+]?[0-9_]*)?$/i,
  /^[-+]?\.[0-9.]*(?:e[-+]?[0-9]+)?$/i,
  /^[0-9]{1,4}-[0-9]{1,2}-[0-9]{1,2}(?:$|[Tt\s])/,
  /^(?:---|\.\.\.|:)/,
];

/** Noncharacters, which no YAML document may contain; they are written as escapes. */
const UNPRINTABLE = /[\ufffe\uffff]/g;

/** Returns whether a text must be quoted to be parsed as that text. */
export function isResolved(text: string): boolean {
  return text.search(UNPRINTABLE) >= 0 || RESOLVED.some((pattern) => pattern.test(text));
}

/** Escapes these characters in a document in which every text with them is double-quoted. */
export function withoutUnprintable(document: string): string {
  return document.replace(UNPRINTABLE, (character) => `\\u${character.charCodeAt(0).toString(16)}`);
}

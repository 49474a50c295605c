/**
 * What readers of YAML 1.1 or 1.2 take for something else than a text: `null`, booleans, the value and merge keys, numbers in every
 * base with signs, separators, sexagesimal places and exponents, infinities, dates, document markers, and Ruby's symbols. Wider than
 * both specifications, since readers are: quotes that nobody needs cost nothing.
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

/** Not characters, and so in no document of YAML's; they can be written as escapes. */
const UNPRINTABLE = /[\ufffe\uffff]/g;

/** Whether a text must be quoted to be read back as that text. */
export function isResolved(text: string): boolean {
  return text.search(UNPRINTABLE) >= 0 || RESOLVED.some((pattern) => pattern.test(text));
}

/** A document in which every text with such characters stands in double quotes, with escapes in their place. */
export function withoutUnprintable(document: string): string {
  return document.replace(UNPRINTABLE, (character) => `\\u${character.charCodeAt(0).toString(16)}`);
}

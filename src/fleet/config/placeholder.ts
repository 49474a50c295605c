/** Words of examples: `YOUR_KEY`, `your-project-id`, `https://your-vault.example.org`, `<key>`, `changeme`. */
const WORDS = [
  /(?:^|[^A-Za-z0-9])your[-_ ][a-z]/i,
  /<[^<>]+>/,
  /^(?:change|replace|fill)[-_ ]?(?:me|this|in)(?:$|[^a-z])/i,
  /^(?:todo|tbd|fixme|x{4,}|\.{3}|…)$/i,
];

/** A key, or an address, of zeros. */
const ZEROS = /^(?:0x)?0{32,}$/;

/**
 * Returns whether a text stands for a value that is still to be filled in: it is empty, zeros, or words of an example.
 * @param isWritten whether it stands in a file; the words of a variable are meant as they are
 */
export function isPlaceholder(text: string, isWritten: boolean): boolean {
  return text === "" || ZEROS.test(text) || (isWritten && WORDS.some((word) => word.test(text)));
}

/** Above this number of different texts they are not shared names. */
const MOST_TEXTS = 10_000;

/** Distinguishes items with the same name: `mainnet (evm)` and `mainnet (stellar)`. Unique names stay as they are. */
export class Distinguisher {
  /** For each shared text, what replaces it in the rows before the first difference. */
  readonly late = new Map<string, string>();
  /** For each text the word of its first item. */
  private readonly words = new Map<string, string>();

  /** @param word distinguishes this item from others with the same text */
  distinguished(text: string, word: string): string {
    const first = this.words.get(text);
    if (first === undefined && this.words.size < MOST_TEXTS) this.words.set(text, word);
    else if (first !== undefined && first !== word && !this.late.has(text)) this.late.set(text, withWord(text, first));
    return this.late.has(text) ? withWord(text, word) : text;
  }
}

function withWord(text: string, word: string): string {
  return word === "" ? text : `${text} (${word})`;
}

const ELEMENT = "\\p{Extended_Pictographic}[\\ufe0f\\u{1f3fb}-\\u{1f3ff}]?";

/** Matches the form of an emoji joined from several characters. No emoji recommended by Unicode is longer. */
const CANDIDATE = `\\u{1f3f4}[\\u{e0020}-\\u{e007f}]{1,8}|[#*0-9]\\ufe0f\\u20e3|${ELEMENT}(?:\\u200d${ELEMENT}){0,3}`;

/** A text, since the compiler's target lacks the `v` flag; compiling it takes longer than starting Node. */
const RECOMMENDED = "^\\p{RGI_Emoji}";

/**
 * The maximum of cached sequences. Searching the list of all emoji takes as long as escaping a hundred characters. A
 * text with more different sequences than this, several times the number of emoji, is not meant to be read.
 */
const MOST_LOOKED_UP = 8192;

/** Returns how many UTF-16 units at a position form one emoji recommended by Unicode; 0 for none. */
export type EmojiLength = (text: string, at: number) => number;

/** Creates a lookup that checks each sequence once. Beyond a maximum, further ones are escaped. */
export function createEmojiLength(mostLookedUp = MOST_LOOKED_UP): EmojiLength {
  const known = new Map<string, number>();
  let candidates: RegExp | undefined;
  let recommended: RegExp | undefined;
  return (text, at) => {
    candidates ??= new RegExp(CANDIDATE, "uy");
    candidates.lastIndex = at;
    const candidate = candidates.exec(text)?.[0];
    if (candidate === undefined) return 0;
    const found = known.get(candidate);
    if (found !== undefined || known.size === mostLookedUp) return found ?? 0;
    recommended ??= new RegExp(RECOMMENDED, "v");
    const length = recommended.exec(candidate)?.[0].length ?? 0;
    known.set(candidate, length);
    return length;
  };
}

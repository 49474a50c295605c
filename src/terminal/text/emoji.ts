const ELEMENT = "\\p{Extended_Pictographic}[\\ufe0f\\u{1f3fb}-\\u{1f3ff}]?";

/** What has the form of an emoji that is joined from several characters. No emoji that Unicode recommends is longer. */
const CANDIDATE = new RegExp(
  `\\u{1f3f4}[\\u{e0020}-\\u{e007f}]{1,8}|[#*0-9]\\ufe0f\\u20e3|${ELEMENT}(?:\\u200d${ELEMENT}){0,3}`,
  "uy",
);

/** A text, because the compiler's target does not know the `v` flag yet; to compile it takes longer than to start Node. */
const RECOMMENDED = "^\\p{RGI_Emoji}";

/**
 * A look at the list of all emoji takes as long as to escape a hundred characters. A text that holds more different
 * sequences than this, several times as many as there are emoji, was not written for people.
 */
const MOST_LOOKED_UP = 8192;

/** Returns how many UTF-16 units at a place of a text are one emoji of those that Unicode recommends; 0 for none. */
export type EmojiLength = (text: string, at: number) => number;

/** Each sequence is looked up once. When too many were, further ones count as no emoji, so that they are shown escaped. */
export function createEmojiLength(mostLookedUp = MOST_LOOKED_UP): EmojiLength {
  const known = new Map<string, number>();
  let recommended: RegExp | undefined;
  return (text, at) => {
    CANDIDATE.lastIndex = at;
    const candidate = CANDIDATE.exec(text)?.[0];
    if (candidate === undefined) return 0;
    const found = known.get(candidate);
    if (found !== undefined || known.size === mostLookedUp) return found ?? 0;
    recommended ??= new RegExp(RECOMMENDED, "v");
    const length = recommended.exec(candidate)?.[0].length ?? 0;
    known.set(candidate, length);
    return length;
  };
}

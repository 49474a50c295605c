import { escapeText } from "../escape.ts";
import { textWidth } from "../width.ts";
import { createRemembered } from "./remembered.ts";

/** Returns a text's columns up to a bound; 0 if they are more, or a character is neither ASCII nor a letter. */
export type LettersWidth = (text: string, most: number) => number;

/** Creates a fast measure for texts without escapes and combining characters: names in most scripts. */
export function createLettersWidth(): LettersWidth {
  const widthOf = createRemembered((character) =>
    // Printable ASCII, or a letter of any script.
    /^[\x20-\x7e\p{L}]$/u.test(character) && escapeText(character) === character ? textWidth(character) : 0,
  );
  return (text, most) => {
    let width = 0;
    for (let at = 0; at < text.length && width <= most; ) {
      const codePoint = text.codePointAt(at) as number;
      const own = widthOf(codePoint);
      if (own === 0) return 0;
      width += own;
      at += codePoint > 0xffff ? 2 : 1;
    }
    return width <= most ? width : 0;
  };
}

import stringWidth from "string-width";
import { createRemembered } from "./remembered.ts";

/** A character's traits besides its width, which is in the lowest two bits. */
const [WIDTH, IS_JOINING, IS_TONE, IS_LETTER, IS_PICTOGRAPH] = [3, 4, 8, 16, 32];
const [JOINER, SELECTOR] = [0x200d, 0xfe0f];
const EMOJI = 2;

/** Called once for each character: texts in ASCII need none of these expressions, and they take a while to create. */
function computeTraits(character: string): number {
  // Marks, joiners, and the vowels and finals of Hangul share the columns of the preceding character.
  if (/^[\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}\u1160-\u11ff\ud7b0-\ud7ff]$/u.test(character)) return IS_JOINING;
  if (/^\p{Emoji_Modifier}$/u.test(character)) return EMOJI | IS_TONE;
  if (/^\p{Regional_Indicator}$/u.test(character)) return 1 | IS_LETTER;
  return stringWidth(character) | (/^\p{Extended_Pictographic}$/u.test(character) ? IS_PICTOGRAPH : 0);
}

/** Returns how much of a text fits into a width (default: unlimited). */
export type Measure = (text: string, most?: number) => ReturnType<typeof fitGraphemes>;

/** Creates a measure that looks up each character once. Use one measure for many texts. */
export function createGraphemeMeasure(): Measure {
  const known = createRemembered(computeTraits);
  return (text, most = Number.POSITIVE_INFINITY) => fitGraphemes(text, most, known);
}

/** Measures a text up to a width, in linear time. The library's time is quadratic for whole texts. */
function fitGraphemes(text: string, most: number, traitsOf: (codePoint: number) => number) {
  // For the current grapheme: its start, the columns before it, and its own columns.
  let [start, before, own] = [0, 0, 0];
  let [base, letters, previous] = [0, 0, 0];
  for (let at = 0; at < text.length; ) {
    const codePoint = text.codePointAt(at) as number;
    const traits = traitsOf(codePoint);
    letters = traits & IS_LETTER ? letters + 1 : 0;
    const isSecondLetter = letters > 0 && letters % 2 === 0;
    if (isSecondLetter || (codePoint === SELECTOR && own > 0)) own = EMOJI;
    else if (!isOfGrapheme(traits, base, previous)) {
      before += own;
      [start, base, own] = [at, traits, traits & WIDTH];
    }
    if (before + own > most) return { width: before, end: start };
    previous = codePoint;
    at += codePoint > 0xffff ? 2 : 1;
  }
  return { width: before + own, end: text.length };
}

function isOfGrapheme(traits: number, base: number, previous: number): boolean {
  if (traits & IS_JOINING) return true;
  if ((base & IS_PICTOGRAPH) === 0) return false;
  return (traits & IS_TONE) > 0 || ((traits & IS_PICTOGRAPH) > 0 && previous === JOINER);
}

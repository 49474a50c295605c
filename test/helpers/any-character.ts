import fc from "fast-check";

const SURROGATES = { first: 0xd800, count: 0x800 };

/** Any character, as the unit "binary" of `fc.string` has them, which keeps each of the million in a map when it is first used. */
export const anyCharacter = fc.integer({ min: 0, max: 0x10ffff - SURROGATES.count }).map(
  (place) => String.fromCodePoint(place < SURROGATES.first ? place : place + SURROGATES.count),
  (text) => {
    const code = typeof text === "string" && /^.$/su.test(text) ? text.codePointAt(0) : undefined;
    if (code === undefined) throw new Error("not a character");
    return code < SURROGATES.first ? code : code - SURROGATES.count;
  },
);

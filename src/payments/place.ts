import type { TextPosition } from "../contract/json.ts";

export type About = { row: number; column?: string } | "header";

export type PlaceText = (position: TextPosition | undefined, about?: About) => string;

/** Returns places as editors write them, with the row in words: `payouts.csv:4712:44 row 4711, to`. */
export function placesIn(name: string): PlaceText {
  return (position, about) => {
    const place = position ? `${name}:${position.line}:${position.column}` : name;
    return about === undefined ? place : `${place} ${wordsFor(about)}`;
  };
}

function wordsFor(about: About): string {
  if (about === "header") return about;
  return about.column === undefined ? `row ${about.row}` : `row ${about.row}, ${about.column}`;
}

import { counted } from "../../contract/decimal.ts";
import type { TextPosition } from "../../contract/json.ts";
import { type Problem, problemText, RelayctlError, usageError } from "../../errors.ts";
import type { About, PlaceText } from "../payment.ts";

/** The most problems for a user; `-o json` has the others, too. */
const MOST_SHOWN = 20;
/** A file with more problems has the same mistake in every row; the others are counted. */
const MOST_KEPT = 10_000;
const LONGEST_GIVEN = 100;

export class FileProblems {
  private readonly placeText: PlaceText;
  private readonly found: Problem[] = [];
  private count = 0;

  constructor(placeText: PlaceText) {
    this.placeText = placeText;
  }

  /** Adds a problem with a row, or without `about` with all rows. */
  add(position: TextPosition | undefined, rule: string, about?: About, given?: string): void {
    this.count++;
    if (this.found.length >= MOST_KEPT) return;
    const where = this.placeText(position, about);
    this.found.push({ where, rule, ...(given !== undefined && { given: shown(given) }) });
  }

  throwIfAny(hint?: string): void {
    const { count, found } = this;
    if (count <= MOST_SHOWN) {
      if (count > 0) throw usageError(found, hint);
      return;
    }
    const kept = count > found.length ? `the first ${counted(found.length, "problem")}` : "all of them";
    const more = `and ${counted(count - MOST_SHOWN, "more problem")}; -o json lists ${kept}`;
    throw new RelayctlError("usage", `${counted(count, "problem")}, nothing was sent`, {
      details: found,
      summary: [...found.slice(0, MOST_SHOWN).map(problemText), more],
      ...(hint !== undefined && { hint }),
    });
  }
}

function shown(given: string): string {
  if (given === "") return "(empty)";
  return given.length > LONGEST_GIVEN ? `${given.slice(0, LONGEST_GIVEN)}…` : given;
}

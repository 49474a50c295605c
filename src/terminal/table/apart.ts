import type { JsonObject } from "../../contract/json.ts";
import type { TableColumn } from "../view.ts";

/** The columns of a table, in which cells that look alike have their word where they are not the same. */
export interface Apart<T extends JsonObject> {
  columns: readonly TableColumn<T>[];
  /** By the index of a column: cells of rows that came before the first difference, and how they are told apart. */
  late(): ReadonlyMap<number, ReadonlyMap<string, string>>;
}

/** More different texts than this are no names that items share. */
const MOST_TEXTS = 10_000;

/** Two networks may share a name: `mainnet (evm)` and `mainnet (stellar)`. Where none do, names stand alone. */
export function tellingApart<T extends JsonObject>(columns: readonly TableColumn<T>[]): Apart<T> {
  const late = new Map<number, Map<string, string>>();
  return {
    columns: columns.map((column, index) => {
      const { apart, cell } = column;
      if (!apart) return column;
      const told = distinguishingTexts((text, word) => {
        late.set(index, (late.get(index) ?? new Map()).set(text, withWord(text, word)));
      });
      return {
        ...column,
        cell: (item) => {
          const shown = cell(item);
          return { ...shown, text: told(shown.text, apart(item)) };
        },
      };
    }),
    late: () => late,
  };
}

function distinguishingTexts(tooLate: (text: string, word: string) => void): (text: string, word: string) => string {
  const first = new Map<string, string>();
  const shared = new Set<string>();
  return (text, word) => {
    const known = first.get(text);
    if (known === undefined && first.size < MOST_TEXTS) first.set(text, word);
    else if (known !== undefined && known !== word && !shared.has(text)) {
      shared.add(text);
      tooLate(text, known);
    }
    return shared.has(text) ? withWord(text, word) : text;
  };
}

function withWord(text: string, word: string): string {
  return word === "" ? text : `${text} (${word})`;
}

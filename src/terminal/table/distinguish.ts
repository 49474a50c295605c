import type { JsonObject } from "../../contract/json.ts";
import type { TableColumn } from "../view.ts";

/** The columns of a table whose identical cells for different items get a distinguishing word. */
export interface DistinguishedColumns<T extends JsonObject> {
  columns: readonly TableColumn<T>[];
  /** Returns by column index the distinguished texts of cells that came before the first difference. */
  lateColumns(): ReadonlyMap<number, ReadonlyMap<string, string>>;
}

/** Above this number of different texts they are not shared names. */
const MOST_TEXTS = 10_000;

/** Distinguishes items with the same name: `mainnet (evm)` and `mainnet (stellar)`. Unique names stay as they are. */
export function distinguishingColumns<T extends JsonObject>(
  columns: readonly TableColumn<T>[],
): DistinguishedColumns<T> {
  const lateColumns = new Map<number, Map<string, string>>();
  return {
    columns: columns.map((column, index) => {
      const { apart, cell } = column;
      if (!apart) return column;
      const distinguished = distinguishingTexts((text, word) => {
        lateColumns.set(index, (lateColumns.get(index) ?? new Map()).set(text, withWord(text, word)));
      });
      return {
        ...column,
        cell: (item) => {
          const shown = cell(item);
          return { ...shown, text: distinguished(shown.text, apart(item)) };
        },
      };
    }),
    lateColumns: () => lateColumns,
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

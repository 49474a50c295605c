import type { Candidate, FieldMeaning, Offer } from "./words.ts";

/** The operators of `--where`, and what they need. */
const OPERATORS: readonly (readonly [operator: string, summary: string, of: "any" | "text" | "number"])[] = [
  ["=", "is one of these, e.g. a,b", "any"],
  ["!=", "is none of these, e.g. a,b", "any"],
  ["~", "contains this, in any case", "text"],
  ["<", "is less than this", "number"],
  ["<=", "is at most this", "number"],
  [">", "is more than this", "number"],
  [">=", "is at least this", "number"],
];

/**
 * Completes a condition of `--where`: its field, then the operator, and then the value if there are only a few.
 * @param meaningOf returns what is known about a field
 */
export function offerCondition(
  fields: readonly string[],
  meaningOf: (field: string) => FieldMeaning | undefined,
  begun: string,
): Offer {
  const [, not = "", typed = "", operator] = /^(!?)([\w.-]*)(!=|=)?/.exec(begun) ?? [];
  if (operator !== undefined) return values(begun, typed + operator, meaningOf(typed)?.values ?? []);
  const named = fields.map((field): Candidate => ({ word: not + field, ...summaryOf(meaningOf(field)) }));
  if (not !== "" || !fields.includes(typed)) return { kind: "open", candidates: named };
  const operators = operatorsFor(meaningOf(typed)).map(([sign, summary]) => ({ word: typed + sign, summary }));
  return { kind: "open", candidates: [...named, ...operators] };
}

function summaryOf(meaning: FieldMeaning | undefined): { summary?: string } {
  return meaning ? { summary: meaning.about } : {};
}

function operatorsFor(meaning: FieldMeaning | undefined): typeof OPERATORS {
  const is = meaning?.values ? "any" : meaning?.is;
  return OPERATORS.filter(([, , of]) => is === undefined || of === "any" || of === is);
}

/** Completes `state=active,pau` with each value that is not in the list yet. */
function values(begun: string, before: string, known: readonly string[]): Offer {
  const last = Math.max(begun.lastIndexOf(",") + 1, before.length);
  const taken = begun.slice(before.length, last).split(",");
  const left = known.filter((value) => !taken.includes(value));
  return { kind: "words", candidates: left.map((value) => ({ word: begun.slice(0, last) + value })) };
}

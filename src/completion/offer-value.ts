import type { NetworkKind } from "../contract/network-kind.ts";
import type { TypedLine } from "./typed-line.ts";
import type { Candidate, FieldMeaning, LiveKind, Offer, PolicyWords, Value, Words } from "./words.ts";

const OPERATORS: readonly (readonly [operator: string, summary: string, of: "any" | "text" | "number"])[] = [
  ["=", "is one of these, e.g. a,b", "any"],
  ["!=", "is none of these, e.g. a,b", "any"],
  ["~", "contains this, in any case", "text"],
  ["<", "is less than this", "number"],
  ["<=", "is at most this", "number"],
  [">", "is more than this", "number"],
  [">=", "is at least this", "number"],
];

/** Completes a condition of `--where`: its field, the operator, and one of few values. */
function offerCondition(begun: string, place: ValuePlace): Offer {
  const [, not = "", typed = "", operator] = /^(!?)([\w.-]*)(!=|=)?/.exec(begun) ?? [];
  const fields = fieldsOf(place);
  const meaning = findMeaning(typed, place);
  if (operator !== undefined)
    return closedOffer(unusedWords(begun, wordsAsCandidates(meaning?.values), (typed + operator).length));
  const named = describeFields(fields, not, place);
  if (not !== "" || !fields.includes(typed)) return openOffer(named);
  return openOffer([...named, ...operatorsFor(meaning).map(([sign, summary]) => ({ word: typed + sign, summary }))]);
}

function operatorsFor(meaning: FieldMeaning | undefined): typeof OPERATORS {
  const is = meaning?.values ? "any" : meaning?.is;
  return OPERATORS.filter(([, , of]) => is === undefined || of === "any" || of === is);
}

/** Completes `eu,us` with each unused word. @param from where its words begin */
function unusedWords(begun: string, known: readonly Candidate[], from = 0): Candidate[] {
  const last = Math.max(begun.lastIndexOf(",") + 1, from);
  const taken = begun.slice(from, last).split(",");
  const left = known.filter(({ word }) => !taken.includes(word));
  return left.map(({ word, ...others }) => ({ ...others, word: begun.slice(0, last) + word }));
}

function wordsAsCandidates(words: readonly string[] = []): Candidate[] {
  return words.map((word) => ({ word }));
}

/** Provides words that the program does not know; empty if they can't be read. */
export interface Sources {
  contexts(): Promise<readonly Candidate[]>;
  /** @param kind the network type (default: all) */
  labels(kind?: NetworkKind): Promise<readonly Candidate[]>;
  /** @param relayer of transactions; otherwise empty */
  live(kind: LiveKind, line: TypedLine, relayer: string): Promise<readonly Candidate[]>;
}

export interface ValuePlace {
  words: Words;
  line: TypedLine;
  sources: Sources;
}

export async function offerValue(value: Value, begun: string, place: ValuePlace): Promise<Offer> {
  const { words, line, sources } = place;
  switch (value) {
    case "text":
      return closedOffer([]);
    case "file":
      return { kind: "files", candidates: [] };
    case "context":
      return (begun.includes(",") ? openOffer : closedOffer)(unusedWords(begun, await sources.contexts()));
    case "label":
      return closedOffer(await sources.labels());
    case "evm label":
      return closedOffer(withAt(await sources.labels("evm")));
    case "stellar label":
      return closedOffer(withAt(await sources.labels("stellar")));
    case "fields":
      return openOffer(unusedWords(begun, describeFields(fieldsOf(place), "", place)));
    case "order":
      return closedOffer(describeFields(fieldsOf(place), begun.startsWith("-") ? "-" : "", place));
    case "condition":
      return offerCondition(begun, place);
    case "policy key":
      return closedOffer(words.policies.map(({ key, summary }) => ({ word: key, summary })));
    case "policy":
      return policyPair(words.policies, begun);
    case "relayer":
    case "notification":
    case "signer":
    case "network":
    case "plugin":
      return closedOffer(await sources.live(value, line, ""));
    case "transaction":
    case "pending-transaction":
      return closedOffer(await offerTransactions(value, place));
    default:
      return closedOffer(wordsAsCandidates(value));
  }
}

function withAt(labels: readonly Candidate[]): Candidate[] {
  return labels.map((label) => ({ ...label, word: `@${label.word}` }));
}

async function offerTransactions(kind: LiveKind, { line, sources }: ValuePlace): Promise<readonly Candidate[]> {
  const [relayer = "-"] = line.args;
  return relayer === "-" || relayer === "" ? [] : await sources.live(kind, line, relayer);
}

function closedOffer(candidates: readonly Candidate[]): Offer {
  return { kind: "words", candidates };
}

function openOffer(candidates: readonly Candidate[]): Offer {
  return { kind: "open", candidates };
}

function fieldsOf({ words, line }: ValuePlace): readonly string[] {
  return words.fields[line.command?.resource ?? ""] ?? [];
}

function findMeaning(field: string, { words, line }: ValuePlace): FieldMeaning | undefined {
  return words.meanings[line.command?.resource ?? ""]?.[field];
}

function describeFields(fields: readonly string[], before: string, place: ValuePlace): Candidate[] {
  return fields.map((field) => {
    const summary = findMeaning(field, place)?.about;
    return { word: before + field, ...(summary !== undefined && { summary }) };
  });
}

/** Completes `key=`, and then the value if there are only a few. */
function policyPair(policies: readonly PolicyWords[], begun: string): Offer {
  if (!begun.includes("=")) return openOffer(policies.map(({ key, summary }) => ({ word: `${key}=`, summary })));
  const chosen = policies.find(({ key }) => begun.startsWith(`${key}=`));
  return closedOffer(wordsAsCandidates(chosen?.values.map((value) => `${chosen.key}=${value}`)));
}

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

/** Completes a condition of `--where`: its field, the operator, and one of few values. @param meaningOf of a field */
function offerCondition(
  fields: readonly string[],
  meaningOf: (field: string) => FieldMeaning | undefined,
  begun: string,
): Offer {
  const [, not = "", typed = "", operator] = /^(!?)([\w.-]*)(!=|=)?/.exec(begun) ?? [];
  if (operator !== undefined) return values(begun, typed + operator, meaningOf(typed)?.values ?? []);
  const named = fields.map((field): Candidate => ({ word: not + field, ...buildSummary(meaningOf(field)) }));
  if (not !== "" || !fields.includes(typed)) return { kind: "open", candidates: named };
  const operators = operatorsFor(meaningOf(typed)).map(([sign, summary]) => ({ word: typed + sign, summary }));
  return { kind: "open", candidates: [...named, ...operators] };
}

function buildSummary(meaning: FieldMeaning | undefined): { summary?: string } {
  return meaning ? { summary: meaning.about } : {};
}

function operatorsFor(meaning: FieldMeaning | undefined): typeof OPERATORS {
  const is = meaning?.values ? "any" : meaning?.is;
  return OPERATORS.filter(([, , of]) => is === undefined || of === "any" || of === is);
}

/** Completes `state=active,pau` with each unused value. */
function values(begun: string, before: string, known: readonly string[]): Offer {
  const last = Math.max(begun.lastIndexOf(",") + 1, before.length);
  const taken = begun.slice(before.length, last).split(",");
  const left = known.filter((value) => !taken.includes(value));
  return { kind: "words", candidates: left.map((value) => ({ word: begun.slice(0, last) + value })) };
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
      return closed([]);
    case "file":
      return { kind: "files", candidates: [] };
    case "context":
      return contextsAfter(begun, await sources.contexts());
    case "label":
      return closed(await sources.labels());
    case "evm label":
      return closed(withAt(await sources.labels("evm")));
    case "stellar label":
      return closed(withAt(await sources.labels("stellar")));
    case "fields":
      return open(listed(begun, place));
    case "order":
      return closed(described(listFields(place), begun.startsWith("-") ? "-" : "", place));
    case "condition":
      return offerCondition(listFields(place), (field) => findMeaning(field, place), begun);
    case "policy key":
      return closed(words.policies.map(({ key, summary }) => ({ word: key, summary })));
    case "policy":
      return policyPair(words.policies, begun);
    case "relayer":
    case "notification":
    case "signer":
    case "network":
    case "plugin":
      return closed(await sources.live(value, line, ""));
    case "transaction":
    case "pending-transaction":
      return closed(await transactions(value, place));
    default:
      return closed(value.map((word) => ({ word })));
  }
}

function withAt(labels: readonly Candidate[]): Candidate[] {
  return labels.map((label) => ({ ...label, word: `@${label.word}` }));
}

async function transactions(kind: LiveKind, { line, sources }: ValuePlace): Promise<readonly Candidate[]> {
  const [relayer = "-"] = line.args;
  return relayer === "-" || relayer === "" ? [] : await sources.live(kind, line, relayer);
}

function closed(candidates: readonly Candidate[]): Offer {
  return { kind: "words", candidates };
}

function open(candidates: readonly Candidate[]): Offer {
  return { kind: "open", candidates };
}

function listFields({ words, line }: ValuePlace): readonly string[] {
  return words.fields[line.command?.resource ?? ""] ?? [];
}

function findMeaning(field: string, { words, line }: ValuePlace): FieldMeaning | undefined {
  return words.meanings[line.command?.resource ?? ""]?.[field];
}

/** Completes a context, and `eu,` with each unused one. */
function contextsAfter(begun: string, contexts: readonly Candidate[]): Offer {
  const before = begun.slice(0, begun.lastIndexOf(",") + 1);
  if (before === "") return closed(contexts);
  const taken = before.split(",");
  const left = contexts.filter(({ word }) => !taken.includes(word));
  return open(left.map(({ word, ...context }) => ({ ...context, word: before + word })));
}

/** Completes `id,na` with each unused name. */
function listed(begun: string, place: ValuePlace): Candidate[] {
  const before = begun.slice(0, begun.lastIndexOf(",") + 1);
  const taken = before.split(",");
  const left = listFields(place).filter((name) => !taken.includes(name));
  return described(left, before, place);
}

function described(fields: readonly string[], before: string, place: ValuePlace): Candidate[] {
  return fields.map((field) => {
    const summary = findMeaning(field, place)?.about;
    return { word: before + field, ...(summary !== undefined && { summary }) };
  });
}

/** Completes `key=`, and then the value if there are only a few. */
function policyPair(policies: readonly PolicyWords[], begun: string): Offer {
  if (!begun.includes("=")) return open(policies.map(({ key, summary }) => ({ word: `${key}=`, summary })));
  const chosen = policies.find(({ key }) => begun.startsWith(`${key}=`));
  return closed((chosen?.values ?? []).map((value) => ({ word: `${chosen?.key}=${value}` })));
}

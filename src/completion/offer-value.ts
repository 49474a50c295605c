import type { Candidate, Offer } from "./offer.ts";
import type { TypedLine } from "./typed-line.ts";
import type { LiveKind, PolicyWords, Value, Words } from "./words.ts";

/** Where words come from that the program itself does not know. What cannot be read is an empty list. */
export interface Sources {
  contexts(): Promise<readonly Candidate[]>;
  /** @param relayer whose transactions are asked for; else empty */
  live(kind: LiveKind, line: TypedLine, relayer: string): Promise<readonly Candidate[]>;
}

export interface Place {
  words: Words;
  line: TypedLine;
  sources: Sources;
}

/**
 * What a value may be.
 * @param begun what is typed of it
 */
export async function offerValue(value: Value, begun: string, place: Place): Promise<Offer> {
  const { words, line, sources } = place;
  switch (value) {
    case "text":
      return closed([]);
    case "file":
      return { kind: "files", candidates: [] };
    case "context":
      return closed(await sources.contexts());
    case "fields":
      return open(listed(fieldsOf(place), begun));
    case "order":
      return closed(fieldsOf(place).map((field) => ({ word: begun.startsWith("-") ? `-${field}` : field })));
    case "condition":
      return open(fieldsOf(place).map((field) => ({ word: begun.startsWith("!") ? `!${field}` : field })));
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

/** Of the relayer that is typed before; one that is read from stdin is not known yet. */
async function transactions(kind: LiveKind, { line, sources }: Place): Promise<readonly Candidate[]> {
  const [relayer = "-"] = line.args;
  return relayer === "-" || relayer === "" ? [] : await sources.live(kind, line, relayer);
}

function closed(candidates: readonly Candidate[]): Offer {
  return { kind: "words", candidates };
}

function open(candidates: readonly Candidate[]): Offer {
  return { kind: "open", candidates };
}

function fieldsOf({ words, line }: Place): readonly string[] {
  return words.fields[line.command?.resource ?? ""] ?? [];
}

/** `id,na` is followed by each name that the list does not have yet. */
function listed(names: readonly string[], begun: string): Candidate[] {
  const before = begun.slice(0, begun.lastIndexOf(",") + 1);
  const taken = before.split(",");
  return names.filter((name) => !taken.includes(name)).map((name) => ({ word: before + name }));
}

/** `key=`, and after it the value, where there are only a few. */
function policyPair(policies: readonly PolicyWords[], begun: string): Offer {
  if (!begun.includes("=")) return open(policies.map(({ key, summary }) => ({ word: `${key}=`, summary })));
  const chosen = policies.find(({ key }) => begun.startsWith(`${key}=`));
  return closed((chosen?.values ?? []).map((value) => ({ word: `${chosen?.key}=${value}` })));
}

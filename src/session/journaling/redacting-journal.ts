import { isJsonObject, type JsonObject, type JsonValue, writeJson } from "../../contract/json.ts";
import { type Masked, markMasked } from "../../contract/secret-fields.ts";
import { RelayctlError } from "../../errors.ts";
import {
  type Entry,
  type Intent,
  type Journal,
  journalEntryJson,
  type MaskedJournal,
  type WriteOutcome,
} from "../../journal/journal.ts";

/** Adds to an entry the names of its masked members: an undo must not restore a masked value. */
export function withRedactedMembers<T extends Entry>(
  entry: T,
  values: Readonly<Partial<Record<"body" | "before" | "after", unknown>>>,
): T {
  const found = Object.entries(values).flatMap(([part, value]) =>
    differingPaths((entry as JsonObject)[part], value as JsonValue | undefined),
  );
  const masked = [...new Set([...(entry.masked ?? []), ...found])];
  return masked.length === 0 ? entry : { ...entry, masked };
}

function differingPaths(recorded: JsonValue | undefined, value: JsonValue | undefined): string[] {
  if (!isJsonObject(recorded) || !isJsonObject(value)) return [];
  return Object.keys(recorded).filter(
    (name) => recorded[name] !== value[name] && jsonText(recorded[name]) !== jsonText(value[name]),
  );
}

function jsonText(value: JsonValue | undefined): string {
  return writeJson(value ?? null);
}

/** Returns a journal whose entries contain no text that this program must not print, no matter who appends them. */
export function redactingJournal(journal: MaskedJournal, redact: (text: string) => string): Journal {
  return {
    ...journal,
    async append(entry, options) {
      const json = journalEntryJson(entry);
      // Without escapes, each text is literal. Few entries contain a secret.
      const isClean = !json.includes("\\") && redact(json) === json;
      if (isClean) return await journal.append(markMasked(entry), { ...options, json });
      return await journal.append(redactEntry(entry, redact), options);
    },
  };
}

/** @throws RelayctlError io for a payment that could not be recognized later, and would then be sent again */
function redactEntry(entry: Entry, redact: (text: string) => string): Masked<Entry> {
  const { body, before, after, once, payment, payments } = entry as Partial<Omit<Intent, "type"> & WriteOutcome>;
  const redacted = withTexts(entry, redact);
  // A run that another journal keeps is only noted: it is recognized without the path of that journal.
  const isPaid = payments?.keptIn === undefined && (once ?? payment ?? payments) !== undefined;
  const [hidden] = isPaid ? differingPaths(redacted, entry).filter((name) => IDENTIFYING.includes(name)) : [];
  if (hidden !== undefined)
    throw new RelayctlError("io", `it hides secrets, and "${hidden}" of the payment contains one, e.g. of a header`);
  return markMasked(withRedactedMembers(redacted, { body, before, after }));
}

/** What a payment is recognized by. */
const IDENTIFYING = ["once", "server", "ids", "body", "payments"];

export function withTexts<T extends Entry>(entry: T, change: (text: string) => string, members?: readonly string[]): T {
  const changed = Object.entries(entry).map(([name, value]) => {
    return [name, members?.includes(name) === false ? value : changedTexts(value, change)];
  });
  return Object.fromEntries(changed) as T;
}

function changedTexts(value: JsonValue, change: (text: string) => string): JsonValue {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((item) => changedTexts(item, change));
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(([name, member]) => [change(name), changedTexts(member, change)]);
  return Object.fromEntries(entries) as JsonObject;
}

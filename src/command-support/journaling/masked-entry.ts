import { createSecrets } from "../../config/token/secrets.ts";
import type { Entry } from "../../journal/entry.ts";
import { withTexts } from "./redacting-journal.ts";

/** The members of an entry that quote what was typed, sent, or received. The others identify the write. */
const QUOTING = ["command", "reason", "body", "before", "message", "after"];

/**
 * Returns an entry in which nothing quotes these secrets of bodies or resources, e.g. an error message of the service.
 * Everything that is masked by its place is masked already.
 */
export function withoutSecrets<T extends Entry>(texts: readonly string[], entry: T): T {
  if (texts.length === 0) return entry;
  const secrets = createSecrets();
  for (const text of texts) secrets.add(text);
  return withTexts(entry, (text) => secrets.redact(text), QUOTING);
}

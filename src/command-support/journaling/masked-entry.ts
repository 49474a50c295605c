import { createSecrets } from "../../config/token/secrets.ts";
import type { JsonValue } from "../../contract/json.ts";
import type { Entry } from "../../journal/entry.ts";
import { secretTextsIn } from "./masked-body.ts";
import { withTexts } from "./redacting-journal.ts";

/** The members of an entry that quote what was typed, sent, or received. The others identify the write. */
const QUOTING = ["command", "reason", "body", "before", "message", "after"];

/**
 * Returns an entry in which nothing quotes a secret of these bodies or resources, e.g. an error message of the service.
 * Everything that is masked by its place is masked already.
 */
export function withoutSecretsOf<T extends Entry>(sources: readonly (JsonValue | undefined)[], entry: T): T {
  const texts = sources.flatMap((source) => (source === undefined ? [] : secretTextsIn(source)));
  if (texts.length === 0) return entry;
  const secrets = createSecrets();
  for (const text of texts) secrets.add(text);
  return withTexts(entry, (text) => secrets.redact(text), QUOTING);
}

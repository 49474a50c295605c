import { shownOrigin } from "../config/connection/origin.ts";
import { contextNameProblem } from "../config/contexts.ts";
import { isJsonObject, objectIn, parseJson } from "../contract/json.ts";
import type { Candidate } from "./words.ts";

/** Returns the names of the contexts in `config.json`, each with its server. Its problems are not reported here. */
export function contextCandidates(text: string | undefined): Candidate[] {
  const config = text === undefined ? null : parseJson(text);
  const contexts = objectIn(objectIn(config).contexts);
  return Object.entries(contexts).flatMap(([word, context]) =>
    contextNameProblem(word) === undefined && isJsonObject(context)
      ? [{ word, ...(typeof context.server === "string" ? { summary: shownOrigin(context.server) } : {}) }]
      : [],
  );
}

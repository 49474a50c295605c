import { shownServer } from "../config/connection/origin.ts";
import { contextNameProblem } from "../config/contexts.ts";
import { isJsonObject, type JsonObject, parseJson } from "../contract/json.ts";
import type { Candidate } from "./words.ts";

/** Returns the names of the contexts in `config.json`, each with its server. Its problems are not reported here. */
export function contextCandidates(text: string | undefined): Candidate[] {
  const config = text === undefined ? null : parseJson(text);
  const contexts = isJsonObject(config) && isJsonObject(config.contexts) ? config.contexts : {};
  return Object.entries(contexts).flatMap(([word, context]) =>
    contextNameProblem(word) === undefined && isJsonObject(context) ? [{ word, ...buildServer(context) }] : [],
  );
}

function buildServer({ server }: JsonObject): { summary?: string } {
  return typeof server === "string" ? { summary: shownServer(server) } : {};
}

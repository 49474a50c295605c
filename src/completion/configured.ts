import { shownOrigin } from "../config/connection/origin.ts";
import { contextNameProblem } from "../config/contexts.ts";
import { labelProblem } from "../config/labels.ts";
import { isJsonObject, type JsonObject, objectIn, parseJson } from "../contract/json.ts";
import { NETWORK_KINDS, type NetworkKind } from "../contract/network-kind.ts";
import type { Candidate } from "./words.ts";

/** Returns the names of the contexts in `config.json`, each with its server. Its problems are not reported here. */
export function contextCandidates(text: string | undefined): Candidate[] {
  return Object.entries(memberIn(text, "contexts")).flatMap(([word, context]) =>
    contextNameProblem(word) === undefined && isJsonObject(context)
      ? [{ word, ...(typeof context.server === "string" ? { summary: shownOrigin(context.server) } : {}) }]
      : [],
  );
}

/** Returns the labels in the text of `config.json`, each with its address. */
export function labelCandidates(text: string | undefined, kinds: readonly NetworkKind[] = NETWORK_KINDS): Candidate[] {
  const labels = memberIn(text, "labels");
  const addresses = kinds.flatMap((kind) => Object.entries(objectIn(labels[kind])));
  return addresses.flatMap(([word, address]) =>
    labelProblem(word) === undefined && typeof address === "string" ? [{ word, summary: address }] : [],
  );
}

function memberIn(text: string | undefined, name: string): JsonObject {
  return objectIn(objectIn(text === undefined ? null : parseJson(text))[name]);
}

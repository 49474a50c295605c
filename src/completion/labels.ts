import { labelProblem } from "../config/labels.ts";
import { type JsonObject, objectIn, parseJson } from "../contract/json.ts";
import { NETWORK_KINDS, type NetworkKind } from "../contract/network-kind.ts";
import type { Candidate } from "./words.ts";

/** Returns the labels in the text of `config.json`, each with its address. Problems with the file are not reported here. */
export function labelCandidates(text: string | undefined, kinds: readonly NetworkKind[] = NETWORK_KINDS): Candidate[] {
  const config = text === undefined ? null : parseJson(text);
  const labels = objectIn(objectIn(config).labels);
  return kinds.flatMap((kind) => candidatesIn(labels[kind] ?? null));
}

function candidatesIn(addresses: JsonObject[string]): Candidate[] {
  return Object.entries(objectIn(addresses)).flatMap(([word, address]) =>
    labelProblem(word) === undefined && typeof address === "string" ? [{ word, summary: address }] : [],
  );
}

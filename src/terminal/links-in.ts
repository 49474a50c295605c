import { type ExploredWord, exploredWords, pageOfWord } from "../contract/explored-words.ts";
import { explorerUrl } from "../contract/explorer-url.ts";
import type { JsonValue } from "../contract/json.ts";
import type { Links } from "./links.ts";

export function linksIn(value: JsonValue, { places }: Pick<Links, "places">, context?: string): Links["words"] {
  const words: Links["words"] = new Map();
  for (const found of exploredWords(value, context)) addWord(words, found, places.get(found.place));
  return words;
}

function addWord(words: Links["words"], found: ExploredWord, place: { kind: string; explorer: string } | undefined) {
  const page = place && pageOfWord(found, place.kind);
  const url = page && explorerUrl({ network_type: place.kind, explorer_urls: [place.explorer] }, page);
  if (url === undefined) return;
  const word = page && "block" in page ? `block ${found.text}` : found.text;
  words.set(word, words.has(word) && words.get(word) !== url ? undefined : url);
}

export function addLinks(links: Links, value: JsonValue, context?: string): void {
  for (const [word, url] of linksIn(value, links, context))
    links.words.set(word, links.words.has(word) && links.words.get(word) !== url ? undefined : url);
}

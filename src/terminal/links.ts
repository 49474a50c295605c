export interface Links {
  /** By word, or `block 100`; undefined for a word of several networks. */
  words: Map<string, string | undefined>;
  /** The kind and explorer of networks and relayers, by the keys of explored words. */
  places: Map<string, { kind: string; explorer: string }>;
}

/** Drawn colors and links, and words; the word before a block identifies it. */
const TOKENS =
  /\u001b\]8;;[^\u001b]+\u001b\\.*?\u001b\]8;;\u001b\\|\u001b\[[0-9;]*m|block(?:\u001b\[[0-9;]*m| )+[0-9]+\b|[0-9A-Za-z]{32,}/g;
const BLOCK = /^(block.*?)([0-9]+)$/;

export function withLinks(drawn: string, words: ReadonlyMap<string, string | undefined>): string {
  if (words.size === 0) return drawn;
  return drawn.replace(TOKENS, (token) => {
    if (token.startsWith("\u001b")) return token;
    const [, lead = "", number] = BLOCK.exec(token) ?? [];
    const url = words.get(number === undefined ? token : `block ${number}`);
    return url === undefined ? token : lead + `\u001b]8;;${url}\u001b\\${number ?? token}\u001b]8;;\u001b\\`;
  });
}

/** Returns a text without its links, for a pager, which may not show them. */
export function withoutLinks(text: string): string {
  return text.replaceAll(/\u001b\]8;;[\x21-\x7e]*\u001b\\/g, "");
}

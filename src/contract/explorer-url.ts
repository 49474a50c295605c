import type { JsonValue } from "./json.ts";

/** Longer URLs are not linked. */
const MOST_CHARACTERS = 2000;

/**
 * Returns the page of a transaction in the first explorer of a network for users; undefined if there is none. Explorers
 * are listed next to their APIs (facts 8.2), and a service may return anything: only plain http and https URLs count.
 * @param hash a hash, or a signature
 */
export function explorerUrl(explorers: JsonValue | undefined, hash: string): string | undefined {
  if (!Array.isArray(explorers) || !/^[0-9A-Za-z]+$/.test(hash)) return undefined;
  const pages = explorers.map(pageUrl).filter((url) => url !== undefined);
  const page = pages.find((url) => !isApi(url)) ?? pages[0];
  if (!page) return undefined;
  page.pathname = `${page.pathname.replace(/\/+$/, "")}/tx/${hash}`;
  const { href } = page;
  return href.length <= MOST_CHARACTERS && /^[\x21-\x7e]+$/.test(href) ? href : undefined;
}

function pageUrl(text: JsonValue): URL | undefined {
  // A parser removes some control characters, and then the URL is not the one that was returned.
  if (typeof text !== "string" || /[\s\p{C}]/u.test(text) || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  return ["http:", "https:"].includes(url.protocol) && url.username === "" && url.password === "" ? url : undefined;
}

function isApi({ hostname, pathname }: URL): boolean {
  return /^api[.-]/.test(hostname) || /\/api(\/|$)/.test(pathname);
}

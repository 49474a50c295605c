/** Matches reserved names (RFC 2606), as in the demo's notifications: nothing is ever sent there. */
const RESERVED = /(?:^|\.)(?:example(?:\.(?:com|net|org))?|test|invalid)$/;

export function isReserved(url: string): boolean {
  return URL.canParse(url) && RESERVED.test(new URL(url).hostname);
}

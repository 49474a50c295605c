/** Names that belong to nobody (RFC 2606), as those of the story's notifications: nothing is ever sent there. */
const RESERVED = /(?:^|\.)(?:example(?:\.(?:com|net|org))?|test|invalid)$/;

export function isReserved(url: string): boolean {
  return URL.canParse(url) && RESERVED.test(new URL(url).hostname);
}

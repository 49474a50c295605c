/** The members whose names do not end in a word that says so. */
const IDENTIFIERS = ["from", "to", "signature", "signer", "source_account", "public_key"];
const IDENTIFYING = /(?:^|_)(?:id|address|hash)$/;

/**
 * Whether the member at a dotted path holds an id, an address, or a hash: part of one is worse than none, since two of them
 * may begin alike.
 */
export function holdsIdentifier(path: string): boolean {
  const name = path.slice(path.lastIndexOf(".") + 1);
  return IDENTIFYING.test(name) || IDENTIFIERS.includes(name);
}

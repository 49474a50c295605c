/** Identifier fields whose names do not end in a word that shows it. */
const IDENTIFIERS = ["from", "to", "signature", "signer", "source_account", "public_key"];
const IDENTIFYING = /(?:^|_)(?:id|address|hash)$/;

/**
 * Returns whether the field at a dotted path contains an ID, an address, or a hash: part of one is worse than none,
 * since two may begin alike.
 */
export function holdsIdentifier(path: string): boolean {
  const name = path.slice(path.lastIndexOf(".") + 1);
  return IDENTIFYING.test(name) || IDENTIFIERS.includes(name);
}

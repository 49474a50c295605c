/** Words of member names that mark a secret wherever they stand, e.g. in `webhookSecret` or `access_token_id`. */
const WORDS =
  /(?:^|_)(?:secrets?|passw(?:or)?ds?|pwd|passphrases?|mnemonics?|seed_?phrases?|tokens?|jwts?|authorization|bearer|cookies?|credentials?|pem|api_?keys?|(?:private|priv|signing|access|secret|session|encryption|master|auth|account)_?keys?)(?:_|$)/;

/** Matches names that mark a secret only as a whole. */
const WHOLE = /^(?:keys?|pin|seed|pass|auth)$/;

/** Matches names that only look like those of secrets: they are about coins. */
const PUBLIC = /^(?:fee_token|allowed_tokens|max_allowed_token_lamports)$/;

/** Matches names that need no other spelling, as nearly all do. */
const SPELLED = /^[a-z0-9]+(?:_[a-z0-9]+)*$/;

/** Returns whether a member or a parameter of this name, in any spelling, has to be taken for a secret. */
export function isSecretName(name: string): boolean {
  const spelled = SPELLED.test(name) ? name : spelledName(name);
  return !PUBLIC.test(spelled) && (WORDS.test(spelled) || WHOLE.test(spelled));
}

function spelledName(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1_$2")
    .replace(/[^A-Za-z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "")
    .toLowerCase();
}

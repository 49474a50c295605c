import { MASK, secretRpcUrlParts } from "../../contract/rpc-url.ts";

/** Words of member names that mark a secret wherever they stand, e.g. in `webhookSecret` or `access_token_id`. */
const WORDS =
  /(?:^|_)(?:secrets?|passw(?:or)?ds?|pwd|passphrases?|mnemonics?|seed_?phrases?|tokens?|jwts?|authorization|bearer|cookies?|credentials?|pem|api_?keys?|(?:private|priv|signing|access|secret|session|encryption|master|auth|account)_?keys?)(?:_|$)/;

/** Matches names that mark a secret only as a whole. */
const WHOLE = /^(?:keys?|pin|seed|pass|auth)$/;

/** Matches names about coins, which only look like names of secrets. */
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

/** Matches a URL up to a space. A quote ends it too, unless the URL continues after the quote. */
const URL_IN_TEXT = /([a-z][a-z0-9+.-]*:\/\/)((?:[^\s"'`]|["'`](?=\w))+)/gi;
/** What follows a URL in a shell or a sentence: an RPC URL's weight, or punctuation. */
const AFTER_URL = /(?:,weight=\d+|[.,:;!?)\]}]+)$/;

/** A fast test, since few texts of a bulk run contain one. */
function mayContainUrl(text: string): boolean {
  return text.includes("://");
}

/** Returns a text with the user-info and the path of each URL masked, which often contain a key. */
export function maskUrlPaths(text: string): string {
  if (!mayContainUrl(text)) return text;
  return text.replace(URL_IN_TEXT, (_, scheme: string, rest: string) => {
    const [after = ""] = AFTER_URL.exec(rest) ?? [];
    return scheme + maskedRest(rest.slice(0, rest.length - after.length)) + after;
  });
}

/** Masks URLs in a text that may contain a secret, as most webhook URLs do. */
export function maskUrlSecrets(text: string): string {
  if (!mayContainUrl(text)) return text;
  return text.replace(URL_IN_TEXT, (url: string) => (mayBeSecret(url) ? maskUrlPaths(url) : url));
}

/** Returns a whole URL without spaces, which would end it in a text. */
export function maskedUrlWithoutSpaces(value: string): string {
  return /^(?:--?[\w-]+=)?[a-z][a-z0-9+.-]*:\/\//i.test(value) ? value.replace(/\s/g, "+") : value;
}

/** Masks user-info too, so that the text shows that something is missing. */
function maskedRest(rest: string): string {
  const [, authority = "", path = ""] = /^([^/?#]*)(.*)$/s.exec(rest) ?? [];
  const at = authority.lastIndexOf("@");
  const host = at < 0 ? authority : `${MASK}@${authority.slice(at + 1)}`;
  if (path === "" || path === "/") return host + path;
  return `${host}${path.startsWith("/") ? "/" : path[0]}${MASK}`;
}

function mayBeSecret(url: string): boolean {
  return /[?#@]/.test(url) || !URL.canParse(url) || keyParts(url).length > 0;
}

/** Returns the possibly secret parts of all valid URLs in a text. */
export function urlSecretsIn(text: string): string[] {
  if (!mayContainUrl(text)) return [];
  return [...text.matchAll(URL_IN_TEXT)].flatMap(([url]) => keyParts(url));
}

/** The shortest part of a URL that counts as a key where most URLs have none. */
const SHORTEST_KEY = 16;

function keyParts(url: string): string[] {
  return secretRpcUrlParts(url, SHORTEST_KEY);
}

const USER_INFO = /(^|[\s=])[^\s/@:=]+:[^\s/@]+@(?=[\w[])/g;
const CREDENTIALS = /\b(bearer|basic)(\s+)[\w.~+/=-]{6,}/gi;

/** Masks secrets in a text: in URLs, as credentials, or as `name=value`. */
export function maskText(text: string): string {
  const masked = maskUrlPaths(text).replace(USER_INFO, `$1${MASK}@`).replace(CREDENTIALS, `$1$2${MASK}`);
  return masked.replace(/[^\s&?#]+/g, maskedPair);
}

export function maskedTarget(target: string): string {
  return target.replace(/[^&?]+/g, maskedPair);
}

function maskedPair(pair: string): string {
  const parts = pair.split("=");
  const name = parts.findIndex((part, index) => index < parts.length - 1 && isSecretName(part));
  if (name < 0 || /-file$/.test(parts[name] ?? "")) return pair;
  return [...parts.slice(0, name + 1), MASK].join("=");
}

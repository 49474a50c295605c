import { copyJsonObject, isJsonObject, type JsonObject, type JsonValue } from "./json.ts";
import { rpcUrlsIn, secretRpcUrlParts } from "./rpc-url.ts";

declare const masked: unique symbol;

/** A value without secrets, which may leave this process. Only `Secrets` returns one, and `markMasked`. */
export type Masked<T> = T & { readonly [masked]: true };

/** Returns a value as masked. `test/layers.test.ts` lists who may do so, and why. */
export function markMasked<T>(value: T): Masked<T> {
  return value as Masked<T>;
}

/** The texts that must never leave this process: tokens, keys, parts of URLs. Code that learns a secret adds it. */
export interface Secrets {
  add(secret: string): void;
  /** Adds the possible secrets in a response's RPC URLs, up to a limit. */
  learn(body: Uint8Array): void;
  /** Masks secrets in a value's texts before it is encoded; returns the value itself without any. */
  masked<T>(value: T): Masked<T>;
  /** Returns a text with every known secret replaced, even in encoded texts: the last net. */
  redact(text: string): Masked<string>;
  /** Returns false if a text or bytes contain no secret in any form. Faster than masking. */
  mayOccurIn(chunk: string | Uint8Array): boolean;
}

/** Stands for a secret in every output. */
export const REDACTED = "‹redacted›";

export const REDACTED_RULE = `${REDACTED} stands for a secret that relayctl left out: write the value`;

/** The paths of secrets in a request body: a notification's signing key, and the secrets of a signer (facts 8.1). */
const SECRET_PATHS = [
  "signing_key",
  "config.key",
  "config.client_secret",
  "config.role_id",
  "config.secret_id",
  "config.api_private_key",
  "config.api_key_secret",
  "config.wallet_secret",
  "config.service_account.private_key",
  "config.service_account.private_key_id",
  "config.service_account.client_email",
];

/** Returns whether the value at a dotted path of a body must never be printed. */
export function isSecretFieldPath(path: string): boolean {
  return SECRET_PATHS.includes(path);
}

export function secretFieldsIn(body: JsonValue | undefined): string[] {
  const found = isJsonObject(body) ? rpcUrlsIn(body).flatMap((url) => secretRpcUrlParts(url)) : [];
  const find = (secret: string) => {
    found.push(secret);
    return secret;
  };
  if (isJsonObject(body)) withSecretFields(body, find);
  return found;
}

/** Returns the body with other texts for its secrets. @param replace called with the secret and its dotted path */
export function withSecretFields(body: JsonObject, replace: (secret: string, path: string) => string): JsonObject {
  return SECRET_PATHS.reduce((changed, path) => {
    return changedAt(changed, path.split("."), (secret) => replace(secret, path));
  }, body);
}

function changedAt(
  body: JsonObject,
  [head = "", ...rest]: readonly string[],
  change: (text: string) => string,
): JsonObject {
  const value = body[head];
  if (rest.length > 0) return isJsonObject(value) ? withField(body, head, changedAt(value, rest, change)) : body;
  return typeof value === "string" && value !== "" ? withField(body, head, change(value)) : body;
}

function withField(body: JsonObject, name: string, value: JsonValue): JsonObject {
  return Object.assign(copyJsonObject(body), { [name]: value });
}

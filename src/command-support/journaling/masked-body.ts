import { isJsonObject, type JsonObject, type JsonValue } from "../../contract/json.ts";
import { withMaskedRpcUrls } from "../../contract/rpc-url.ts";
import { secretsIn, withSecrets } from "../../contract/secret-fields.ts";
import type { Journal } from "../../journal/journal.ts";

/** Names of members that hold a secret wherever they stand, in snake case. */
const SECRET_NAME =
  /(?:^|_)(?:secret|password|passphrase|mnemonic|private_key|api_key|signing_key|access_key|token|authorization|credentials?)$/;

/** Nouns whose bodies have secrets in known places only. The body of a plugin call may have any members. */
const KNOWN = /^(?:relayers|tx|notifications|networks)\./;

/** Returns a body for the journal: a fingerprint in place of each secret, and masked RPC URLs. */
export async function maskedBody(operation: string, body: JsonValue, journal: Journal): Promise<JsonValue> {
  if (!isJsonObject(body)) return body;
  const isKnown = KNOWN.test(operation);
  const secrets = new Set([...secretsIn(body), ...(isKnown ? [] : namedSecrets(body))]);
  const fingerprints = new Map<string, string>();
  for (const secret of secrets) fingerprints.set(secret, await journal.fingerprint(secret));
  const masked = withMaskedRpcUrls(withSecrets(body, (secret) => fingerprints.get(secret) ?? "***"));
  return isKnown ? masked : replaced(masked, fingerprints);
}

function namedSecrets(value: JsonValue): string[] {
  if (Array.isArray(value)) return value.flatMap(namedSecrets);
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    typeof member === "string" && SECRET_NAME.test(snakeCase(name)) ? [member] : namedSecrets(member),
  );
}

function snakeCase(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replaceAll("-", "_")
    .toLowerCase();
}

function replaced(value: JsonValue, texts: ReadonlyMap<string, string>): JsonValue {
  if (typeof value === "string") return texts.get(value) ?? value;
  if (Array.isArray(value)) return value.map((item) => replaced(item, texts));
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(([name, member]): [string, JsonValue] => [name, replaced(member, texts)]);
  return Object.fromEntries(entries) as JsonObject;
}

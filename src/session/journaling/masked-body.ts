import { type ApiRequest, requestWithoutHidden } from "../../client/request.ts";
import { isNumber } from "../../contract/decimal.ts";
import { isJsonObject, type JsonObject, type JsonValue, parseJson, writeJson } from "../../contract/json.ts";
import { MASK, maskRpcUrl, RPC_URL_FIELDS, weightedRpcUrl, weightedRpcUrlText } from "../../contract/rpc-url.ts";
import { isSecretFieldPath } from "../../contract/secret-fields.ts";
import { elseOnError } from "../../errors.ts";
import type { Intent, Journal } from "../../journal/journal.ts";
import {
  isSecretName,
  maskedUrlWithoutSpaces,
  maskText,
  maskUrlPaths,
  maskUrlSecrets,
  urlSecretsIn,
} from "./masked-text.ts";

/** Longer texts are not searched for JSON. */
const LONGEST_JSON_TEXT = 65_536;

/** Returns a body for the journal: a fingerprint in place of each secret, and masked URLs. */
export async function maskedBody(body: JsonValue, journal: Journal): Promise<JsonValue> {
  const fingerprints = new Map<string, string>();
  for (const secret of new Set(secretsIn(body))) fingerprints.set(secret, await journal.fingerprint(secret));
  return maskBody(body, (secret) => fingerprints.get(secret) ?? MASK);
}

/** Returns fingerprints of a body's RPC URLs, which the journal only has masked, if there are any. */
async function urlFingerprints(body: JsonValue, journal: Journal): Promise<{ fingerprints?: Record<string, string> }> {
  if (!isJsonObject(body)) return {};
  const fingerprints: Record<string, string> = {};
  for (const list of RPC_URL_FIELDS) {
    const entries = body[list];
    for (const [index, entry] of Array.isArray(entries) ? entries.entries() : []) {
      const weighted = weightedRpcUrl(entry);
      if (weighted && maskRpcUrl(weighted.url) !== weighted.url)
        fingerprints[`${list}.${index}`] = await journal.fingerprint(weightedRpcUrlText(weighted));
    }
  }
  return Object.keys(fingerprints).length === 0 ? {} : { fingerprints };
}

/** Returns a resource of the service for the journal, with its secrets and URLs masked. */
export function maskedResource(resource: JsonObject): JsonObject {
  return maskBody(resource, () => MASK) as JsonObject;
}

/** Returns a word of a command line without the secrets that it may contain: in URLs, as `name=value`, in JSON. */
export function maskedWord(word: string): string {
  return maskedJsonText(word, () => MASK) ?? maskText(maskedUrlWithoutSpaces(word));
}

/** Returns the texts of a body that may be secret: members by their place or by their name, and parts of URLs. */
export function secretsInBody(body: JsonValue): string[] {
  return [...secretsIn(body), ...textsIn(body).flatMap(urlSecretsIn)];
}

function secretsIn(body: JsonValue): string[] {
  const found: string[] = [];
  maskBody(body, (secret) => {
    found.push(secret);
    return secret;
  });
  return found;
}

type Replace = (secret: string) => string;

function maskBody(body: JsonValue, replace: Replace): JsonValue {
  const visit = (value: JsonValue, path: readonly string[], mask: (text: string) => string): JsonValue => {
    if (typeof value === "string") return maskedJsonText(value, replace) ?? mask(maskedUrlWithoutSpaces(value));
    if (Array.isArray(value)) return value.map((item) => visit(item, path, mask));
    if (!isJsonObject(value)) return value;
    return mapMembers(value, (member, name) => {
      const at = [...path, name];
      if (isSecretName(name) || isSecretFieldPath(at.join("."))) return maskLeaves(member, replace);
      return visit(member, at, RPC_URL_FIELDS.some((field) => field === name) ? maskUrlPaths : mask);
    });
  };
  return visit(body, [], maskUrlSecrets);
}

function maskedJsonText(text: string, replace: Replace): string | undefined {
  if (text.length > LONGEST_JSON_TEXT || !/^\s*[[{]/.test(text)) return undefined;
  return elseOnError(() => writeJson(maskBody(parseJson(text), replace)));
}

function maskLeaves(value: JsonValue, replace: Replace): JsonValue {
  if (Array.isArray(value)) return value.map((item) => maskLeaves(item, replace));
  if (isJsonObject(value)) return mapMembers(value, (member) => maskLeaves(member, replace));
  if (typeof value === "string") return value === "" ? value : replace(value);
  return isNumber(value) ? replace(String(value)) : value;
}

function mapMembers(object: JsonObject, change: (member: JsonValue, name: string) => JsonValue): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([name, member]) => [name, change(member, name)]));
}

function textsIn(value: JsonValue): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isJsonObject(value) ? Object.values(value).flatMap(textsIn) : [];
}

export interface RecordedBody {
  members: Pick<Intent, "body" | "fingerprints">;
  /** Possible secrets, which nothing else in an entry may quote. */
  secrets: readonly string[];
}

const NO_BODY: RecordedBody = { members: {}, secrets: [] };

/** Returns a memoized function of a recorded body, which the writes of a bulk change share. */
export function createMaskedBodies(): (request: Recorded, journal: Journal) => Promise<RecordedBody> {
  const known = new WeakMap<object, Promise<RecordedBody>>();
  return async (request, journal) => {
    const { body } = request;
    if (body === undefined) return NO_BODY;
    if (typeof body !== "object" || body === null) return await recordedBody(body, request, journal);
    const recorded = known.get(body) ?? recordedBody(body, request, journal);
    known.set(body, recorded);
    return await recorded;
  };
}

type Recorded = Pick<ApiRequest, "body" | "hidden">;

async function recordedBody(body: JsonValue, { hidden }: Recorded, journal: Journal): Promise<RecordedBody> {
  const shown = requestWithoutHidden(await maskedBody(body, journal), hidden);
  return { members: { body: shown, ...(await urlFingerprints(body, journal)) }, secrets: secretsInBody(body) };
}

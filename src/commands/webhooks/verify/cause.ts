import { pluralize } from "../../../contract/decimal.ts";
import { base64Bytes } from "../../../contract/encoding/base64.ts";
import { tryParseJson, writeJson } from "../../../contract/json.ts";
import { verifyWebhook } from "../../../contract/webhook/signature.ts";
import type { SigningKey } from "../signing-keys.ts";

/** Names its form, or a change of body or key that would make it right; undefined for a different key or body. */
export function whyUnverified(body: Uint8Array, signature: string, keys: readonly SigningKey[]): string | undefined {
  const { form, standard } = signatureForm(signature);
  const made = standard === undefined ? undefined : howMade(body, standard, keys);
  const causes = [form, made].filter((cause) => cause !== undefined);
  return causes.length === 0 ? undefined : causes.join("; ");
}

function howMade(body: Uint8Array, signature: string, keys: readonly SigningKey[]): string | undefined {
  const bodies = [{ content: body, words: "this body" }, ...otherBodies(body)];
  const signers = keys.flatMap(({ text, file }) => [
    { text, words: file },
    { text: `${text}\n`, words: `${file} and its final newline` },
  ]);
  for (const signer of signers) {
    const found = bodies.find(({ content }) => verifyWebhook(content, signature, [signer.text]).verified);
    if (found) return `made with ${signer.words}, for ${found.words}`;
  }
  return undefined;
}

interface Form {
  form?: string;
  /** The same signature as the service writes it, if it has 32 bytes. */
  standard?: string;
}

function signatureForm(signature: string): Form {
  const bare = signature.trim();
  if (/^[\da-f]{64}$/i.test(bare)) return { form: "the signature is hex, not base64", standard: base64OfHex(bare) };
  const [, prefix = "", text = ""] = /^(sha256=|v\d+[=,])?(.*)$/s.exec(bare) ?? [];
  const urlSafe = /[-_]/.test(text);
  const padded = `${text.replaceAll("-", "+").replaceAll("_", "/").replace(/=+$/, "")}=`;
  if (base64Bytes(padded)?.length !== DIGEST_BYTES)
    return { form: `the signature has ${pluralize(signature.length, "character")}, and is not base64 of 32 bytes` };
  if (signature === padded) return { standard: signature };
  const faults = [
    ...(bare === signature ? [] : ["has spaces around it"]),
    ...(prefix === "" ? [] : [`begins with ${prefix}`]),
    ...(urlSafe ? ["is URL-safe base64"] : []),
    ...(text.endsWith("=") ? [] : ["has no padding"]),
  ];
  return { form: `the signature ${faults.join(" and ") || "has too much padding"}`, standard: btoa(atob(padded)) };
}

const DIGEST_BYTES = 32;

function base64OfHex(hex: string): string {
  const bytes = (hex.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16));
  return btoa(String.fromCharCode(...bytes));
}

const NEWLINE = 10;
const RETURN = 13;

/** Returns a body as a receiver or an editor may change it: final newlines, and spaces in its JSON. */
function otherBodies(body: Uint8Array): { content: Uint8Array; words: string }[] {
  const compact = compactJson(body);
  const end = body.at(-1) === NEWLINE ? (body.at(-2) === RETURN ? -2 : -1) : undefined;
  return [
    ...(end === undefined ? [] : [{ content: body.subarray(0, end), words: "this body without its final newline" }]),
    ...(compact ? [{ content: compact, words: "this body as compact JSON: it was reformatted" }] : []),
    { content: withNewline(body), words: "this body with a final newline" },
  ];
}

function withNewline(body: Uint8Array): Uint8Array {
  const longer = new Uint8Array(body.length + 1);
  longer.set(body);
  longer[body.length] = NEWLINE;
  return longer;
}

function compactJson(body: Uint8Array): Uint8Array | undefined {
  const json = tryParseJson(new TextDecoder().decode(body));
  return json === undefined ? undefined : new TextEncoder().encode(writeJson(json));
}

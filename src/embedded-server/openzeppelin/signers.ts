import { serviceIdProblem } from "../../contract/id.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../contract/json.ts";
import { MAX_U32 } from "../../contract/largest-integers.ts";
import { SIGNER_TYPES, type SignerField, type SignerType, signerFields } from "../../contract/resources/signer.ts";
import { creatingSignerBy, type NewSigner } from "../handlers/create-signer.ts";
import { Refusal } from "../refusal.ts";
import { fits, oneOf, optional, type Read, ShapeError, struct, text, typedBody, whole } from "./serde.ts";

const readNew = struct(
  "SignerCreateRequest",
  { id: optional(text), type: oneOf(SIGNER_TYPES), config: readConfig },
  { required: ["type", "config"] },
);

/** Creates a signer. Checks the shape of the body, then whether type and config agree, then the fields (facts 8.1). */
export const createSigner = creatingSignerBy((request) => {
  const signer = typedBody(request, readNew) as NewSigner;
  const { id, type, config } = signer;
  const wrong = id === undefined ? undefined : serviceIdProblem(id);
  if (wrong) throw new Refusal(400, wrong);
  if (!fits(shapes[type], config)) {
    throw new Refusal(400, `Signer type '${debugName(type)}' does not match the provided configuration`);
  }
  refuseFields(signerFields[type], config);
  return signer;
});

/** Reads the config of any type, as the service does before it compares it with the type. */
function readConfig(value: JsonValue): JsonObject {
  if (!SIGNER_TYPES.some((type) => fits(shapes[type], value))) {
    throw new ShapeError("data did not match any variant of untagged enum SignerConfigRequest");
  }
  return value as JsonObject;
}

const shapes = Object.fromEntries(SIGNER_TYPES.map((type) => [type, createShape(type, signerFields[type])])) as Record<
  SignerType,
  Read<unknown>
>;

function createShape(name: string, fields: readonly SignerField[]): Read<unknown> {
  const required = fields.filter(({ optional }) => optional !== true).map(({ name }) => name);
  return struct(name, Object.fromEntries(fields.map((field) => [field.name, fieldShape(field)])), { required });
}

function fieldShape({ name, fields, words, rule, optional: isOptional }: SignerField): Read<unknown> {
  const word = words ? oneOf(words) : text;
  const read = fields ? createShape(name, fields) : rule === "u32" ? whole("u32", MAX_U32) : word;
  return isOptional ? optional(read) : read;
}

/** `aws_kms` is `AwsKms`. */
function debugName(type: SignerType): string {
  return type.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function refuseFields(fields: readonly SignerField[], config: JsonObject): void {
  for (const { name, rule, fields: inner } of fields) {
    const value = config[name];
    if (inner && isJsonObject(value)) refuseFields(inner, value);
    if (typeof value !== "string") continue;
    if (rule === "hex key") refuseKey(value);
    else if (rule === undefined && value === "") throw invalid(`${name} cannot be empty`);
    else if (rule === "url" && !URL.canParse(value)) throw invalid(`${name} is not a valid URL`);
  }
}

const BYTES = 32;

/** Refuses a key that is not hex, or not of 32 bytes, in the words of the service; never quotes more than a character. */
function refuseKey(key: string): void {
  const at = key.search(/[^0-9a-f]/i);
  if (at >= 0) throw notHex(`Invalid character '${[...key.slice(at)][0]}' at position ${at}`);
  if (key.length % 2 === 1) throw notHex("Odd number of digits");
  if (key.length / 2 !== BYTES) throw invalid(`Raw key must be exactly ${BYTES} bytes, got ${key.length / 2} bytes`);
  if (/^0+$/.test(key)) throw invalid("Raw key cannot be all zeros");
}

const invalid = (why: string) => new Refusal(400, `Invalid signer configuration: ${why}`);
const notHex = (why: string) =>
  new Refusal(400, `Invalid hex key format: ${why}. Key must be a 64-character hex string (32 bytes).`);

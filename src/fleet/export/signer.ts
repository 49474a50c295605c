import { isJsonObject, type JsonObject, type JsonValue } from "../../contract/json.ts";
import { type SignerField, signerFields } from "../../contract/resources/signer.ts";
import { hiddenText } from "../hidden.ts";
import { fileValue } from "./file-text.ts";

/** A keystore (facts 14), which no request can create. The service returns nothing of it, or of a `plain` key. */
const KEYSTORE: readonly SignerField[] = [
  { name: "path", about: "Path of the file", secret: true },
  { name: "passphrase", about: "Passphrase", secret: true },
];

/** Returns a signer as a file contains it, with `${hidden:role_id}` for what the service does not return. */
export function exportedSigner({ id, type, config }: JsonObject): JsonObject {
  const kind = type === "plain" ? "local" : (type ?? null);
  const known: Readonly<Record<string, readonly SignerField[]>> = { ...signerFields, local: KEYSTORE };
  const fields = typeof kind === "string" && Object.hasOwn(known, kind) ? known[kind] : undefined;
  const visible = isJsonObject(config) ? config : {};
  return {
    id: fileValue(id ?? null),
    type: fileValue(kind),
    config: fields ? withHidden(visible, fields) : fileValue(visible),
  };
}

function withHidden(config: JsonObject, fields: readonly SignerField[]): JsonObject {
  const members = fields.flatMap((field) => {
    const value = exportedMember(config[field.name], field, config);
    return value === undefined ? [] : [[field.name, value] as const];
  });
  return Object.fromEntries(members);
}

function exportedMember(
  value: JsonValue | undefined,
  { name, fields, secret, optional }: SignerField,
  config: JsonObject,
): JsonValue | undefined {
  if (fields) return withHidden(isJsonObject(value) ? value : {}, fields);
  if (!secret && value !== undefined && value !== null) return fileValue(value);
  const isExpected = secret === true && (!optional || usesClientSecret(config));
  return isExpected ? hiddenText(name) : undefined;
}

/** Returns whether Azure's client secret, the only optional secret, is in use. */
function usesClientSecret({ auth_type: authType }: JsonObject): boolean {
  return (authType ?? "client_secret") === "client_secret";
}

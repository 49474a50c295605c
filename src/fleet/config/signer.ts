import { isJsonObject, type JsonObject, type JsonValue, jsonLeavesIn } from "../../contract/json.ts";
import { createSignerSchemas } from "../../contract/requests.ts";
import { SIGNER_TYPES, type SignerField, signerFields } from "../../contract/resources/signer.ts";
import { oneOf } from "../../nearest.ts";
import { hiddenIn, hiddenText } from "../hidden.ts";
import { type FileItem, NOT_NULL, referToSecret } from "./file-item.ts";
import { fleetSecret } from "./plain-or-env.ts";

const KNOWN = ["id", "type", "config"];
const REQUIRED = { id: "its ID", type: "its type", config: "the members of its type" };

/** A keystore on the service's machine, which only the service's own file can describe (facts 14). */
export const KEYSTORE: readonly SignerField[] = [
  { name: "path", about: "path of the keystore on the service's machine" },
  { name: "passphrase", about: "passphrase of the keystore", secret: true },
];

/** The members that may be plain-or-env values although the API does not treat them as secrets (facts 14). */
const FROM_ENV = ["config.tenant_id", "config.client_id", "config.federated_token_file"];

const DEFAULTS: Readonly<Record<string, JsonValue>> = {
  "config.service_account.auth_uri": "https://accounts.google.com/o/oauth2/auth",
  "config.service_account.token_uri": "https://oauth2.googleapis.com/token",
  "config.service_account.auth_provider_x509_cert_url": "https://www.googleapis.com/oauth2/v1/certs",
  "config.service_account.client_x509_cert_url":
    "https://www.googleapis.com/robot/v1/metadata/x509/solana-signer%40forward-emitter-459820-r7.iam.gserviceaccount.com",
  "config.service_account.universe_domain": "googleapis.com",
  "config.key.location": "global",
  "config.key.key_version": 1,
};

/** Returns a signer as in a request; a `local` signer can't be created (facts 14). */
export function readSignerItem(item: FileItem): JsonObject {
  const fields = item.members({ known: KNOWN, required: REQUIRED });
  const { id, type, config } = fields;
  item.validateId(id);
  const known = knownFields(item, type);
  // Any text may be a secret in the config of an unknown type.
  if (!known && config !== undefined)
    for (const { leaf, path } of jsonLeavesIn(config, "config")) {
      if (hiddenIn(leaf) !== undefined) item.hide(path);
      else if (typeof leaf === "string") referToSecret(item, path, path, leaf, true);
    }
  if (config === undefined || !known) return fields;
  const read = { ...fields, config: readConfig(item, config, known, "config") };
  const created = SIGNER_TYPES.find((one) => one === type);
  if (created) item.validate(createSignerSchemas[created], read);
  return read;
}

function knownFields(item: FileItem, type: JsonValue | undefined): readonly SignerField[] | undefined {
  if (type === "local") return KEYSTORE;
  const known = SIGNER_TYPES.find((one) => one === type);
  if (known) return signerFields[known];
  const types = ["local", ...SIGNER_TYPES];
  if (typeof type === "string") item.doubt("type", oneOf(type, types), type);
  else if (type !== undefined) item.problem("type", "must be a string", type);
  return undefined;
}

function readConfig(item: FileItem, value: JsonValue, known: readonly SignerField[], at: string): JsonValue {
  if (!isJsonObject(value)) {
    item.problem(at, "must be an object");
    return value;
  }
  const fields: JsonObject = {};
  const names = known.map(({ name }) => name);
  for (const name of Object.keys(value)) if (!names.includes(name)) item.unknown(`${at}.${name}`, names);
  for (const field of known) {
    const path = `${at}.${field.name}`;
    if (value[field.name] === null && path in DEFAULTS) item.refuseStart(path, NOT_NULL);
    const member = value[field.name] ?? DEFAULTS[path];
    if (member !== undefined) fields[field.name] = readMember(item, member, field, path);
    else if (!field.optional)
      item.doubt(path, `is required: ${field.about}`, undefined, { code: "missing_member", fix: `add ${path}` });
  }
  return fields;
}

function readMember(item: FileItem, value: JsonValue, field: SignerField, path: string): JsonValue {
  if (field.fields) return readConfig(item, value, field.fields, path);
  if (item.value.type === "local") return keystoreMember(item, value, path);
  const mayBeFromEnv = field.secret || FROM_ENV.includes(path);
  return mayBeFromEnv ? fleetSecret(item, path, value, field.secret === true) : value;
}

/** Never sent, so that only the service needs the variable of a passphrase, even if it is set. */
function keystoreMember(item: FileItem, value: JsonValue, path: string): JsonValue {
  const variable = isJsonObject(value) && value.type === "env" ? value.value : undefined;
  const isSet = typeof variable === "string" && Boolean(item.reading.sources.env(variable));
  const isSecret = path === "config.passphrase" || hiddenIn(value) !== undefined;
  const read = isSet ? hiddenText("passphrase") : isSecret ? fleetSecret(item, path, value) : value;
  if (item.isSettled(path)) return read;
  if (typeof read !== "string") item.problem(path, "must be a string");
  else if (read === "") item.doubt(path, "cannot be empty", read);
  return read;
}

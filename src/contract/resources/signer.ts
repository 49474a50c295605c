import type { JsonObject, JsonValue } from "../json.ts";
import { anything, nullishShape, objectShape, text } from "../reply/shape.ts";

/** The types that can be created (facts 8.1). A `plain` signer is returned as `local`. */
export const SIGNER_TYPES = [
  "plain",
  "aws_kms",
  "azure_key_vault",
  "vault",
  "vault_transit",
  "turnkey",
  "cdp",
  "google_cloud_kms",
] as const;

export type SignerType = (typeof SIGNER_TYPES)[number];

/** The types that cannot sign for some networks (facts 8.1). */
const NOT_FOR: Readonly<Record<string, readonly string[]>> = {
  azure_key_vault: ["solana", "stellar"],
  cdp: ["stellar"],
  vault_transit: ["evm", "stellar"],
};

/** Returns why no relayer of a network's type can use a signer. */
export function signerProblem(type: JsonValue | undefined, networkType: JsonValue | undefined): string | undefined {
  const isRefused = typeof type === "string" && NOT_FOR[type]?.some((each) => each === networkType);
  return isRefused ? `signers of type ${type} cannot sign for ${networkType} networks` : undefined;
}

/** What each `auth_type` of Azure needs; the first is the default. */
export const AZURE_NEEDS: Readonly<Record<string, readonly string[]>> = {
  client_secret: ["tenant_id", "client_id", "client_secret"],
  managed_identity: [],
  workload_identity: ["tenant_id", "client_id"],
};

/** A signer as the service returns it (facts 8.1): no secret of its `config` is ever returned. */
export type Signer = SignerFields & JsonObject;

interface SignerFields {
  id: string;
  /** `aws_kms`, `vault`, `local`, …, or a later type. */
  type?: string | null;
  config?: JsonValue;
}

export const signerShape = objectShape({ id: text, type: nullishShape(text), config: nullishShape(anything) });

/** One field of the `config` of a new signer (default: a non-empty text). */
export interface SignerField {
  name: string;
  about: string;
  optional?: true;
  /** Never printed; only read from a file, stdin, or a hidden prompt. */
  secret?: true;
  rule?: "hex key" | "url" | "base64" | "account address" | "u32" | "google domain" | "any text";
  words?: readonly string[];
  fields?: readonly SignerField[];
  /** Set if the object is read whole, from the file that the provider issues. */
  asFile?: true;
}

const roleId: SignerField = { name: "role_id", about: "AppRole role ID", secret: true };
const secretId: SignerField = { name: "secret_id", about: "AppRole secret ID", secret: true };
const address: SignerField = { name: "address", about: "Vault URL", rule: "url" };
const keyName: SignerField = { name: "key_name", about: "Key name" };
const namespace: SignerField = { name: "namespace", about: "Vault namespace", optional: true, rule: "any text" };
const mountPoint: SignerField = {
  name: "mount_point",
  about: "Mount point of the secrets engine",
  optional: true,
  rule: "any text",
};

const serviceAccount: readonly SignerField[] = [
  { name: "private_key", about: "its private key", secret: true },
  { name: "private_key_id", about: "Key ID", secret: true },
  { name: "project_id", about: "the project" },
  { name: "client_email", about: "its address", secret: true },
  { name: "client_id", about: "its id" },
  { name: "auth_uri", about: "where it signs in", rule: "url" },
  { name: "token_uri", about: "where tokens come from", rule: "url" },
  { name: "auth_provider_x509_cert_url", about: "the provider's certificates", rule: "url" },
  { name: "client_x509_cert_url", about: "its certificates", rule: "url" },
  { name: "universe_domain", about: "the domain", rule: "google domain" },
];

/** The fields of the `config` of each type (facts 8.1). */
export const signerFields: Record<SignerType, readonly SignerField[]> = {
  plain: [{ name: "key", about: "Private key: 64 hex digits without 0x", secret: true, rule: "hex key" }],
  aws_kms: [
    { name: "region", about: "AWS region" },
    { name: "key_id", about: "Key ID" },
  ],
  azure_key_vault: [
    { name: "vault_url", about: "URL of the vault", rule: "url" },
    keyName,
    { name: "key_version", about: "Key version", optional: true, rule: "any text" },
    {
      name: "auth_type",
      about: "How the service signs in",
      optional: true,
      words: Object.keys(AZURE_NEEDS),
    },
    { name: "tenant_id", about: "Tenant ID", optional: true, rule: "any text" },
    { name: "client_id", about: "Client ID of the application", optional: true },
    { name: "client_secret", about: "Client secret of the application", optional: true, secret: true },
    { name: "federated_token_file", about: "Path of a token file on the service's machine", optional: true },
  ],
  vault: [address, keyName, roleId, secretId, namespace, mountPoint],
  vault_transit: [address, keyName, { name: "pubkey", about: "Public key" }, roleId, secretId, namespace, mountPoint],
  turnkey: [
    { name: "api_public_key", about: "Public half of the API key" },
    { name: "api_private_key", about: "Private half of the API key", secret: true },
    { name: "organization_id", about: "Organization ID" },
    { name: "private_key_id", about: "ID of the signing key" },
    { name: "public_key", about: "Public half of the signing key" },
  ],
  cdp: [
    { name: "api_key_id", about: "ID of the API key" },
    { name: "api_key_secret", about: "Secret of the API key, in base64", secret: true, rule: "base64" },
    { name: "wallet_secret", about: "Wallet secret, in base64", secret: true, rule: "base64" },
    { name: "account_address", about: "Account address, EVM or Solana", rule: "account address" },
  ],
  google_cloud_kms: [
    { name: "service_account", about: "JSON file of the service account", asFile: true, fields: serviceAccount },
    {
      name: "key",
      about: "the key",
      fields: [
        { name: "location", about: "Location of the key" },
        { name: "key_ring_id", about: "Key ring ID" },
        { name: "key_id", about: "Key ID" },
        { name: "key_version", about: "Key version, a whole number", rule: "u32" },
      ],
    },
  ],
};

import { createCipheriv, pbkdf2Sync, scryptSync } from "node:crypto";
import { keccak_256 } from "../../../src/contract/encoding/primitives.ts";
import type { JsonObject, JsonValue } from "../../../src/contract/json.ts";

/**
 * The service's example config files: name, relayers' policies by kind, signers, whether it has a notification (with an
 * empty URL), networks, and plugins. A signer has `!` if its private values are empty, and `?` if they are words such as
 * `your-key-id`.
 */
const ROWS = `
aws-sqs-queue-storage              evm:b; stellar:b,f            local          -     root    -
basic-example-logging              evm:b                         local          hook  root    -
basic-example-metrics              evm:b                         local          hook  root    -
basic-example-plugin               evm:b                         local          hook  root    1
basic-example                      evm:b; stellar                local          hook  root    -
channels-plugin-example            stellar:c,f; stellar:f; stellar:f              local*3  -  root  1
channels-x402-plugin-example       stellar:c,f; stellar:c,f; stellar:f; stellar:f local*4  -  root  1
evm-aws-kms-signer                 evm:b                         aws_kms!       hook  root    -
evm-azure-key-vault-signer         evm:b                         azure_key_vault? hook root   -
evm-cdp-signer                     evm:b                         cdp!           hook  root    -
evm-gcp-kms-signer                 evm:b                         google_cloud_kms? hook inline -
evm-turnkey-signer                 evm:b                         turnkey!       hook  root    -
gas-price-caching                  evm:b                         local          hook  inline  -
gcp-pubsub-queue-storage           evm:b; stellar:b,f            local          -     root    -
horizontal-scaling                 evm:b                         local          -     none    -
launchtube-plugin-example          stellar:c,f; stellar:f; stellar:f              local*3  -  root  1
network-configuration-config-file  evm:b                         local          hook  inline  -
network-configuration-json-file    evm:b                         local          hook  up      -
rabbitmq-queue-storage             evm:b; stellar:b,f            local          -     root    -
redis-storage                      evm:b                         local          hook  root    -
redis-tls                          evm:b                         local          hook  root    -
solana-aws-kms-signer              solana:f,b,t                  aws_kms!       -     root    -
solana-cdp-signer                  solana:f                      cdp!           hook  root    -
solana-google-cloud-kms-signer     solana:f,b,t                  google_cloud_kms! hook root  -
solana-turnkey-signer              solana:f,b,t                  turnkey!       hook  root    -
stellar-aws-kms-signer             stellar:b,f                   aws_kms!       -     root    -
stellar-gcp-kms-signer             stellar:b,f                   google_cloud_kms -   root    -
stellar-turnkey-signer             stellar:b,f                   turnkey!       hook  root    -
vault-secret-signer                solana:f,b,t                  vault          hook  root    -
vault-transit-signer               solana:f,b,t                  vault_transit! hook  root    -
x402-facilitator-plugin            stellar:f,b                   local          -     root    1
`;

const POLICIES: Readonly<Record<string, (kind: string) => JsonObject>> = {
  b: () => ({ min_balance: 0 }),
  c: () => ({ concurrent_transactions: true }),
  f: (kind) => ({ fee_payment_strategy: kind === "solana" ? "user" : "relayer" }),
  t: () => ({ allowed_tokens: [{ mint: "So11111111111111111111111111111111111111112" }] }),
};

const NETWORK: Readonly<Record<string, string>> = { evm: "sepolia", solana: "devnet", stellar: "testnet" };

const env = (value: string): JsonObject => ({ type: "env", value });

/** What stands for a value that only the owner knows: the value itself, nothing, or a word. */
type Open = (name: string, value: string) => string;

const CONFIGS: Readonly<Record<string, (open: Open, number: number) => JsonObject>> = {
  local: (_, number) => ({ path: `config/keys/key-${number}.json`, passphrase: env(`PASSPHRASE_${number}`) }),
  aws_kms: (open) => ({ region: open("region", "eu-west-1"), key_id: open("key_id", "1234abcd") }),
  azure_key_vault: (open) => ({
    auth_type: "client_secret",
    ...{ tenant_id: env("AZURE_TENANT_ID"), client_id: env("AZURE_CLIENT_ID"), client_secret: env("AZURE_SECRET") },
    vault_url: `https://${open("key-vault-name", "ours")}.vault.azure.net`,
    key_name: open("secp256k1-key-name", "main"),
    key_version: null,
  }),
  cdp: (open) => ({
    ...{
      api_key_id: open("api_key_id", "key-1"),
      api_key_secret: env("CDP_API_KEY"),
      wallet_secret: env("CDP_WALLET"),
    },
    account_address: open("account_address", "0x52908400098527886E0F7030069857D2E4169EE7"),
  }),
  google_cloud_kms: (open) => ({
    service_account: {
      project_id: open("gcp-project-id", "ours"),
      ...{ private_key_id: env("GCP_KEY_ID"), private_key: env("GCP_KEY"), client_email: env("GCP_EMAIL") },
      client_id: open("client-id", "123"),
    },
    key: { location: "us-west2", key_ring_id: open("key-ring", "ring"), key_id: open("key-id", "key"), key_version: 1 },
  }),
  turnkey: (open) => ({
    ...{ api_public_key: open("api_public_key", "02a7"), api_private_key: env("TURNKEY_KEY") },
    ...{ organization_id: open("organization_id", "o"), private_key_id: open("private_key_id", "p") },
    public_key: open("public_key", "03b8"),
  }),
  vault: () => ({ address: "http://vault:8200", role_id: env("ROLE_ID"), secret_id: env("SECRET_ID"), key_name: "k" }),
  vault_transit: (open) => ({
    ...{ address: "http://vault:8200", role_id: env("ROLE_ID"), secret_id: env("SECRET_ID"), key_name: "k" },
    pubkey: open("pubkey", "0x02a1"),
  }),
};

/** A file of such a shape. */
export interface Shape {
  name: string;
  path: string;
  /** The file, with what only its owner knows filled in if that is wanted. */
  config(
    isFilled: boolean,
  ): JsonObject & { relayers: JsonObject[]; signers: JsonObject[]; notifications: JsonObject[] };
  /** Its folder of networks, as the service finds it. */
  networks: string | undefined;
}

export const SHAPES: readonly Shape[] = ROWS.trim().split("\n").map(shapeOf);

function shapeOf(row: string): Shape {
  const [name = "", relayers = "", signers = "", hook, networks = "", plugins] = row
    .trim()
    .split(/ {2,}| (?=local|hook|-|root|inline|up)/);
  const path = `examples/${name}/config/config.json`;
  const [, type = "", openness = "", count = "1"] = /^(\w+?)([!?]?)(?:\*(\d))?$/.exec(signers) ?? [];
  const folder = { root: "config/networks", up: `examples/${name}/config/networks` }[networks];
  return {
    ...{ name, path, networks: folder },
    config(isFilled) {
      const open: Open = (what, value) =>
        isFilled || openness === "" ? value : openness === "?" ? `your-${what}` : "";
      const signerIds = Array.from({ length: Number(count) }, (_, index) => `${type}-signer-${index}`);
      const found = relayers.split("; ").map((relayer, index): JsonObject => {
        const [kind = "", policies] = relayer.split(":");
        const all = policies?.split(",").map((one) => POLICIES[one]?.(kind)) ?? [];
        return {
          ...{ id: `${kind}-${index}`, name: `Example ${index}`, network: NETWORK[kind] ?? "", paused: false },
          ...(hook === "hook" && { notification_id: "hook" }),
          ...{ network_type: kind, signer_id: signerIds[index] ?? signerIds[0] ?? "" },
          ...(all.length > 0 && { policies: Object.assign({}, ...all) as JsonObject }),
        };
      });
      return {
        relayers: found,
        ...(folder !== undefined && { networks: "./config/networks" }),
        ...(networks === "inline" && { networks: [SEPOLIA] }),
        notifications:
          hook === "hook"
            ? [{ id: "hook", type: "webhook", url: isFilled ? HOOK_URL : "", signing_key: env("WEBHOOK_SIGNING_KEY") }]
            : [],
        signers: signerIds.map((id, index) => ({ id, type, config: CONFIGS[type]?.(open, index) ?? {} })),
        plugins: plugins === "1" ? [{ id: "plugin", path: "plugin/index.ts", timeout: 30, emit_logs: true }] : [],
      };
    },
  };
}

const HOOK_URL = "https://hooks.example.org/relayer";

const SEPOLIA: JsonObject = {
  ...{
    type: "evm",
    network: "sepolia",
    chain_id: 11_155_111,
    symbol: "ETH",
    is_testnet: true,
    required_confirmations: 1,
  },
  ...{ average_blocktime_ms: 12_000, features: ["eip1559"], rpc_urls: ["https://sepolia.example.org"] },
};

export const NETWORK_FILES: Readonly<Record<string, JsonValue>> = {
  "evm.json": { networks: [SEPOLIA] },
  "others.json": {
    networks: [
      {
        type: "solana",
        network: "devnet",
        is_testnet: true,
        average_blocktime_ms: 400,
        rpc_urls: ["https://sol.example.org"],
      },
      {
        type: "stellar",
        network: "testnet",
        is_testnet: true,
        average_blocktime_ms: 5_000,
        passphrase: "Test",
        rpc_urls: ["https://xlm.example.org"],
      },
    ],
  },
};

const WORD = "00".repeat(32);
const SCRYPT = { kdf: "scrypt", kdfparams: { dklen: 32, n: 2, p: 1, r: 8, salt: WORD } };
export const PBKDF2 = { kdf: "pbkdf2", kdfparams: { dklen: 32, c: 3, prf: "hmac-sha256", salt: WORD } };

/** Returns a keystore in the form that the service reads, as the library of its signers seals it. */
export function sealed(passphrase: string, privateKey = "01".repeat(32), derivation: object = SCRYPT) {
  const salt = Buffer.from(WORD, "hex");
  const derived =
    derivation === PBKDF2
      ? pbkdf2Sync(passphrase, salt, 3, 32, "sha256")
      : scryptSync(passphrase, salt, 32, { N: 2, r: 8, p: 1 });
  const cipher = createCipheriv("aes-128-ctr", derived.subarray(0, 16), salt.subarray(0, 16));
  const ciphertext = cipher.update(privateKey, "hex");
  const mac = Buffer.from(keccak_256(Buffer.concat([derived.subarray(16), ciphertext]))).toString("hex");
  const cipherparams = { iv: "00".repeat(16) };
  const crypto = { cipher: "aes-128-ctr", cipherparams, ciphertext: ciphertext.toString("hex"), mac, ...derivation };
  return { version: 3, id: "3198bc9c-6672-5ab3-d995-4942343ae5b6", address: "0x00", crypto };
}

/** The variables of the service, which no operator's machine has. */
export const SECRETS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [0, 1, 2, 3].map((number) => [`PASSPHRASE_${number}`, `passphrase-of-${number}-of-the-service`]),
  ),
  ...{ AZURE_TENANT_ID: "tenant", AZURE_CLIENT_ID: "client", AZURE_SECRET: "secret-of-azure-client" },
  ...{ CDP_API_KEY: "Y2RwLWFwaS1rZXktc2VjcmV0", CDP_WALLET: "Y2RwLXdhbGxldC1zZWNyZXQ=" },
  ...{ GCP_KEY_ID: "gcp-key-id-1234", GCP_KEY: "gcp-private-key-pem", GCP_EMAIL: "signer@gcp.example.org" },
  ...{ TURNKEY_KEY: "turnkey-private-key", ROLE_ID: "vault-role-id", SECRET_ID: "vault-secret-id" },
  WEBHOOK_SIGNING_KEY: "webhook-signing-key-of-more-than-32-bytes",
};

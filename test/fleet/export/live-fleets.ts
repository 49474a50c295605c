import fc from "fast-check";
import { MAX_U64, MAX_U128 } from "../../../src/contract/amount.ts";
import { isJsonObject, type JsonObject, type JsonValue, NumberLiteral } from "../../../src/contract/json.ts";
import { maskRpcUrl } from "../../../src/contract/rpc-url.ts";
import type { LiveFleet } from "../../../src/fleet/live.ts";
import { type Lists, liveFleet } from "../../helpers/fleet.ts";

/** A part of every secret that the fleets contain. */
export const CANARY = "cAnArY0123456789";

const HOSTILE = [
  "yes",
  "null",
  "~",
  "1e3",
  "0x10",
  "# a",
  "a: b",
  "- a",
  "two\nlines",
  "'\"\\",
  `\${env:HOME}`,
  `$\${x}`,
];
const MORE = [
  `\${hidden:key}`,
  `\${`,
  "$",
  "@a",
  "{a}",
  "\u{1f600}é",
  "\u202e\u2028\u0085",
  "\ufeff",
  " a ",
  "<<",
  "---",
  "***",
];

/** A text that is not empty, of any characters. */
const name = fc.oneof(fc.constantFrom(...HOSTILE, ...MORE), fc.string({ minLength: 1, unit: "grapheme" }));
const unset = <T extends JsonValue>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });

/** An integer as a service writes it: as a number of any size, or as text. */
function integer(max: bigint): fc.Arbitrary<JsonValue> {
  const round = fc
    .constantFrom(1n, 5_000_000n, 80_000_000_000n, 500_000_000_000_000_000n)
    .map((value) => (value > max ? max : value));
  return fc
    .oneof(round, fc.bigInt({ min: 0n, max }), fc.constant(max))
    .map((value) => (value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value));
}

const percentage = fc
  .oneof(fc.constantFrom(0.1, 0.5, 1, 33.333), fc.float({ min: 0, max: 100, noNaN: true }))
  .map((value) => numberOf(Math.fround(value)));

function numberOf(value: number): JsonValue {
  return Number.isSafeInteger(value) ? value : new NumberLiteral(String(value));
}

const host = fc.constantFrom("https://a.example.org", "https://b.example.org:8545", "http://10.0.0.1");
/** The URL as an operator wrote it. */
const url = fc
  .tuple(host, fc.constantFrom("", "/", `/v2/${CANARY}`, `?key=${CANARY}`, `/x/${CANARY}2?a=b`), fc.boolean())
  .map(([origin, rest, hasUser]) => (hasUser ? origin.replace("//", `//user:${CANARY}@`) : origin) + rest);
const weight = fc.constantFrom(100, 100, 0, 1, 20);

/** @param isMasked whether the service masks URLs, since v1.4; user-info stays (facts 4.4) */
function urls(isMasked: boolean): fc.Arbitrary<JsonValue> {
  const entry = fc.record({ url: url.map((each) => (isMasked ? masked(each) : each)), weight });
  return fc.array(entry, { maxLength: 4 });
}

function masked(text: string): string {
  const user = /\/\/([^/?#]*@)/.exec(text)?.[1] ?? "";
  return maskRpcUrl(text).replace("//", `//${user}`);
}

const id = fc.stringMatching(/^[a-zA-Z0-9_-]{1,12}$/);
const address = fc.constantFrom(
  "0x52908400098527886E0F7030069857D2E4169EE7",
  "0x8617e340b3d01fa5f11f306f4090fd50e238070d",
);
const mint = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
const swap = fc.record({
  slippage_percentage: unset(percentage),
  min_amount: unset(integer(MAX_U64)),
  max_amount: unset(integer(MAX_U64)),
  retain_min_amount: fc.constant(null),
});
const token = { max_allowed_fee: unset(integer(MAX_U64)), swap_config: unset(swap) };
const issuer = "GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN";

const policies: Record<string, fc.Arbitrary<JsonObject>> = {
  evm: fc.record(
    {
      min_balance: integer(MAX_U128),
      gas_limit_estimation: fc.boolean(),
      gas_price_cap: unset(integer(MAX_U128)),
      whitelist_receivers: unset(fc.array(address, { maxLength: 3 })),
      eip1559_pricing: unset(fc.boolean()),
      private_transactions: unset(fc.boolean()),
      include_revert_data: fc.boolean(),
      of_a_later_version: fc.constant(7),
    },
    { requiredKeys: [] },
  ),
  solana: fc.record(
    {
      min_balance: integer(MAX_U64),
      allowed_programs: unset(fc.array(fc.constant(mint), { maxLength: 2 })),
      max_signatures: unset(fc.nat(255)),
      max_tx_data_size: fc.constantFrom(1232, 1000),
      allowed_tokens: unset(
        fc.array(fc.record({ mint: fc.constant(mint), decimals: unset(fc.nat(9)), symbol: unset(name), ...token }), {
          maxLength: 1,
        }),
      ),
      fee_payment_strategy: unset(fc.constantFrom("user", "relayer")),
      fee_margin_percentage: unset(percentage),
      allowed_accounts: unset(fc.constant([mint])),
      max_allowed_fee_lamports: unset(integer(MAX_U64)),
      swap_config: unset(
        fc.record({
          strategy: unset(fc.constant("noop")),
          cron_schedule: unset(fc.constant("0 0 * * * *")),
          min_balance_threshold: unset(integer(MAX_U64)),
          jupiter_swap_options: unset(
            fc.constant({ priority_fee_max_lamports: null, priority_level: null, dynamic_compute_unit_limit: null }),
          ),
        }),
      ),
    },
    { requiredKeys: [] },
  ),
  stellar: fc.record(
    {
      fee_payment_strategy: fc.constantFrom("user", "relayer"),
      min_balance: integer(MAX_U64),
      max_fee: unset(integer(2n ** 32n - 1n)),
      timeout_seconds: unset(integer(MAX_U64)),
      concurrent_transactions: unset(fc.boolean()),
      slippage_percentage: unset(percentage),
      allowed_tokens: unset(
        fc.uniqueArray(
          fc.record({
            asset: fc.constantFrom("native", `USDC:${issuer}`),
            metadata: unset(fc.constant({ kind: "native", decimals: 7, canonical_asset_id: "native" })),
            ...token,
          }),
          { maxLength: 2, selector: ({ asset }) => asset },
        ),
      ),
      swap_config: unset(
        fc.record({
          strategies: fc.constantFrom<JsonValue>(["order-book"], ["soroswap", "order-book"]),
          cron_schedule: unset(fc.constant("0 0 * * * *")),
          min_balance_threshold: unset(integer(MAX_U64)),
        }),
      ),
    },
    { requiredKeys: ["fee_payment_strategy"] },
  ),
};

const NETWORKS = {
  evm: ["mainnet", "polygon", "of-nobody"],
  solana: ["mainnet-beta", "devnet"],
  stellar: ["testnet", "mainnet"],
} as const;

/** A swap that the service accepts: only users pay for swaps, and Jupiter works on one network. */
function withSwaps(given: JsonObject, isJupiter: boolean): JsonObject {
  const swaps = isJsonObject(given.policies) && isJsonObject(given.policies.swap_config) ? given.policies : undefined;
  if (!swaps) return given;
  const fee_payment_strategy = "user";
  if (given.network_type !== "solana" || !isJupiter) return { ...given, policies: { ...swaps, fee_payment_strategy } };
  const jupiter_swap_options = {
    priority_fee_max_lamports: 5000,
    priority_level: "high",
    dynamic_compute_unit_limit: null,
  };
  const swap_config = {
    strategy: "jupiter-swap",
    cron_schedule: null,
    min_balance_threshold: null,
    jupiter_swap_options,
  };
  return { ...given, network: "mainnet-beta", policies: { ...swaps, fee_payment_strategy, swap_config } };
}

function relayer(isMasked: boolean): fc.Arbitrary<JsonObject> {
  const any = fc.constantFrom("evm", "solana", "stellar").chain((kind) =>
    fc.record(
      {
        name,
        network: fc.constantFrom(...NETWORKS[kind as keyof typeof NETWORKS]),
        network_type: fc.constant(kind),
        paused: fc.boolean(),
        policies: policies[kind] ?? fc.constant({}),
        signer_id: fc.constant("kms"),
        notification_id: unset(fc.constant("hook")),
        custom_rpc_urls: unset(urls(isMasked)),
        address: address,
        system_disabled: fc.boolean(),
        disabled_reason: unset(fc.constant({ type: "NonceSyncFailed", details: "Nonce synchronization failed" })),
      },
      {
        requiredKeys:
          kind === "stellar"
            ? ["name", "network", "network_type", "paused", "signer_id", "policies"]
            : ["name", "network", "network_type", "paused", "signer_id"],
      },
    ),
  );
  return fc.tuple(any, fc.boolean()).map(([given, isJupiter]) => withSwaps(given as JsonObject, isJupiter));
}

const SIGNERS: readonly JsonObject[] = [
  { type: "local", config: {} },
  { type: "aws_kms", config: { region: "eu-west-1", key_id: "k" } },
  {
    type: "azure_key_vault",
    config: {
      vault_url: "https://v.example.org",
      key_name: "k",
      key_version: null,
      auth_type: null,
      tenant_id: "t",
      client_id: "c",
      federated_token_file: null,
    },
  },
  {
    type: "azure_key_vault",
    config: { vault_url: "https://v.example.org", key_name: "k", auth_type: "managed_identity" },
  },
  { type: "vault", config: { address: "https://v.example.org", namespace: null, key_name: "k", mount_point: "m" } },
  {
    type: "vault_transit",
    config: { key_name: "k", address: "https://v.example.org", namespace: null, pubkey: "p", mount_point: null },
  },
  { type: "turnkey", config: { api_public_key: "a", organization_id: "o", private_key_id: "p", public_key: "q" } },
  { type: "cdp", config: { api_key_id: "a", account_address: "0x52908400098527886E0F7030069857D2E4169EE7" } },
  {
    type: "google_cloud_kms",
    config: {
      service_account: {
        project_id: "p",
        client_id: "c",
        auth_uri: "https://a.example.org",
        token_uri: "https://t.example.org",
        auth_provider_x509_cert_url: "https://c.example.org",
        client_x509_cert_url: "https://d.example.org",
        universe_domain: "googleapis.com",
      },
      key: { location: "global", key_ring_id: "r", key_id: "k", key_version: 1 },
    },
  },
];

const network = fc.record(
  {
    rpc_urls: urls(false),
    explorer_urls: unset(fc.constant(["https://explorer.example.org"])),
    average_blocktime_ms: unset(fc.nat(60_000)),
    is_testnet: unset(fc.boolean()),
    tags: unset(fc.array(name, { maxLength: 2 })),
  },
  { requiredKeys: [] },
);

function networkLists(given: Readonly<Record<string, JsonObject>>): Record<string, JsonObject> {
  const entries = Object.entries(given).map(([key, members]) => {
    const [type = "", named = ""] = key.split(":");
    const more: Record<string, JsonObject> = {
      evm: {
        chain_id: 1,
        symbol: named === "polygon" ? "POL" : "ETH",
        required_confirmations: 1,
        features: ["eip1559"],
      },
      stellar: { passphrase: "Test SDF Network ; September 2015" },
    };
    return [key, { name: named, network_type: type, ...more[type], ...members }] as const;
  });
  return Object.fromEntries(entries);
}

const plugin = fc.record({
  path: fc.constant("plugins/a/index.ts"),
  timeout: fc.constantFrom({ secs: 300, nanos: 0 }, { secs: 1, nanos: 0 }),
  emit_logs: fc.boolean(),
  emit_traces: fc.boolean(),
  raw_response: fc.boolean(),
  allow_get_invocation: fc.boolean(),
  config: unset(
    fc.dictionary(fc.constantFrom("a", "yes", "__proto__", `\${x}`), fc.oneof(name, fc.nat()), {
      noNullPrototype: true,
    }),
  ),
  forward_logs: fc.boolean(),
});

const notification = fc.record({
  type: fc.constant("webhook"),
  url: fc.constantFrom(
    "https://hooks.example.org/a",
    "ftp://x",
    `https://h.example.org/?a=\${b}`,
    `https://u:${CANARY}@h.example.org/`,
  ),
  has_signing_key: fc.boolean(),
});

/** Any fleet, as a service of any version returns it. */
export const liveFleets: fc.Arbitrary<LiveFleet> = fc.boolean().chain((isMasked) =>
  fc
    .record({
      notifications: fc
        .dictionary(id, notification, { maxKeys: 3 })
        .map((some) => ({ ...some, hook: { type: "webhook", url: "https://h.example.org", has_signing_key: true } })),
      signers: fc
        .dictionary(id, fc.constantFrom(...SIGNERS), { maxKeys: 4 })
        .map((some) => ({ ...some, kms: SIGNERS[1] ?? {} })),
      networks: fc
        .dictionary(fc.constantFrom("evm:mainnet", "evm:polygon", "solana:devnet", "stellar:testnet"), network)
        .map(networkLists),
      plugins: fc.dictionary(id, plugin, { maxKeys: 2 }),
      relayers: fc.dictionary(id, relayer(isMasked), { maxKeys: 4 }),
    })
    .map((lists) => liveFleet(copied(lists as unknown as JsonObject) as unknown as Lists)),
);

/** Copies without prototypes, as JSON is read. */
function copied(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(copied);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, copied(member)]));
}

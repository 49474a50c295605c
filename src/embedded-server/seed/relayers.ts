import type { Resource } from "../state/collection.ts";

const GWEI = 1_000_000_000;
const ETH = 10n ** 18n;

/**
 * The relayers of a small team: most work, one is paused by an operator, two were disabled by the service. The RPC URLs
 * contain a provider's key, like real ones.
 */
export const demoRelayers: readonly Resource[] = [
  {
    id: "base-hot",
    name: "Base hot",
    network: "base",
    network_type: "evm",
    address: "0x8ba1f109551bd432803012645ac136ddd64dba72",
    signer_id: "signer-base",
    notification_id: "ops-hook",
    paused: false,
    system_disabled: false,
    custom_rpc_urls: [{ url: "https://base.rpc.example.org/v2/aG90LWtleS0wMQ", weight: 100 }],
    policies: { eip1559_pricing: true, gas_price_cap: 5 * GWEI, min_balance: ETH / 20n },
  },
  {
    id: "eth-main-1",
    name: "Mainnet 1",
    network: "mainnet",
    network_type: "evm",
    address: "0x70997970c51812dc3a010c7d01b50e0d17dc79c8",
    signer_id: "signer-1",
    notification_id: "ops-hook",
    paused: false,
    system_disabled: false,
    custom_rpc_urls: [
      { url: "https://rpc.example.org/v3/5b2f8c1d7a904e63", weight: 80 },
      { url: "https://backup.example.org", weight: 20 },
    ],
    policies: { eip1559_pricing: true, gas_limit_estimation: true, gas_price_cap: 80 * GWEI, min_balance: ETH / 2n },
  },
  {
    id: "eth-main-2",
    name: "Mainnet 2",
    network: "mainnet",
    network_type: "evm",
    address: "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc",
    signer_id: "signer-2",
    notification_id: "ops-hook",
    paused: true,
    system_disabled: false,
    custom_rpc_urls: [
      { url: "https://rpc.example.org/v3/91d0e6f47c3b4a25", weight: 80 },
      { url: "https://backup.example.org", weight: 20 },
    ],
    policies: {
      eip1559_pricing: true,
      gas_price_cap: 80 * GWEI,
      min_balance: ETH / 2n,
      whitelist_receivers: ["0x52908400098527886E0F7030069857D2E4169EE7", "0x8617E340B3D01FA5F11F306F4090FD50E238070D"],
    },
  },
  {
    id: "eth-sepolia",
    name: "Sepolia",
    network: "sepolia",
    network_type: "evm",
    address: "0x90f79bf6eb2c4f870365e785982e1f101e93b906",
    signer_id: "signer-test",
    paused: false,
    system_disabled: true,
    disabled_reason: { type: "NonceSyncFailed", details: "Nonce synchronization failed" },
    policies: { eip1559_pricing: true },
  },
  {
    id: "polygon-bulk",
    name: "Polygon bulk",
    network: "polygon",
    network_type: "evm",
    address: "0x15d34aaf54267db7d7c367839aaf71a00a2c6a65",
    signer_id: "signer-bulk",
    notification_id: "ops-hook",
    paused: false,
    system_disabled: false,
    policies: {
      eip1559_pricing: false,
      gas_price_cap: 2n ** 128n - 1n,
      min_balance: 10n * ETH,
      private_transactions: false,
    },
  },
  {
    id: "sol-pay",
    name: "Solana pay",
    network: "mainnet-beta",
    network_type: "solana",
    address: "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
    signer_id: "signer-sol",
    notification_id: "ops-hook",
    paused: false,
    system_disabled: false,
    custom_rpc_urls: [{ url: "https://sol.rpc.example.org/?api-key=c29sLWtleS0wMQ", weight: 100 }],
    policies: {
      fee_payment_strategy: "user",
      min_balance: 10_000_000,
      max_signatures: 4,
      allowed_tokens: [
        {
          mint: "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",
          decimals: 6,
          symbol: "USDC",
          max_allowed_fee: 1_000_000,
        },
      ],
    },
  },
  {
    id: "xlm-pay",
    name: "Stellar pay",
    network: "testnet",
    network_type: "stellar",
    address: "GDWR5TYCK2WHXWAKDU4QMQP4QEJBRIZKTHQK7RAKKNBGCFUMPCIY5GIM",
    signer_id: "signer-xlm-test",
    paused: false,
    system_disabled: true,
    disabled_reason: {
      type: "Multiple",
      details: [
        { type: "BalanceCheckFailed", details: "Insufficient balance" },
        { type: "SequenceSyncFailed", details: "Sequence synchronization failed" },
      ],
    },
    policies: { fee_payment_strategy: "relayer", min_balance: 50_000_000, max_fee: 1_000_000 },
  },
  {
    id: "xlm-treasury",
    name: "Stellar treasury",
    network: "mainnet",
    network_type: "stellar",
    address: "GAAZI4TCR3TY5OJHCTJC2A4QSY6CJWJH5IAJTGKIN2ER7LBNVKOCCWN7",
    signer_id: "signer-xlm",
    notification_id: "treasury-hook",
    paused: false,
    system_disabled: false,
    policies: {
      fee_payment_strategy: "relayer",
      min_balance: 1_000_000_000,
      timeout_seconds: 60,
      concurrent_transactions: false,
    },
  },
];

/** The opening balances of these relayers: three times their minimum, and half of it for the one with too little. */
export const demoBalances: Readonly<Record<string, bigint>> = {
  "base-hot": (3n * ETH) / 20n,
  "eth-main-1": (3n * ETH) / 2n,
  "eth-main-2": (3n * ETH) / 2n,
  "polygon-bulk": 30n * ETH,
  "sol-pay": 30_000_000n,
  "xlm-pay": 25_000_000n,
  "xlm-treasury": 3_000_000_000n,
};

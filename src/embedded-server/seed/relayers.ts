import type { Resource } from "../state/collection.ts";

const GWEI = 1_000_000_000;
const ETH = 10n ** 18n;

export const MAIN_1 = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8";
export const MAIN_2 = "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc";
export const BASE = "0x8ba1f109551bd432803012645ac136ddd64dba72";

/** A small team's relayers: one is paused, two disabled by the service. RPC URLs contain a provider's key. */
export const demoRelayers: readonly Resource[] = [
  seedRelayer("evm", "base", {
    id: "base-hot",
    name: "Base hot",
    address: BASE,
    signer_id: "signer-base",
    custom_rpc_urls: [{ url: "https://base.rpc.example.org/v2/aG90LWtleS0wMQ", weight: 100 }],
    policies: { eip1559_pricing: true, gas_price_cap: 5 * GWEI, min_balance: ETH / 20n },
  }),
  seedRelayer("evm", "mainnet", {
    id: "eth-main-1",
    name: "Mainnet 1",
    address: MAIN_1,
    signer_id: "signer-1",
    custom_rpc_urls: [
      { url: "https://rpc.example.org/v3/5b2f8c1d7a904e63", weight: 80 },
      { url: "https://backup.example.org", weight: 20 },
    ],
    policies: { eip1559_pricing: true, gas_limit_estimation: true, gas_price_cap: 80 * GWEI, min_balance: ETH / 2n },
  }),
  seedRelayer("evm", "mainnet", {
    id: "eth-main-2",
    name: "Mainnet 2",
    address: MAIN_2,
    signer_id: "signer-2",
    paused: true,
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
  }),
  seedRelayer("evm", "sepolia", {
    id: "eth-sepolia",
    name: "Sepolia",
    address: "0x90f79bf6eb2c4f870365e785982e1f101e93b906",
    signer_id: "signer-test",
    notification_id: "",
    system_disabled: true,
    disabled_reason: { type: "NonceSyncFailed", details: "Nonce synchronization failed" },
    policies: { eip1559_pricing: true },
  }),
  seedRelayer("evm", "polygon", {
    id: "polygon-bulk",
    name: "Polygon bulk",
    address: "0x15d34aaf54267db7d7c367839aaf71a00a2c6a65",
    signer_id: "signer-bulk",
    policies: {
      eip1559_pricing: false,
      gas_price_cap: 2n ** 128n - 1n,
      min_balance: 10n * ETH,
      private_transactions: false,
    },
  }),
  seedRelayer("solana", "mainnet-beta", {
    id: "sol-pay",
    name: "Solana pay",
    address: "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
    signer_id: "signer-sol",
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
  }),
  seedRelayer("stellar", "testnet", {
    id: "xlm-pay",
    name: "Stellar pay",
    address: "GDWR5TYCK2WHXWAKDU4QMQP4QEJBRIZKTHQK7RAKKNBGCFUMPCIY5GIM",
    signer_id: "signer-xlm-test",
    notification_id: "",
    system_disabled: true,
    disabled_reason: {
      type: "Multiple",
      details: [
        { type: "BalanceCheckFailed", details: "Insufficient balance" },
        { type: "SequenceSyncFailed", details: "Sequence synchronization failed" },
      ],
    },
    policies: { fee_payment_strategy: "relayer", min_balance: 50_000_000, max_fee: 1_000_000 },
  }),
  seedRelayer("stellar", "mainnet", {
    id: "xlm-treasury",
    name: "Stellar treasury",
    address: "GAAZI4TCR3TY5OJHCTJC2A4QSY6CJWJH5IAJTGKIN2ER7LBNVKOCCWN7",
    signer_id: "signer-xlm",
    notification_id: "treasury-hook",
    policies: {
      fee_payment_strategy: "relayer",
      min_balance: 1_000_000_000,
      timeout_seconds: 60,
      concurrent_transactions: false,
    },
  }),
];

/** Returns an active relayer that reports to `ops-hook`, unless its fields differ; an empty ID removes it. */
function seedRelayer(network_type: string, network: string, fields: Resource): Resource {
  const { id, name = null, address = null, signer_id = null, notification_id = "ops-hook", ...more } = fields;
  const named = { id, name, network, network_type, address, signer_id };
  return { ...named, ...(notification_id && { notification_id }), paused: false, system_disabled: false, ...more };
}

/** The relayers' opening balances: three times their minimum, or half of it for the poor one. */
export const demoBalances: Readonly<Record<string, bigint>> = {
  "base-hot": (3n * ETH) / 20n,
  "eth-main-1": (3n * ETH) / 2n,
  "eth-main-2": (3n * ETH) / 2n,
  "polygon-bulk": 30n * ETH,
  "sol-pay": 30_000_000n,
  "xlm-pay": 25_000_000n,
  "xlm-treasury": 3_000_000_000n,
};

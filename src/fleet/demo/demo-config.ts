/** The demo's file: docs/examples/fleet/config.json. */
export const DEMO_CONFIG = `{
  "notifications": [
    { "id": "audit-log", "type": "webhook", "url": "https://audit.example.org/relayer-events" },
    { "id": "oncall-hook", "type": "webhook", "url": "https://hooks.example.org/relayers/oncall" },
    {
      "id": "ops-hook",
      "type": "webhook",
      "url": "https://hooks.example.org/relayers/ops",
      "signing_key": { "type": "plain", "value": "demo-signing-key-of-the-ops-hook-0001" }
    },
    {
      "id": "treasury-hook",
      "type": "webhook",
      "url": "https://hooks.example.org/relayers/treasury",
      "signing_key": { "type": "plain", "value": "demo-signing-key-of-the-treasury-0001" }
    }
  ],
  "relayers": [
    {
      "id": "base-hot",
      "name": "Base hot",
      "network": "base",
      "paused": false,
      "network_type": "evm",
      "signer_id": "signer-base",
      "notification_id": "ops-hook",
      "custom_rpc_urls": ["https://base.rpc.example.org/v2/aG90LWtleS0wMQ"],
      "policies": { "gas_price_cap": 5000000000, "min_balance": 50000000000000000 }
    },
    {
      "id": "eth-main-1",
      "name": "Mainnet 1",
      "network": "mainnet",
      "paused": false,
      "network_type": "evm",
      "signer_id": "signer-1",
      "notification_id": "ops-hook",
      "custom_rpc_urls": [
        { "url": "https://rpc.example.org/v3/5b2f8c1d7a904e63", "weight": 80 },
        { "url": "https://backup.example.org", "weight": 20 }
      ],
      "policies": { "gas_price_cap": 80000000000, "min_balance": 500000000000000000 }
    },
    {
      "id": "eth-main-2",
      "name": "Mainnet 2",
      "network": "mainnet",
      "paused": true,
      "network_type": "evm",
      "signer_id": "treasury-kms",
      "notification_id": "ops-hook",
      "custom_rpc_urls": [
        { "url": "https://backup.example.org", "weight": 20 },
        { "url": "https://rpc.example.org/v3/91d0e6f47c3b4a25", "weight": 80 }
      ],
      "policies": {
        "gas_price_cap": 80000000000,
        "min_balance": 500000000000000000,
        "whitelist_receivers": [
          "0x8617E340B3D01FA5F11F306F4090FD50E238070D",
          "0x52908400098527886E0F7030069857D2E4169EE7"
        ]
      }
    },
    {
      "id": "eth-sepolia",
      "name": "Sepolia",
      "network": "sepolia",
      "paused": false,
      "network_type": "evm",
      "signer_id": "signer-test"
    },
    {
      "id": "polygon-bulk",
      "name": "Polygon bulk",
      "network": "polygon",
      "paused": false,
      "network_type": "evm",
      "signer_id": "signer-bulk",
      "notification_id": "ops-hook",
      "policies": {
        "eip1559_pricing": false,
        "gas_price_cap": 500000000000,
        "min_balance": 10000000000000000000,
        "private_transactions": false
      }
    },
    {
      "id": "sol-pay",
      "name": "Solana pay",
      "network": "mainnet-beta",
      "paused": false,
      "network_type": "solana",
      "signer_id": "signer-sol",
      "notification_id": "ops-hook",
      "custom_rpc_urls": ["https://sol.rpc.example.org/?api-key=c29sLWtleS0wMQ"],
      "policies": {
        "fee_payment_strategy": "user",
        "min_balance": 10000000,
        "max_signatures": 4,
        "allowed_tokens": [
          {
            "mint": "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",
            "decimals": 6,
            "symbol": "USDC",
            "max_allowed_fee": 1000000
          }
        ]
      }
    },
    {
      "id": "xlm-pay",
      "name": "Stellar pay",
      "network": "testnet",
      "paused": false,
      "network_type": "stellar",
      "signer_id": "signer-xlm-test",
      "policies": { "fee_payment_strategy": "relayer", "min_balance": 50000000, "max_fee": 1000000 }
    }
  ]
}
`;

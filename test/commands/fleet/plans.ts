import type { Plan, PlannedChange } from "../../../src/fleet/plan.ts";

export const EMPTY_PLAN: Plan = {
  format: 1,
  relayctl: "0.1.0",
  server: "https://relayer.example.org",
  created_at: "2026-08-20T10:12:00.000Z",
  files: ["config.json"],
  changes: [],
  cannot: [],
  not_compared: [],
  outside: [],
  unmanaged: [],
  same: 12,
};

export function changeOf(fields: Partial<PlannedChange>): PlannedChange {
  const required = { noun: "relayers", id: "eth-main-1", action: "update", members: [], body: {} } as const;
  return { ...required, effects: [], consent: "none", needs: [], at: "config.json:12:5", ...fields };
}

/** A plan with one of each. */
export const FULL_PLAN: Plan = {
  ...EMPTY_PLAN,
  changes: [
    changeOf({
      noun: "notifications",
      id: "oncall-hook",
      action: "create",
      at: "config.json:40:5",
      members: [
        { path: "type", before: null, after: "webhook" },
        { path: "url", before: null, after: "https://hooks.example.org/relayers/oncall" },
        { path: "signing_key", before: null, after: `\${env:ONCALL_KEY}`, at: "config.json:43:22" },
      ],
      body: { id: "oncall-hook" },
    }),
    changeOf({
      members: [
        { path: "policies.gas_price_cap", before: 80_000_000_000, after: 120_000_000_000, at: "config.json:19:24" },
        { path: "policies.min_balance", before: 500_000_000_000_000_000n, after: null, default: 1 },
        {
          path: "policies.whitelist_receivers",
          before: ["0x52908400098527886E0F7030069857D2E4169EE7"],
          after: ["0x52908400098527886E0F7030069857D2E4169EE7", "0x8617E340B3D01FA5F11F306F4090FD50E238070D"],
        },
        {
          path: "custom_rpc_urls",
          before: [{ url: "https://rpc.example.org/***", weight: 100 }],
          after: [{ url: "https://other.example.org/***", weight: 100 }],
        },
        { path: "notification_id", before: "ops-hook", after: "oncall-hook" },
      ],
      effects: ["transactions that pay more than before can be sent"],
      needs: ["notifications/oncall-hook"],
    }),
    changeOf({ id: "eth-sepolia", disabled: true, members: [{ path: "paused", before: false, after: true }] }),
    changeOf({ noun: "notifications", id: "old-hook", action: "delete", consent: "yes" }),
  ],
  cannot: [
    {
      noun: "relayers",
      id: "base-hot",
      path: "signer_id",
      before: "signer-base",
      after: "signer-2",
      at: "config.json:66:20",
      reason: "the service cannot change the signer of a relayer: delete the relayer and create it again",
    },
  ],
  not_compared: [
    { noun: "notifications", id: "ops-hook", path: "signing_key", reason: "the service does not return it" },
  ],
  outside: [
    { noun: "signers", id: "signer-1", path: "config.path", reason: "a keystore cannot be created by request" },
  ],
  unmanaged: [{ noun: "notifications", id: "treasury-hook" }],
};

export const RELAYERS = new Map(
  ["eth-main-1", "eth-sepolia", "base-hot"].map((id) => [id, { id, network: "mainnet", network_type: "evm" }]),
);

import { altered, disabledBy, hook, type Row, solana, stellar, well } from "../sick.ts";

const NETWORK = { id: "evm:mainnet", name: "mainnet", network_type: "evm", chain_id: 1, average_blocktime_ms: 12_000 };
const OWN = [{ url: "https://rpc.example.org/v3/key", weight: 100 }];
const NONE = undefined;

export const RELAYERS: readonly Row[] = [
  ["a nonce that could not be read", { relayers: [disabledBy(["NonceSyncFailed"])] }, ["fail REL-DISABLED r1"]],
  ["a node that failed its check", { relayers: [disabledBy(["RpcValidationFailed"])] }, ["fail REL-DISABLED r1"]],
  [
    "an own node that failed its check",
    { relayers: [disabledBy(["RpcValidationFailed"], { custom_rpc_urls: OWN })] },
    ["fail REL-DISABLED r1"],
  ],
  ["a balance that failed its check", { relayers: [disabledBy(["BalanceCheckFailed"])] }, ["fail REL-DISABLED r1"]],
  [
    "a sequence that could not be read",
    { relayers: [stellar({ system_disabled: true, disabled_reason: { type: "SequenceSyncFailed" } })] },
    ["fail REL-DISABLED xlm"],
  ],
  [
    "several reasons",
    { relayers: [disabledBy(["NonceSyncFailed", "RpcValidationFailed", "BalanceCheckFailed"])] },
    ["fail REL-DISABLED r1"],
  ],
  ["an unknown reason", { relayers: [disabledBy(["SignerLost"])] }, ["fail REL-DISABLED r1"]],
  ["no reason", { relayers: [disabledBy([])] }, ["fail REL-DISABLED r1"]],
  ["a paused relayer", { relayers: [well({ paused: true })] }, ["warn REL-PAUSED r1"]],
  ["a paused relayer of Solana", { relayers: [solana({ paused: true })] }, ["warn REL-PAUSED sol"]],
  [
    "a relayer that is paused and disabled",
    { relayers: [disabledBy(["NonceSyncFailed"], { paused: true })] },
    ["fail REL-DISABLED r1", "warn REL-PAUSED r1"],
  ],
  ["no cap", { relayers: [well({}, { gas_price_cap: NONE })] }, ["warn REL-NO-CAP r1"]],
  [
    "no cap on legacy transactions",
    { relayers: [well({}, { gas_price_cap: NONE, eip1559_pricing: false })] },
    ["warn REL-NO-CAP r1"],
  ],
  ["a cap below the market", { relayers: [well({}, { gas_price_cap: 5_000_000_000 })] }, ["warn REL-CAP-TIGHT r1"]],
  ["a cap that has no room", { relayers: [well({}, { gas_price_cap: 32_000_000_000 })] }, ["warn REL-CAP-TIGHT r1"]],
  ["a network like an optimistic rollup", { relayers: [well({ network: "base" })] }, ["note REL-NO-BUMP r1"]],
  ["a network like Arbitrum", { relayers: [well({ network: "arbitrum-one" })] }, ["note REL-NO-BUMP r1"]],
  ["no minimum", { relayers: [well({}, { min_balance: NONE })] }, ["warn REL-MIN-BALANCE-UNSET r1"]],
  ["a minimum of 1 wei", { relayers: [well({}, { min_balance: 1 })] }, ["warn REL-MIN-BALANCE-UNSET r1"]],
  [
    "no notification",
    { relayers: [well({ notification_id: NONE })] },
    ["warn REL-NO-NOTIFICATION r1", "note HOOK-UNUSED"],
  ],
  [
    "no notification in the whole service",
    { relayers: [well({ notification_id: NONE })], more: { notifications: [] } },
    ["warn REL-NO-NOTIFICATION r1"],
  ],
  [
    "a relayer without the notification of the others",
    { relayers: [well(), stellar({ notification_id: null })] },
    ["warn REL-NO-NOTIFICATION xlm"],
  ],
  ["any receiver", { relayers: [well({}, { whitelist_receivers: NONE })] }, ["note REL-ANY-RECEIVER r1"]],
  [
    "a URL with its mask next to whole ones",
    {
      relayers: [
        well({ custom_rpc_urls: [{ url: "https://rpc.example.org/***" }] }),
        stellar({ custom_rpc_urls: [{ url: "https://xlm.example.org/v2/key" }] }),
      ],
      alter: altered(/relayers\?/, "xlm.example.org/***", "xlm.example.org/v2/key"),
    },
    ["fail REL-MASKED-URL r1"],
  ],
  [
    "a URL of the network with its mask",
    { more: { networks: [{ ...NETWORK, rpc_urls: [{ url: "https://rpc.example.org/***" }] }] } },
    ["fail REL-MASKED-URL r1"],
  ],
  ["a notification without a key", { more: { notifications: [hook({ signing_key: NONE })] } }, ["warn HOOK-NO-KEY"]],
  [
    "a notification over http",
    { more: { notifications: [hook({ url: "http://hooks.example.org/ops" })] } },
    ["warn HOOK-HTTP"],
  ],
  ["a notification that is not used", { more: { notifications: [hook(), hook({ id: "old" })] } }, ["note HOOK-UNUSED"]],
  [
    "several problems of one relayer",
    { relayers: [well({ paused: true, notification_id: NONE }, { gas_price_cap: NONE })] },
    ["warn REL-PAUSED r1", "warn REL-NO-CAP r1", "warn REL-NO-NOTIFICATION r1", "note HOOK-UNUSED"],
  ],
  [
    "a relayer with a long ID",
    { relayers: [well({ id: "af095236-f78d-4298-b2b9-c0422af53fe1", paused: true }, { gas_price_cap: NONE })] },
    ["warn REL-PAUSED af095236-f78d-4298-b2b9-c0422af53fe1", "warn REL-NO-CAP af095236-f78d-4298-b2b9-c0422af53fe1"],
  ],
];

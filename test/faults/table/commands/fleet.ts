import type { Command } from "../command.ts";

/** evm-2 as the service has it, but not paused. */
const CONFIG = JSON.stringify({
  relayers: [
    {
      ...{ id: "evm-2", name: "Relayer evm-2", network: "testnet", network_type: "evm", paused: false },
      ...{ signer_id: "signer-1", notification_id: "hook-1", policies: { min_balance: 1 } },
      custom_rpc_urls: ["https://rpc.example.org/key"],
    },
  ],
});

export const fleetCommands: readonly Command[] = [
  {
    name: "apply of one change",
    argv: ["apply", "-f", "config.json", "--yes"],
    files: { "config.json": CONFIG },
    request: { method: "PATCH", path: "/api/v1/relayers/evm-2" },
    kind: "patch",
    bodies: ['{"paused":false}'],
    item: "evm-2",
    provable: true,
    readsFirst: true,
    outwaits: true,
    reports: true,
  },
];

import { type Command, row } from "../command.ts";

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
  row("apply -f config.json --yes", "PATCH /relayers/evm-2", {
    name: "apply of one change",
    files: { "config.json": CONFIG },
    ...{ kind: "patch", bodies: ['{"paused":false}'], item: "evm-2" },
    ...{ provable: true, readsFirst: true, outwaits: true, reports: true },
  }),
];

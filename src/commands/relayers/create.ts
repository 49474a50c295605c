import { relayerView } from "../../views/relayer.ts";
import { createCommand } from "../command.ts";
import { createRelayer } from "./create/create-relayer.ts";
import { defineRelayerCreateFlags, relayerCreationWithNotes } from "./create/flags.ts";

const SEPOLIA = "--network sepolia --network-type evm --signer-id signer-new";

export const relayersCreate = createCommand({
  summary: "Create a relayer for a signer on a network",
  sends: "create",
  ends: { not_found: "signer or notification not found", conflict: "ID or signer in use" },
  examples: [
    `relayctl relayers create --id eth-new --name 'Sepolia new' ${SEPOLIA} --policy gas_price_cap=80gwei`,
    "relayctl relayers create --name Treasury --network testnet --network-type stellar --signer-id signer-new --policy fee_payment_strategy=relayer --paused",
    `relayctl relayers create --name 'Sepolia new' ${SEPOLIA} --rpc-url https://rpc.example.org/v3/key,weight=80 --dry-run`,
  ],
  resource: relayerView,
  description:
    "Create a relayer: a signer's account on a network, with its policies. A signer can have one relayer on each network.",
  define: defineRelayerCreateFlags,
  interview: async (call) => (await import("./create/interview.ts")).createRelayerInterview(call),
  prepare: relayerCreationWithNotes,
  run: createRelayer,
});

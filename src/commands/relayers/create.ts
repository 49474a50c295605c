import type { JsonObject } from "../../contract/json.ts";
import { relayerFields } from "../../contract/resources/relayer.ts";
import { relayerView } from "../../views/relayer.ts";
import type { CommandFile } from "../command.ts";
import { defineFieldFlags } from "../flags/field-flags.ts";
import { BODY_FILE } from "../flags/options.ts";
import type { CommandSyntax } from "../flags/syntax.ts";
import { createRelayer } from "./create/create-relayer.ts";
import { type CreateFlags, creationWithNotes } from "./create/flags.ts";

const SEPOLIA = "--network sepolia --network-type evm --signer-id signer-new";

/** `relayctl relayers create` (facts 3.1). */
export const relayersCreate: CommandFile<CreateFlags, JsonObject> = {
  summary: "Create a relayer for a signer on a network",
  sends: "create",
  ends: { not_found: "signer or notification not found", conflict: "ID or signer in use" },
  examples: [
    `relayctl relayers create --id eth-new --name 'Sepolia new' ${SEPOLIA} --policy gas_price_cap=80gwei`,
    "relayctl relayers create --name Treasury --network testnet --network-type stellar --signer-id signer-new --policy fee_payment_strategy=relayer --paused",
    `relayctl relayers create --name 'Sepolia new' ${SEPOLIA} --rpc-url https://rpc.example.org/v3/key,weight=80 --dry-run`,
  ],
  resource: relayerView,
  define,
  interview: async (call) => (await import("./create/interview.ts")).createInterview(call),
  prepare: creationWithNotes,
  run: createRelayer,
};

function define(command: CommandSyntax): void {
  const described = command
    .description(
      "Create a relayer: a signer's account on a network, with its policies. A signer can have one relayer on each network.",
    )
    .optionsGroup("Fields");
  defineFieldFlags(described, relayerFields, "create")
    .optionsGroup("Policies")
    .option(
      "--policy <key=value>",
      "Set a policy, e.g. gas_price_cap=80gwei (repeatable); for keys and units, run `relayctl help policies`",
      "values",
    )
    .option("--policies <file>", "Read policies from a JSON file (`-` for stdin)")
    .optionsGroup("Request")
    .option(...BODY_FILE);
}

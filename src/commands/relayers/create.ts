import type { Command } from "commander";
import type { JsonObject } from "../../contract/json.ts";
import { NETWORK_KINDS } from "../../contract/network-kind.ts";
import { choiceOption } from "../choice-option.ts";
import type { CommandFile } from "../command.ts";
import { repeatable } from "../repeatable.ts";
import { createRelayer } from "./create/create-relayer.ts";
import { type CreateFlags, creationFromFlags } from "./create/flags.ts";
import { relayerView } from "./view.ts";

const SEPOLIA = "--network sepolia --network-type evm --signer-id signer-new";

/** `relayctl relayers create`: service-facts 3.1. */
export const relayersCreate: CommandFile<CreateFlags, JsonObject> = {
  summary: "add a relayer for a signer on a network",
  sends: "create",
  ends: { not_found: "no such signer or notification", conflict: "id or signer in use" },
  examples: [
    `relayctl relayers create --id eth-new --name 'Sepolia new' ${SEPOLIA} --policy gas_price_cap=80gwei`,
    "relayctl relayers create --name Treasury --network testnet --network-type stellar --signer-id signer-new --policy fee_payment_strategy=relayer --paused",
    `relayctl relayers create --name 'Sepolia new' ${SEPOLIA} --rpc-url https://rpc.example.org/v3/key,weight=80 --dry-run`,
  ],
  resource: relayerView,
  define,
  interview: async (call) => (await import("./create/interview.ts")).createInterview(call),
  prepare: creationFromFlags,
  run: createRelayer,
};

function define(command: Command): void {
  command
    .description(
      "Add a relayer: a signer's account on a network, with its policies. A signer can have one relayer on each network.",
    )
    .optionsGroup("Fields")
    .option("--name <text>", "what people call it (required)")
    .option("--network <name>", "the network's name, as sepolia (required)")
    .addOption(choiceOption("--network-type <type>", "its kind (required)", NETWORK_KINDS))
    .option("--signer-id <id>", "the signer that holds its key (required)")
    .option("--id <id>", "an id of your own, up to 36 letters, digits, - and _; without it one is made")
    .option("--paused", "let it take no work until it is resumed")
    .option("--notification-id <id>", "where it reports to")
    .option(
      "--rpc-url <url>",
      "repeat; in place of the network's own; URL,weight=80 weighs it from 0 to 100",
      repeatable,
    )
    .optionsGroup("Policies")
    .option("--policy <key=value>", "repeat; gas_price_cap=80gwei; keys and units: relayctl help policies", repeatable)
    .option("--policies <file>", "several at once, as JSON; - reads stdin")
    .optionsGroup("Request")
    .option("-f, --file <file>", "the whole body as JSON, which flags override; - reads stdin");
}

import type { Client } from "../../client/client.ts";
import { readId } from "../../command-support/ids.ts";
import { performRemoval } from "../../command-support/perform-removal.ts";
import { commandLine } from "../../command-support/shell-words.ts";
import { operations } from "../../contract/operations.ts";
import type { CommandFile } from "../command.ts";
import { relayerArgument } from "./arguments.ts";

/** `relayctl relayers delete <id>` (facts 3.1). */
export const relayersDelete: CommandFile<object, string> = {
  summary: "Delete a relayer that has no transaction in progress",
  sends: "remove",
  ends: { conflict: "a transaction is in progress" },
  examples: [
    "relayctl relayers delete eth-sepolia --yes",
    "relayctl relayers delete eth-sepolia --yes -o name",
    "relayctl relayers delete eth-sepolia --dry-run",
  ],
  args: [relayerArgument],
  define(command) {
    command.description(
      "Delete a relayer. The service rejects the request while one of its transactions is pending, sent, or submitted. Funds at the relayer's address stay there, under the control of its signer.",
    );
  },
  prepare: (call, problems) => readId(call, problems, "id", call.args[0]),
  run: (call, id) =>
    performRemoval(call, {
      request: { operation: operations["relayers.delete"], parameters: { relayer_id: id } },
      what: "relayer",
      id,
      readFirst: ({ client }) => identity(client, id),
      send: (client) => client.relayers.delete(id),
      readAgain: (session) => commandLine(...session.flags, "relayers", "get", id),
    }),
};

async function identity(client: Client, id: string): Promise<readonly string[]> {
  const { name, network, address, signer_id: signer } = (await client.relayers.get(id)).data;
  const known = Object.entries({ name, network, address, signer }).filter(([, value]) => typeof value === "string");
  return known.map(([label, value]) => `${label} ${value}`);
}

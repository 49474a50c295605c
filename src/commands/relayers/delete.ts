import type { Message } from "../../message.ts";
import type { Session } from "../../session/session.ts";
import { alignWidths } from "../../terminal/width.ts";
import { createDeleteCommand } from "../delete-command.ts";
import { relayerArgument } from "../resource-arguments.ts";

export const relayersDelete = createDeleteCommand({
  noun: "relayers",
  summary: "Delete a relayer that has no transaction in progress",
  description:
    "Delete a relayer. The service rejects the request while one of its transactions is pending, sent, or submitted. Funds at the relayer's address stay there, under the control of its signer.",
  examples: [
    "relayctl relayers delete eth-sepolia --yes",
    "relayctl relayers delete eth-sepolia --yes -o name",
    "relayctl relayers delete eth-sepolia --dry-run",
  ],
  argument: relayerArgument,
  conflict: "a transaction is in progress",
  readFirst: identityLines,
});

async function identityLines({ client }: Session, id: string): Promise<readonly Message[]> {
  const { name, network, address, signer_id: signer } = (await client.relayers.get(id)).data;
  const known = Object.entries({ name, network, address, signer }).filter(([, value]) => typeof value === "string");
  return alignWidths(known.map(([label, value]) => [label, String(value)]));
}

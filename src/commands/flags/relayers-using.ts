import type { Client } from "../../client/client.ts";
import type { Relayer } from "../../contract/resources/relayer.ts";
import { RelayctlError } from "../../errors.ts";
import { kept } from "../../session/listed.ts";

export interface UsedResource {
  field: "notification_id" | "signer_id";
  id: string;
  /** How relayers use it: `report to notification ops-hook`. */
  use: string;
  /** Returns the next command, for the first relayer. */
  hint(relayer: string): string;
}

/**
 * Throws if relayers use a resource that is to be deleted. The service would reject the deletion too, and list only
 * their names (facts 6 and 8.1).
 * @throws RelayctlError conflict, with their IDs
 */
export async function refuseWhileUsed(client: Client, { field, id, use, hint }: UsedResource): Promise<void> {
  const relayers = await kept<Relayer>(client.relayers.list(), (relayer) => relayer[field] === id);
  const users = relayers.map((relayer) => relayer.id);
  if (users.length === 0) return;
  throw new RelayctlError("conflict", `relayers ${use}: ${users.join(", ")}`, {
    because: ["nothing was sent: the service does not delete what is in use"],
    hint: hint(users[0] ?? ""),
  });
}

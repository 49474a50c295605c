import type { Client } from "../../client/client.ts";
import type { Relayer } from "../../contract/resources/relayer.ts";
import { RelayctlError } from "../../errors.ts";
import { kept } from "../listed.ts";

/** A thing that relayers name, and how one is freed of it. */
export interface UsedThing {
  /** The member of a relayer that names it. */
  field: "notification_id" | "signer_id";
  id: string;
  /** What they do with it: `report to notification ops-hook`. */
  use: string;
  /** The command to go on with, for the first of them. */
  hint(relayer: string): string;
}

/**
 * Looks for relayers that use a resource before it is deleted. The service would reject the deletion too, and list only
 * their names (facts 6 and 8.1).
 * @throws RelayctlError conflict, with their IDs
 */
export async function refuseWhileUsed(client: Client, { field, id, use, hint }: UsedThing): Promise<void> {
  const relayers = await kept<Relayer>(client.relayers.list(), (relayer) => relayer[field] === id);
  const users = relayers.map((relayer) => relayer.id);
  if (users.length === 0) return;
  throw new RelayctlError("conflict", `relayers ${use}: ${users.join(", ")}`, {
    because: ["nothing was sent: the service does not delete what is in use"],
    hint: hint(users[0] ?? ""),
  });
}

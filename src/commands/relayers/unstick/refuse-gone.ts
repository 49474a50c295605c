import type { Client } from "../../../client/client.ts";
import { commandLine } from "../../../command-support/shell-words.ts";
import { RelayctlError } from "../../../errors.ts";
import type { Call } from "../../command.ts";
import type { Diagnosed } from "./read-diagnosis.ts";
import type { TakenStep } from "./result.ts";

/**
 * Refuses to call a relayer free if the service deleted a transaction that a step was for, and the chain is not known to
 * have used its nonce: a service without a database loses its records when it restarts.
 * @throws RelayctlError pending
 */
export async function refuseGone(
  call: Call,
  { diagnosis: { nonce: next }, queue: { relayerId } }: Diagnosed,
  taken: readonly TakenStep[],
): Promise<void> {
  const { client, flags } = await call.session();
  for (const { nonce, id } of taken) {
    const isUsed = next !== undefined && nonce !== undefined && next > nonce;
    if (isUsed || id === undefined || (await isThere(client, relayerId, id))) continue;
    const use = next === undefined ? "is not known to be used on the chain" : "is still not used on the chain";
    const rule = `the service does not have transaction ${id} anymore; what it broadcast may still be mined`;
    throw new RelayctlError("pending", `nonce ${nonce ?? "unknown"} of ${relayerId} ${use}`, {
      applied: "yes",
      because: [rule],
      details: [{ where: `${relayerId}/${id}`, given: "not_found", rule }],
      hint: commandLine(...flags, "tx", "list", relayerId),
      retryable: false,
    });
  }
}

async function isThere(client: Client, relayerId: string, id: string): Promise<boolean> {
  try {
    await client.tx.get(relayerId, id);
    return true;
  } catch (error) {
    if (error instanceof RelayctlError && error.failure === "not_found") return false;
    throw error;
  }
}

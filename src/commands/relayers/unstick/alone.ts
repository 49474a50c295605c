import { RelayctlError } from "../../../errors.ts";
import type { Call } from "../../command.ts";

/**
 * Runs work while no other run frees the same relayer, as far as a journal is kept: without one, each step checks that
 * its transaction has not changed.
 * @throws RelayctlError conflict if another run is in progress
 */
export async function alone<T>(call: Call, relayerId: string, work: () => Promise<T>): Promise<T> {
  const session = await call.session();
  const journal = await session.journal();
  if (!journal) return await work();
  let isAhead = false;
  try {
    return await journal.exclusively(`unstick ${session.origin} ${relayerId}`, () => {
      isAhead = true;
      return work();
    });
  } catch (error) {
    if (isAhead || !(error instanceof RelayctlError)) throw error;
    if (error.failure === "conflict")
      throw new RelayctlError("conflict", `another run frees ${relayerId}`, {
        because: ["nothing was sent"],
        retryable: true,
      });
    // A relayer must be freed even if the disk is full.
    await call.say(`warning: another run could free ${relayerId} at the same time: ${error.message}`);
    return await work();
  }
}

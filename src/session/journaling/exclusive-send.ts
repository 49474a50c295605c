import { interruptedError, unsentError, workUnder } from "../../errors.ts";
import type { Session } from "../session.ts";

/**
 * Checks a transaction and sends it again while no other process on this machine does the same, as far as a journal is
 * kept. The lock is held for a check and one request, never at a question or during a wait; a dead process's lock is
 * taken over after seconds. A journal that can't be written is not a reason to leave a transaction stuck.
 * @throws RelayctlError conflict if another process sends it for longer than ten seconds
 */
export async function sendExclusively<T>(
  session: Session,
  { relayerId, id }: { relayerId: string; id: string },
  send: () => Promise<T>,
): Promise<T> {
  const journal = await session.journal();
  if (!journal) return await send();
  const key = `tx ${id} of ${relayerId} at ${session.origin}`;
  const lock = (work: () => Promise<T>) => journal.exclusively(key, work);
  return await workUnder(lock, send, async ({ failure, message }) => {
    if (failure === "interrupted") throw interruptedError("; nothing was sent");
    if (failure === "conflict")
      throw unsentError("conflict", `another run is sending transaction ${id} again`, { retryable: true });
    await session.say({ warning: `another run could send ${id} at the same time: ${message}` });
    return await send();
  });
}

import { acceptLostLines } from "../../command-support/journaling/lost-lines.ts";
import { isDryRun } from "../../command-support/shown.ts";
import { checkCapLocks } from "../../recovery/cap-lock.ts";
import type { Call } from "../command.ts";

/** Checks caps as `checkCapLocks` does, after what the journal lost. @throws RelayctlError also io if it lost lines */
export async function checkRaisedCaps(call: Call, relayerIds: readonly string[], raises: boolean): Promise<void> {
  if (!raises && isDryRun(call)) return;
  const session = await call.session();
  const journal = await session.journal();
  // A lost line may have the earlier cap of a relayer whose cap is raised.
  if (raises && journal) await acceptLostLines(call, journal, "raising a cap");
  await checkCapLocks(session, relayerIds, { raises, sends: !isDryRun(call) });
}

import { leftRaised } from "../../../command-support/journaling/raised-caps.ts";
import { commandLine } from "../../../command-support/shell-words.ts";
import { RelayctlError } from "../../../errors.ts";
import type { Journal } from "../../../journal/journal.ts";
import type { Call } from "../../command.ts";
import { capText } from "./cap-text.ts";
import type { Raised } from "./restore-cap.ts";

/**
 * Runs work while no other process on this machine raises the cap of the relayer.
 * @throws RelayctlError conflict if another one does, or if an earlier one left it raised: its old value would be lost
 */
export async function aloneWithCap<T>(call: Call, raised: Raised, work: () => Promise<T>): Promise<T> {
  const session = await call.session();
  const journal = await session.journal();
  const { key, relayerId } = raised;
  let isAlone = false;
  const started = async () => {
    isAlone = true;
    if (journal) await refuseLeftRaised(journal, raised, session.flags);
    return await work();
  };
  try {
    return await (journal ?? (await call.app.journal("user"))).exclusively(key, started);
  } catch (error) {
    if (isAlone || !(error instanceof RelayctlError)) throw error;
    if (error.failure === "conflict") throw inProgress(relayerId);
    if (journal) throw error.with({ because: ["nothing was sent"] });
    await call.say(`note: other runs cannot be kept from raising the cap at the same time: ${error.message}`);
    return await work();
  }
}

function inProgress(relayerId: string): RelayctlError {
  return new RelayctlError("conflict", `another run is raising gas_price_cap of ${relayerId}`, {
    because: ["nothing was sent"],
    retryable: true,
  });
}

async function refuseLeftRaised(journal: Journal, { key, relayerId }: Raised, flags: readonly string[]): Promise<void> {
  const [left] = await leftRaised(journal, key);
  if (!left) return;
  const { run } = left.write.intent;
  throw new RelayctlError("conflict", `run ${run} may have left gas_price_cap of ${relayerId} raised`, {
    because: [`it was ${capText(left.from)} before`, "nothing was sent"],
    hint: commandLine(...flags, "history", "settle"),
    retryable: false,
  });
}

import { readNonce } from "../../../chain/evm/account.ts";
import { addressOf } from "../../../chain/evm/quantity.ts";
import { createPace } from "../../../chain/follow/pace.ts";
import type { Reading } from "../../../chain/node/node.ts";
import type { Client } from "../../../client/client.ts";
import { createStopwatch } from "../../../command-support/session/stopwatch.ts";
import { commandLine } from "../../../command-support/shell-words.ts";
import { isFinal, statusOf } from "../../../contract/transaction/transaction-state.ts";
import { RelayctlError } from "../../../errors.ts";
import { DEFAULT_TIMEOUT, FOLLOW_DEADLINE } from "../../../timing.ts";
import type { Call } from "../../command.ts";
import type { Diagnosed } from "./read-diagnosis.ts";

/**
 * Waits until the chain has used the head's nonce, or the record of the head has ended. Reads that fail are repeated.
 * @param wrote whether a write of the same command was applied
 * @throws RelayctlError pending at the deadline; interrupted
 */
export async function awaitHead(call: Call, { diagnosis, queue }: Diagnosed, wrote: boolean): Promise<void> {
  const { clock, interrupt } = call.app;
  const session = await call.session();
  const { remaining = () => 0 } = session.remaining ? session : createStopwatch(clock, FOLLOW_DEADLINE);
  const { relayerId, chain } = queue;
  const { record, nonce } = diagnosis.head ?? {};
  const address = addressOf(chain.relayer?.address);
  if (nonce === undefined || address === undefined) return;
  const client = session.briefly(DEFAULT_TIMEOUT);
  const stopped = (failure: "pending" | "interrupted", words: string) =>
    new RelayctlError(failure, words, {
      applied: wrote ? "yes" : "no",
      retryable: failure === "pending" && !wrote,
      hint: commandLine(...session.flags, "relayers", "unstick", relayerId),
    });
  await call.say(`waiting until nonce ${nonce} is used on the chain`);
  const pace = createPace(clock);
  for (;;) {
    const next = await readNonce(chain.node, address, "latest");
    if ("value" in next && next.value > nonce) return;
    if (record && (await hasEnded(client.tx, relayerId, record.id))) return;
    if (remaining() <= 0) throw stopped("pending", `nonce ${nonce} of ${relayerId} is still not used on the chain`);
    await clock.sleep(Math.max(0, Math.min(pace(isLimited(next)), remaining())), interrupt);
    if (interrupt.aborted) throw stopped("interrupted", `interrupted while nonce ${nonce} of ${relayerId} waits`);
  }
}

function isLimited(reading: Reading<bigint>): boolean {
  return "fault" in reading && reading.fault.kind === "limited";
}

/** Returns whether a record ended without being mined; a failed read is repeated. */
async function hasEnded(tx: Pick<Client["tx"], "get">, relayerId: string, id: string): Promise<boolean> {
  try {
    const status = statusOf((await tx.get(relayerId, id)).data);
    return isFinal(status) && status !== "confirmed";
  } catch (error) {
    if (!(error instanceof RelayctlError) || error.failure === "interrupted") throw error;
    return error.failure === "not_found";
  }
}

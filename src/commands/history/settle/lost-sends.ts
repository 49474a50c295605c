import { openChain } from "../../../chain/open-chain.ts";
import { RelayctlError } from "../../../errors.ts";
import type { Journal } from "../../../journal/journal.ts";
import type { RecordedWrite } from "../../../journal/writes.ts";
import { findSends } from "../../../recovery/find-sends.ts";
import { type Finding, unknown } from "../../../recovery/finding.ts";
import { lostSendOf } from "../../../recovery/lost-send.ts";
import { writeStateOf } from "../../../recovery/write-state.ts";
import type { Call } from "../../command.ts";
import { earlierRequest } from "./earlier-request.ts";

/** Finds out what became of the requests that create transactions, relayer by relayer. */
export async function findLostSends(
  call: Call,
  journal: Journal,
  writes: readonly RecordedWrite[],
): Promise<ReadonlyMap<string, Finding>> {
  const { client, origin: server, ownNode } = await call.session();
  const isLost = (write: RecordedWrite) =>
    write.intent.operation === "tx.send" &&
    !("because" in earlierRequest(write.intent)) &&
    writeStateOf(write, journal) === "unknown";
  const intents = writes.filter(isLost).map(({ intent }) => intent);
  const findings = new Map<string, Finding>();
  for (const relayerId of new Set(intents.map(({ ids }) => ids.relayer_id ?? ""))) {
    const sends = intents.filter(({ ids }) => ids.relayer_id === relayerId).map(lostSendOf);
    const chain = () => openChain({ client, relayerId, ownNode: (network) => ownNode(network) });
    const world = { server, relayerId, client, journal, now: () => call.app.clock.now(), chain };
    const found = await findSends(world, sends).catch((error: unknown) => {
      if (!(error instanceof RelayctlError) || error.failure === "interrupted") throw error;
      const words = [error.message, ...error.because].join("; ");
      return new Map(sends.map(({ id }) => [id, unknown(`it could not be checked: ${words}`)]));
    });
    for (const [id, finding] of found) findings.set(id, finding);
  }
  return findings;
}

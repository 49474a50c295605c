import type { Speed } from "../../../chain/evm/fee-history.ts";
import { type Chain, openChain } from "../../../chain/open-chain.ts";
import { diagnose } from "../../../chain/queue/diagnose.ts";
import type { Diagnosis } from "../../../chain/queue/diagnosis.ts";
import { type QueueReading, readQueue } from "../../../chain/queue/read-queue.ts";
import { symbolFor } from "../../../coins/symbol-for.ts";
import { currencyOf } from "../../../contract/currency.ts";
import { usageError } from "../../../errors.ts";
import type { StepPlace } from "../../../relayer-state/step-words.ts";
import type { Session } from "../../../session/session.ts";
import { commandLine } from "../../../shell/shell-words.ts";
import type { Call } from "../../command.ts";
import { pendingTransactions } from "../../tx/cancel-pending/pending.ts";

export interface QueueRequest {
  relayerId: string;
  nodeUrl: string | undefined;
  /** The speed of a bump (default: the fastest that works). */
  speed: Speed | undefined;
}

interface Queue {
  session: Session;
  relayerId: string;
  chain: Chain;
  speed: Speed | undefined;
}

export interface Diagnosed extends QueueReading {
  diagnosis: Diagnosis;
  queue: Queue;
}

export async function openQueue(call: Call, { relayerId, nodeUrl: url, speed }: QueueRequest): Promise<Queue> {
  const session = await call.session();
  const { data } = await session.client.relayers.get(relayerId);
  const { network_type: kind } = data;
  if (kind !== undefined && kind !== null && kind !== "evm") {
    const rule = `is a relayer on ${kind}, whose transactions do not wait for each other's nonces: the service neither replaces nor cancels them, and they expire by themselves`;
    throw usageError(
      [{ where: "<id>", rule, given: relayerId }],
      commandLine(...session.flags, "tx", "list", relayerId),
    );
  }
  const ownNode = (network: string | undefined) => session.ownNode(network, { url });
  return { session, relayerId, chain: await openChain({ client: session.client, relayerId, ownNode }), speed };
}

export async function readDiagnosis(call: Call, queue: Queue): Promise<Diagnosed> {
  const { client } = queue.session;
  const reading = await readQueue({
    client,
    ...queue,
    listRecords: (isWanted) => pendingTransactions(client, queue.relayerId, isWanted),
    isDemo: call.common.demo === true,
    now: call.app.clock.now(),
  });
  return { ...reading, diagnosis: diagnose(reading.evidence), queue };
}

export async function placeOf(
  call: Call,
  { session: { flags }, relayerId, chain: { relayer } }: Queue,
): Promise<StepPlace> {
  const address = typeof relayer?.address === "string" ? relayer.address : undefined;
  const coin = currencyOf("evm", relayer && (await symbolFor(call, relayer)));
  return { relayerId, address, flags, coin };
}

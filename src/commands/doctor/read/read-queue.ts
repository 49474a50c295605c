import { readNonce } from "../../../chain/evm/account.ts";
import { addressOf } from "../../../chain/evm/quantity.ts";
import { type NetworkFacts, replacesUnraised } from "../../../chain/network.ts";
import type { ChainNode } from "../../../chain/node/node.ts";
import { diagnose } from "../../../chain/queue/diagnose.ts";
import type { QueueEvidence } from "../../../chain/queue/diagnosis.ts";
import { readQueue } from "../../../chain/queue/read-queue.ts";
import { readUsed } from "../../../chain/queue/read-used.ts";
import { slotsOf } from "../../../chain/queue/slots.ts";
import { wireAmount } from "../../../contract/amount.ts";
import { isJsonObject, type JsonObject } from "../../../contract/json.ts";
import type { Relayer } from "../../../contract/resources/relayer.ts";
import { RelayctlError } from "../../../errors.ts";
import type { Fact, Queue, Records } from "../facts.ts";
import { isRefusal, missingFact, type Ration, SPENT, silentFact, whyMissing } from "./ration.ts";

interface QueueSource {
  relayer: Relayer;
  ration: Ration;
  node: ChainNode;
  facts: NetworkFacts;
  records: Fact<Records>;
  status: Fact<JsonObject>;
  isDemo: boolean;
  now: number;
}

/** Reads what holds up the transactions of an EVM relayer. An empty queue takes one request. */
export async function readQueueFact(source: QueueSource): Promise<Fact<Queue>> {
  const { relayer, node, facts, records, status, isDemo, now } = source;
  if ("skipped" in records) return records;
  const address = addressOf(relayer.address);
  if (address === undefined) return { skipped: "the service does not show an EVM address of the relayer" };
  const nonce = await readNonce(node, address, "latest");
  if ("fault" in nonce) return silentFact(nonce.fault);
  const policies = isJsonObject(relayer.policies) ? relayer.policies : {};
  const cap = wireAmount(policies.gas_price_cap);
  const data = "value" in status ? status.value : undefined;
  const { newest } = records.value;
  const counted = await counterAt(source, wireAmount(data?.nonce), nonce.value);
  if ("skipped" in counted) return counted;
  const counter = counted.value;
  const slots = slotsOf({ records: newest, chain: { nonce: nonce.value } });
  const known = {
    relayer: {
      id: relayer.id,
      address,
      isPaused: relayer.paused === true,
      isDisabled: relayer.system_disabled === true,
    },
    ...{ counter, cap, now, isUnraised: replacesUnraised(facts) },
  };
  // Only records that are late, if any: what waits at the node does not matter then.
  if ([slots.open, slots.unnumbered, slots.ended].every(({ length }) => length === 0)) {
    const chain = { nonce: nonce.value, balance: wireAmount(data?.balance) };
    const usedBy = await readUsed(node, newest, chain);
    return queueOf({ ...known, records: slots.used, chain: { ...chain, usedBy } });
  }
  const { evidence, fault, missing } = await readQueue({
    client: rationedClient(source, data && { ...data, nonce: counter ?? null }),
    relayerId: relayer.id,
    chain: { node, network: facts, relayer, cap },
    listRecords: async (isWanted) => newest.filter((record) => isWanted(record)).reverse(),
    isDemo,
    now,
  });
  if (fault) return silentFact(fault);
  const skipped = missing.find(isRefusal);
  return skipped === undefined ? queueOf(evidence) : missingFact({ skipped });
}

/**
 * Returns the service's counter, which is read again if it is below the chain's nonce: a busy relayer may have sent
 * something since the status was read. What it counts beyond that nonce by then is not known to be a gap.
 */
async function counterAt(
  { relayer, ration }: QueueSource,
  counter: bigint | undefined,
  nonce: bigint,
): Promise<Fact<bigint | undefined>> {
  if (counter === undefined || counter >= nonce) return { value: counter };
  const asked = await ration.ask(async (client) => (await client.relayers.status(relayer.id)).data);
  if (!("value" in asked)) return missingFact(asked);
  const again = wireAmount(asked.value.nonce);
  return { value: again !== undefined && again > nonce ? nonce : again };
}

function queueOf(evidence: QueueEvidence): Fact<Queue> {
  return { value: { evidence, diagnosis: diagnose(evidence) } };
}

/** The records of which it is known what used their nonces are compared first (facts 15.8). */
export function comparedFact(queue: Fact<Queue>): Fact<true> {
  if ("skipped" in queue) return queue;
  const { evidence } = queue.value;
  const { usedBy } = evidence.chain ?? {};
  const isCompared = slotsOf(evidence).used.every(({ id }) => usedBy?.has(id));
  return isCompared ? { value: true } : { skipped: SPENT };
}

/** Returns a client for the rest of the ration, which shows the status that was read already. */
function rationedClient(
  { ration }: QueueSource,
  status: JsonObject | undefined,
): Parameters<typeof readQueue>[0]["client"] {
  return {
    relayers: {
      async status() {
        if (status) return { data: status, body: new Uint8Array(), unconfirmed: [] };
        throw new RelayctlError("server", "the status was not read");
      },
    },
    tx: {
      async getByNonce(id, nonce) {
        const asked = await ration.ask((client) => client.tx.getByNonce(id, nonce));
        if ("value" in asked) return asked.value;
        throw "failure" in asked ? asked.failure : new RelayctlError("server", whyMissing(asked));
      },
    },
  };
}

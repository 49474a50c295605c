import { readNonce } from "../../../chain/evm/account.ts";
import { addressOf } from "../../../chain/evm/quantity.ts";
import { type NetworkFacts, replacesUnraised } from "../../../chain/network.ts";
import type { ChainNode } from "../../../chain/node/node.ts";
import { diagnose } from "../../../chain/queue/diagnose.ts";
import { readQueue } from "../../../chain/queue/read-queue.ts";
import { slotsOf } from "../../../chain/queue/slots.ts";
import { wireAmount } from "../../../contract/amount.ts";
import { isJsonObject, type JsonObject } from "../../../contract/json.ts";
import type { Relayer } from "../../../contract/resources/relayer.ts";
import { RelayctlError } from "../../../errors.ts";
import type { Fact, Queue, Records } from "../facts.ts";
import { type Ration, whyMissing } from "./ration.ts";

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
  if ("fault" in nonce) return { skipped: nonce.fault.words };
  const policies = isJsonObject(relayer.policies) ? relayer.policies : {};
  const cap = wireAmount(policies.gas_price_cap);
  const data = "value" in status ? status.value : undefined;
  const { newest } = records.value;
  const counter = wireAmount(data?.nonce);
  const slots = slotsOf({ records: newest, chain: { nonce: nonce.value } });
  const isEmpty = Object.values(slots).every(({ length }) => length === 0);
  if (isEmpty && (counter === undefined || counter === nonce.value)) {
    const evidence = {
      relayer: {
        id: relayer.id,
        address,
        isPaused: relayer.paused === true,
        isDisabled: relayer.system_disabled === true,
      },
      records: [],
      chain: { nonce: nonce.value, balance: wireAmount(data?.balance) },
      ...{ counter, cap, now, isUnraised: replacesUnraised(facts) },
    };
    return { value: { evidence, diagnosis: diagnose(evidence) } };
  }
  const { evidence, fault } = await readQueue({
    client: rationedClient(source, data),
    relayerId: relayer.id,
    chain: { node, network: facts, relayer, cap },
    listRecords: async (isWanted) => newest.filter((record) => isWanted(record)).reverse(),
    isDemo,
    now,
  });
  return fault ? { skipped: fault.words } : { value: { evidence, diagnosis: diagnose(evidence) } };
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

import { wireAmount } from "../../contract/amount.ts";
import { formatAmount } from "../../contract/amount-in-unit.ts";
import { type JsonObject, objectIn } from "../../contract/json.ts";
import type { ChainToServe } from "../../contract/serving.ts";
import { RelayctlError } from "../../errors.ts";
import { type Handler, jsonBody } from "../handler.ts";
import { buildStatus } from "../handlers/relayers.ts";
import { callingNodeBy, maskedError } from "../handlers.ts";
import { NodeError } from "../node/chain.ts";
import { openzeppelinDialect } from "../openzeppelin/dialect.ts";
import { serviceHandlers } from "../openzeppelin/handlers.ts";
import { replacingBy } from "../openzeppelin/replace-transaction.ts";
import { Refusal } from "../refusal.ts";
import { createState, type ServerState } from "../state/state.ts";
import { relayerOf } from "../transaction/lookup.ts";
import type { ServerRandom } from "../world.ts";
import { type ChainWorld, getNextNonce, type RealChain } from "./chain-world.ts";
import { makeKey, openKey } from "./key.ts";
import { askForRequest, askNode, FailedCall, readBlockTime, readMarket, readQuantity } from "./node.ts";
import { workOnChain } from "./worker.ts";

function readingHandlers(chain: RealChain) {
  const { node } = chain;
  const readBalance = (address: unknown) =>
    askForRequest(readQuantity(node, "eth_getBalance", String(address), "latest"));
  const getStatus: Handler = async ({ ids: [id = ""], store }) => {
    const balance = await readBalance(chain.key.address);
    return store.read((state) => {
      const nonce = String(getNextNonce(state, chain, id));
      return { data: buildStatus(state, relayerOf(state, id), balance, { nonce }) };
    });
  };
  const getBalance: Handler = async ({ ids: [id = ""], store }) => {
    const { address } = await store.read((state) => relayerOf(state, id));
    return { data: { balance: await readBalance(address), unit: "wei" } };
  };
  return { "relayers.status": getStatus, "relayers.balance": getBalance, "relayers.rpc": callNode(chain) };
}

/** Passes a request on, and hides the node's error messages (facts 15.5). */
function callNode({ node }: RealChain): Handler {
  return callingNodeBy(async ({ method, params }, { store }) => {
    const failure = await store.read(({ faults }) => faults?.nodeCode(method));
    if (failure !== undefined) return maskedError(new NodeError(failure).message);
    try {
      return { result: await askNode(node, method, ...params) };
    } catch (error) {
      if (!(error instanceof FailedCall)) throw error;
      if (error.code === undefined) throw new Refusal(500, `Transport error: ${error.message}`);
      return maskedError(new NodeError(error.code).message);
    }
  });
}

function signingHandlers({ key }: RealChain) {
  const signing =
    (checked: Handler, sign: (body: JsonObject) => JsonObject): Handler =>
    async (call) => {
      await checked(call);
      const body = jsonBody(call.request);
      return { data: sign(objectIn(body)) };
    };
  return {
    "relayers.sign": signing(serviceHandlers["relayers.sign"], ({ message }) => key.signMessage(String(message))),
    "relayers.sign-typed-data": signing(
      serviceHandlers["relayers.sign-typed-data"],
      ({ domain_separator: domain, hash_struct_message: struct }) => key.signTypedData(String(domain), String(struct)),
    ),
  };
}

function replaceOn({ node, key, chainId }: RealChain): Handler {
  return replacingBy(async () => {
    const [market, balance] = await askForRequest(
      Promise.all([readMarket(node), readQuantity(node, "eth_getBalance", key.address, "latest")]),
    );
    return {
      market,
      balance,
      // Without a nonce there is nothing to sign yet.
      signed: (_, record) => (record.nonce === null ? {} : key.signRecord(record, chainId).members),
    };
  });
}

function limited(maxValue: bigint, handler: Handler): Handler {
  return async (call) => {
    const body = jsonBody(call.request);
    const value = wireAmount(objectIn(body).value);
    if (value !== undefined && value > maxValue) {
      throw new Refusal(
        400,
        `The value is above the limit of this server, ${formatAmount(maxValue, "wei")} (--max-value)`,
      );
    }
    return await handler(call);
  };
}

const oneRelayer: Handler = async () => {
  throw new Refusal(400, "This server has one relayer and one key (relayctl serve --node)");
};

const LOCAL = "evm-local";
/** Milliseconds between blocks, if the chain has too few of them. */
const USUAL_BLOCK_TIME = 12_000;

interface LocalChain {
  address: string;
  chainId: number;
  /** A key in it is masked in responses. */
  url: string;
  /** Undefined if the chain has too few blocks. */
  blockTime: number | undefined;
}

function localState({ address, chainId, url, blockTime = USUAL_BLOCK_TIME }: LocalChain): ServerState {
  const rpc_urls = [{ url, weight: 100 }];
  return createState({
    networks: [
      {
        id: `evm:${LOCAL}`,
        name: LOCAL,
        network_type: "evm",
        rpc_urls,
        explorer_urls: [],
        average_blocktime_ms: Math.round(blockTime),
        is_testnet: true,
        chain_id: chainId,
        required_confirmations: 1,
        features: ["eip1559"],
        symbol: "ETH",
      },
    ],
    signers: [{ id: `${LOCAL}-signer`, type: "local", config: {} }],
    relayers: [
      {
        id: LOCAL,
        name: "Local",
        network: LOCAL,
        network_type: "evm",
        address,
        signer_id: `${LOCAL}-signer`,
        paused: false,
        system_disabled: false,
        policies: { eip1559_pricing: true, min_balance: 0 },
      },
    ],
    transactions: [],
    notifications: [],
    plugins: [],
  });
}

/** Opens a relayer on a real chain, with its transactions in memory. @throws RelayctlError network if the node does not respond */
export async function openRealChain(chain: ChainToServe, random: ServerRandom) {
  const { node, url, maxValue } = chain;
  const key = openKey(await readKey(chain));
  const [chainId, sent, blockTime] = await Promise.all([
    readQuantity(node, "eth_chainId"),
    readQuantity(node, "eth_getTransactionCount", key.address, "latest"),
    readBlockTime(node),
  ]).catch((error: unknown) => {
    if (!(error instanceof FailedCall)) throw error;
    const hint = "relayctl serve --help";
    throw new RelayctlError("network", `${node.name}: ${error.message}`, { cause: error, hint });
  });
  const real: RealChain = { node, key, chainId: Number(chainId), firstNonce: Number(sent) };
  await chain.opened({ address: key.address, chainId: real.chainId });
  return {
    state: localState({ address: key.address, chainId: real.chainId, url, blockTime }),
    dialect: {
      ...openzeppelinDialect(random),
      handlers: {
        ...serviceHandlers,
        ...readingHandlers(real),
        ...signingHandlers(real),
        "tx.send": limited(maxValue, serviceHandlers["tx.send"]),
        "tx.replace": limited(maxValue, replaceOn(real)),
        "relayers.create": oneRelayer,
        "signers.create": oneRelayer,
      },
    },
    /** Does the work of the service's queues, until the signal. */
    work: (world: Omit<ChainWorld, keyof RealChain | "broadcast">, signal: AbortSignal) =>
      workOnChain({ ...world, ...real, broadcast: new Map() }, signal),
  };
}

async function readKey({ keyFile }: ChainToServe): Promise<`0x${string}`> {
  const kept = await keyFile?.load();
  if (kept) return kept;
  const made = makeKey();
  await keyFile?.save(made);
  return made;
}

import { wireAmount } from "../../contract/amount.ts";
import { formatAmount } from "../../contract/amount-in-unit.ts";
import { isJsonObject, type JsonObject } from "../../contract/json.ts";
import type { OperationId } from "../../contract/operations.ts";
import { jsonBody } from "../body.ts";
import type { Handler } from "../handler.ts";
import { buildStatus } from "../handlers/relayers.ts";
import { callingNodeBy, maskedError } from "../handlers.ts";
import { NodeError } from "../node/node-error.ts";
import { serviceHandlers } from "../openzeppelin/handlers.ts";
import { replacingBy } from "../openzeppelin/replace-transaction.ts";
import { Refusal } from "../refusal.ts";
import { relayerOf } from "../transaction/lookup.ts";
import { getNextNonce, type RealChain } from "./chain-world.ts";
import { askForRequest, askNode, FailedCall, readMarket, readQuantity } from "./node.ts";

/** The handlers of the real service whose responses follow from the chain. The rest is as in the demo. */
export function realHandlers(chain: RealChain, maxValue: bigint): Readonly<Record<OperationId, Handler>> {
  return {
    ...serviceHandlers,
    ...readingHandlers(chain),
    ...signingHandlers(chain),
    "tx.send": limited(maxValue, serviceHandlers["tx.send"]),
    "tx.replace": limited(maxValue, replaceOn(chain)),
    "relayers.create": oneRelayer,
    "signers.create": oneRelayer,
  };
}

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
  return { "relayers.status": getStatus, "relayers.balance": getBalance, "relayers.rpc": callNodeOf(chain) };
}

/** Passes a request on, and hides what the node says about an error (facts 15.5). */
function callNodeOf({ node }: RealChain): Handler {
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

/** Checks requests as the demo does, and signs with the key. */
function signingHandlers({ key }: RealChain) {
  const signing =
    (checked: Handler, sign: (body: JsonObject) => JsonObject): Handler =>
    async (call) => {
      await checked(call);
      const body = jsonBody(call.request);
      return { data: sign(isJsonObject(body) ? body : {}) };
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

/** Refuses to send more than the limit that the server was started with. */
function limited(maxValue: bigint, handler: Handler): Handler {
  return async (call) => {
    const body = jsonBody(call.request);
    const value = wireAmount(isJsonObject(body) ? body.value : undefined);
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

import type { Transport } from "../../../src/client/transport/transport.ts";
import type { WireReply } from "../../../src/contract/wire.ts";
import { reply, success } from "../../helpers/service/reply.ts";

/** The relayers of the fixtures, as a running v1.8 returns them. */
const RELAYERS: Readonly<Record<string, string>> = {
  "evm-1":
    '{"id":"evm-1","name":"Local","network":"localhost-anvil","network_type":"evm","paused":false,"policies":{"min_balance":1,"gas_limit_estimation":true,"gas_price_cap":100000000000,"include_revert_data":false},"signer_id":"signer-1","address":"0x70997970c51812dc3a010c7d01b50e0d17dc79c8","system_disabled":false}',
  "evm-listed":
    '{"id":"evm-listed","name":"Listed","network":"localhost-anvil","network_type":"evm","paused":false,"policies":{"min_balance":1,"gas_limit_estimation":false,"gas_price_cap":5000000000,"whitelist_receivers":["0x1111111111111111111111111111111111111111"]},"signer_id":"signer-1","address":"0x70997970c51812dc3a010c7d01b50e0d17dc79c8","system_disabled":false}',
  "evm-paused":
    '{"id":"evm-paused","name":"Paused","network":"localhost-anvil","network_type":"evm","paused":true,"signer_id":"signer-1","address":"0x70997970c51812dc3a010c7d01b50e0d17dc79c8","system_disabled":true}',
  "evm-disabled":
    '{"id":"evm-disabled","name":"Disabled","network":"dead-net","network_type":"evm","paused":false,"signer_id":"signer-1","address":"0x70997970c51812dc3a010c7d01b50e0d17dc79c8","system_disabled":true,"disabled_reason":{"type":"RpcValidationFailed","details":"RPC endpoint validation failed"}}',
  "sol-1":
    '{"id":"sol-1","name":"Solana","network":"devnet","network_type":"solana","paused":false,"policies":{"fee_payment_strategy":"relayer","min_balance":10000000,"max_tx_data_size":1232},"signer_id":"signer-2","address":"TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA","system_disabled":false}',
  "xlm-1":
    '{"id":"xlm-1","name":"Stellar","network":"testnet","network_type":"stellar","paused":false,"policies":{"min_balance":1000000,"fee_payment_strategy":"relayer"},"signer_id":"signer-3","address":"GDWR5TYCK2WHXWAKDU4QMQP4QEJBRIZKTHQK7RAKKNBGCFUMPCIY5GIM","system_disabled":false}',
};

/** The transactions of its response to a POST, in the shape of the recorded ones (facts 5.2). */
export const TRANSACTIONS: Readonly<Record<string, string>> = {
  "evm-1":
    '{"id":"74113f56-2641-49c4-8890-bb0ae9b3102d","hash":null,"status":"pending","status_reason":null,"created_at":"2026-11-21T01:38:42.682993269+00:00","sent_at":null,"confirmed_at":null,"gas_price":null,"gas_limit":21000,"nonce":null,"value":"0x2386f26fc10000","from":"0x70997970c51812dc3a010c7d01b50e0d17dc79c8","to":"0xde709f2102306220921060314715629080e2fb77","relayer_id":"evm-1","data":null,"max_fee_per_gas":null,"max_priority_fee_per_gas":null,"signature":null,"speed":"fast","is_canceled":false}',
  "sol-1":
    '{"id":"9d0c1b2a-3e4f-4a5b-8c6d-7e8f90a1b2c3","status":"pending","created_at":"2026-11-21T01:39:57.044079447+00:00","transaction":""}',
  "xlm-1":
    '{"id":"a10c186f-97b4-4bfb-abe5-ee4fd97c2b1f","hash":null,"status":"pending","status_reason":null,"created_at":"2026-11-21T01:39:57.044079447+00:00","sent_at":null,"confirmed_at":null,"source_account":"GDWR5TYCK2WHXWAKDU4QMQP4QEJBRIZKTHQK7RAKKNBGCFUMPCIY5GIM","fee":0,"sequence_number":"0","relayer_id":"xlm-1"}',
};

/** The balance of each relayer unless a test says otherwise: ten coins, as on a running v1.8. */
const BALANCES: Readonly<Record<string, string>> = {
  "sol-1": '{"balance":10000000000,"unit":"lamports"}',
  "xlm-1": '{"balance":100000000,"unit":"stroops"}',
};
const EVM_BALANCE = '{"balance":10000000000000000000,"unit":"wei"}';

/** A service with these relayers and their transactions; `post` responds to writes (default: accepted as recorded). */
export function sendingService(post?: WireReply): Transport {
  return async ({ method, target }) => {
    const [, , , , id = "", nested] = target.split("/");
    if (nested === "balance") return success(BALANCES[id] ?? EVM_BALANCE);
    if (nested === "rpc") return reply(403, { success: false, data: null, error: "Relayer is disabled" });
    if (method === "GET" && nested)
      return success(`[${TRANSACTIONS[id]}]`, { current_page: 1, per_page: 1, total_items: 9 });
    if (method === "POST") return post ?? success(TRANSACTIONS[id] ?? "null");
    const relayer = RELAYERS[id];
    if (relayer) return success(relayer);
    return reply(404, { success: false, data: null, error: `Relayer with ID ${id} not found` });
  };
}

import { isJsonObject, type JsonValue } from "../json.ts";
import type { NetworkKind } from "../network-kind.ts";

/** Lists them by kind of node. Any other method is a write, even if it only leaves a filter in the node. */
export const READING_METHODS: Record<NetworkKind, readonly string[]> = {
  evm: splitMethods(`
    web3_clientVersion web3_sha3 net_version net_listening net_peerCount
    eth_accounts eth_baseFee eth_blobBaseFee eth_blockNumber eth_call eth_callMany eth_chainId eth_coinbase eth_config
    eth_createAccessList eth_estimateGas eth_feeHistory eth_gasPrice eth_getAccount eth_getBalance eth_getBlockByHash
    eth_getBlockByNumber eth_getBlockReceipts eth_getBlockTransactionCountByHash eth_getBlockTransactionCountByNumber
    eth_getCode eth_getHeaderByHash eth_getHeaderByNumber eth_getLogs eth_getProof eth_getRawTransactionByBlockHashAndIndex
    eth_getRawTransactionByBlockNumberAndIndex eth_getRawTransactionByHash eth_getStorageAt
    eth_getTransactionByBlockHashAndIndex eth_getTransactionByBlockNumberAndIndex eth_getTransactionByHash
    eth_getTransactionBySenderAndNonce eth_getTransactionCount eth_getTransactionReceipt eth_getUncleByBlockHashAndIndex
    eth_getUncleByBlockNumberAndIndex eth_getUncleCountByBlockHash eth_getUncleCountByBlockNumber eth_hashrate
    eth_maxPriorityFeePerGas eth_mining eth_protocolVersion eth_simulateV1 eth_syncing
    debug_getRawBlock debug_getRawHeader debug_getRawReceipts debug_getRawTransaction debug_traceBlockByHash
    debug_traceBlockByNumber debug_traceCall debug_traceTransaction
    trace_block trace_call trace_callMany trace_filter trace_get trace_replayBlockTransactions trace_replayTransaction
    trace_transaction txpool_content txpool_contentFrom txpool_inspect txpool_status
  `),
  // The last three belong to the service (facts 3.3).
  solana: splitMethods(`
    getAccountInfo getBalance getBlock getBlockCommitment getBlockHeight getBlockProduction getBlockTime getBlocks
    getBlocksWithLimit getClusterNodes getEpochInfo getEpochSchedule getFeeForMessage getFirstAvailableBlock getGenesisHash
    getHealth getHighestSnapshotSlot getIdentity getInflationGovernor getInflationRate getInflationReward getLargestAccounts
    getLatestBlockhash getLeaderSchedule getMaxRetransmitSlot getMaxShredInsertSlot getMinimumBalanceForRentExemption
    getMultipleAccounts getProgramAccounts getRecentPerformanceSamples getRecentPrioritizationFees getSignatureStatuses
    getSignaturesForAddress getSlot getSlotLeader getSlotLeaders getStakeMinimumDelegation getSupply getTokenAccountBalance
    getTokenAccountsByDelegate getTokenAccountsByOwner getTokenLargestAccounts getTokenSupply getTransaction
    getTransactionCount getVersion getVoteAccounts isBlockhashValid minimumLedgerSlot simulateTransaction
    feeEstimate getFeaturesEnabled getSupportedTokens
  `),
  stellar: splitMethods(`
    getEvents getFeeStats getHealth getLatestLedger getLedgerEntries getLedgers getNetwork getTransaction getTransactions
    getVersionInfo simulateTransaction
  `),
};

function splitMethods(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}

const FIELDS = ["jsonrpc", "id", "method", "params"];

/** Returns whether a JSON-RPC request only reads. No method reads on one kind of node and writes on another. */
export function onlyReads(body: JsonValue | undefined): boolean {
  if (!isJsonObject(body) || !Object.keys(body).every((field) => FIELDS.includes(field))) return false;
  const { method } = body;
  return typeof method === "string" && Object.values(READING_METHODS).some((names) => names.includes(method));
}

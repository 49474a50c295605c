import { createState, type ServerState } from "../state/state.ts";

/** The ID of the one relayer, and the name of its network. */
const LOCAL = "evm-local";
/** Milliseconds between blocks, if the chain has too few of them to tell. */
const USUAL_BLOCK_TIME = 12_000;

interface LocalChain {
  address: string;
  chainId: number;
  /** The node's URL; a key in it is masked in responses. */
  url: string;
  /** Milliseconds between blocks; undefined if the chain has too few of them. */
  blockTime: number | undefined;
}

/** Returns a state with one relayer, whose minimum balance is 0: an empty account is a finding, and no reason to disable it. */
export function localState({ address, chainId, url, blockTime = USUAL_BLOCK_TIME }: LocalChain): ServerState {
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

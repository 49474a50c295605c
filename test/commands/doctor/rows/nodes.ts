import { altered, NOW, type Row, stellar, well } from "../sick.ts";

const INVALID = [{ url: "https://node.invalid", weight: 100 }];
const chainId = altered(/\/rpc$/, /"result":"0x1"/g, '"result":"0x5"', "eth_chainId");
const oldBlock = altered(
  /\/rpc$/,
  /"timestamp":"0x[0-9a-f]+"/g,
  `"timestamp":"0x${Math.floor(NOW / 1000 - 7200).toString(16)}"`,
  "eth_getBlockByNumber",
);
const balance = (wei: string) => altered(/\/status$/, /"balance":"[0-9]+"/g, `"balance":"${wei}"`);
const network = (urls: object[]) => ({
  id: "evm:mainnet",
  name: "mainnet",
  network_type: "evm",
  chain_id: 1,
  average_blocktime_ms: 12_000,
  rpc_urls: urls,
});

/** A node that keeps all states: an account had 5 ETH a day ago, and has 3 now. */
const archive = altered(/\/rpc$/, /"error":\{[^}]*\}/g, '"result":"0x4563918244f40000"', "eth_getBalance");

export const NODES: readonly Row[] = [
  ["a dead node of an active relayer", { relayers: [well({ custom_rpc_urls: INVALID })] }, ["fail RPC-DOWN r1"]],
  ["a dead node of the network", { more: { networks: [network(INVALID)] as never } }, ["fail RPC-DOWN r1"]],
  ["a dead node of Stellar", { relayers: [stellar({ custom_rpc_urls: INVALID })] }, ["fail RPC-DOWN xlm"]],
  ["a node of another chain", { alter: chainId }, ["fail RPC-CHAIN r1"]],
  ["a node with an old block", { alter: oldBlock }, ["fail RPC-BEHIND r1"]],
  [
    "a balance below the minimum",
    { relayers: [well({}, { min_balance: 5n * 10n ** 18n })] },
    ["fail BAL-BELOW-MIN r1"],
  ],
  [
    "a balance of Stellar below the default minimum",
    { relayers: [stellar()], alter: balance("900000") },
    ["fail BAL-BELOW-MIN xlm"],
  ],
  [
    "a balance that cannot pay for a transfer",
    { relayers: [well({}, { min_balance: 2 })], alter: balance("1000000000") },
    ["fail BAL-TOO-LOW r1"],
  ],
  ["a balance that lasts less than 3 days", { alter: archive }, ["warn BAL-RUNWAY r1"]],
];

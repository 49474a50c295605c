import { emptySimChain } from "../../../src/embedded-server/chain/sim-chain.ts";
import { sampled } from "../../helpers/deep.ts";
import { altered, examined, hook, NOW, record, type Sick, solana, stellar, ward, well, words } from "./sick.ts";

const OWN = [{ url: "https://rpc.example.org/v3/key", weight: 100 }];

const NETWORK = { id: "evm:mainnet", name: "mainnet", network_type: "evm", chain_id: 1, average_blocktime_ms: 12_000 };

/** The first status shows the counter as it was before a transaction. */
function countsLate(): NonNullable<Sick["alter"]> {
  let read = 0;
  const before = altered(/\/status$/, /"nonce":"1"/g, '"nonce":"0"');
  return (request, found) => (request.target.endsWith("/status") && read++ === 0 ? before(request, found) : found);
}

/** Services with nothing to find. */
const HEALTHY: readonly (readonly [title: string, service: Sick])[] = [
  ["one relayer", {}],
  ["no relayer", { relayers: [], more: { notifications: [] } }],
  ["a relayer with legacy transactions", { relayers: [well({}, { eip1559_pricing: false })] }],
  ["a relayer with own nodes", { relayers: [well({ custom_rpc_urls: OWN })] }],
  [
    "relayers that share a host and have another",
    {
      relayers: ["r1", "r2"].map((id) =>
        well({ id, custom_rpc_urls: [...OWN, { url: `https://${id}.example.org`, weight: 20 }] }),
      ),
    },
  ],
  ["a relayer of Stellar", { relayers: [stellar()] }],
  ["a relayer of Solana", { relayers: [solana()] }],
  ["relayers of all kinds", { relayers: [well(), stellar(), solana()] }],
  ["a transaction that was sent just now", { more: { transactions: [record("t1", 0.2)] as never } }],
  [
    "a transaction of a minute ago below a base fee that just rose",
    {
      more: {
        transactions: [record("t1", 1, { max_fee_per_gas: "12500000000" })] as never,
        lifecycles: [{ id: "t1", next: "mined", due: 0 }],
      },
    },
  ],
  ["transactions that are confirmed", { more: { transactions: [record("t1", 9, { status: "confirmed" })] as never } }],
  [
    "a transaction that failed before it had a nonce",
    { more: { transactions: [record("t1", 9, { status: "failed", nonce: null, hash: null })] as never } },
  ],
  ["a cap of the largest amount", { relayers: [well({}, { gas_price_cap: 2n ** 128n - 1n })] }],
  ["a relayer that may send to itself alone", { relayers: [well({}, { whitelist_receivers: [] })] }],
  ["a notification of this machine over http", { more: { notifications: [hook({ url: "http://127.0.0.1:9000" })] } }],
  [
    "a private transaction, which no node knows",
    {
      relayers: [well({}, { private_transactions: true })],
      more: {
        transactions: [record("t1", 2)] as never,
        chains: [["evm:mainnet", emptySimChain()]],
        lifecycles: [{ id: "t1", next: "mined", due: NOW + 600_000 }] as never,
      },
    },
  ],
  [
    "a development chain without a new block",
    {
      more: { networks: [{ ...NETWORK, chain_id: 31_337 }] },
      alter: altered(/\/rpc$/, /"timestamp":"0x[0-9a-f]+"/g, '"timestamp":"0x6a000000"', "eth_getBlockByNumber"),
    },
  ],
  [
    "a relayer that sent something since its status was read",
    { alter: countsLate(), more: { transactions: [record("t1", 9, { status: "confirmed" })] as never } },
  ],
  ["the real service", { isReal: true }],
  [
    "the real service with a confirmed transaction",
    { isReal: true, more: { transactions: [record("t1", 9, { status: "confirmed" })] as never } },
  ],
];

test.each(HEALTHY)("doctor names nothing that is right: %s", async (_, service) => {
  const found = await examined(ward(service).world, "doctor --fail-on note");
  expect(words(found), JSON.stringify(found.findings)).toEqual([]);
  expect(found.exitCode).toBe(0);
});

/** Errors of nodes: unknown methods, pruned states, limits of providers, and words of other clients. */
const CODES = [-32_601, -32_000, -32_005, -32_603, -32_602, -39_001, 3];
const METHODS = [
  "eth_chainId",
  "eth_getBlockByNumber",
  "eth_feeHistory",
  "eth_getTransactionCount",
  "eth_getTransactionByHash",
  "eth_getTransactionBySenderAndNonce",
  "*",
];

describe.each([true, false])("doctor takes no error of a node for a finding (real service: %s)", (isReal) => {
  test.each(METHODS)("of %s", async (method) => {
    for (const code of sampled(CODES, 3, METHODS.indexOf(method))) {
      const { world } = ward({
        ...(isReal && { isReal }),
        failures: [{ method: "NODE", path: method, status: code, rate: 1 }],
        more: { transactions: [record("t1", 9, { status: "confirmed" }), record("t2", 1, { nonce: 1 })] as never },
      });
      const { findings, skipped } = await examined(world, "doctor --ignore REL-DISABLED");
      expect(findings, String(code)).toEqual([]);
      expect(skipped.length, String(code)).toBeGreaterThan(0);
    }
  });
});

import fc from "fast-check";
import { emptySimChain } from "../../../src/embedded-server/chain/sim-chain.ts";
import type { Resource } from "../../../src/embedded-server/state/collection.ts";
import { runs, sampled } from "../../helpers/deep.ts";
import { altered, ETH, examined, hook, NOW, record, type Sick, solana, stellar, ward, well, words } from "./sick.ts";

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

/** A field that may be missing. */
const maybe = <T>(...values: T[]) => fc.constantFrom(undefined, ...values);
const PRICE = 1_000_000_000n;
const URLS = [
  { url: "https://a.example.org/v3/key", weight: 80 },
  { url: "https://b.example.org", weight: 20 },
];
const of = (fields: object) => fields as Resource;

/** The policies that a relayer may have without a problem; without a receiver list there is a note at most. */
const policies = fc.record({
  eip1559_pricing: maybe(true, false),
  gas_price_cap: fc.constantFrom(1_000n * PRICE, 2n ** 127n),
  gas_limit_estimation: maybe(true, false),
  include_revert_data: fc.boolean(),
  private_transactions: maybe(true, false),
  min_balance: fc.constantFrom(2n, PRICE, ETH / 2n),
  whitelist_receivers: maybe<string[]>([], ["0x52908400098527886E0F7030069857D2E4169EE7"]),
});

const evm = fc
  .record({
    network: fc.constantFrom("mainnet", "sepolia", "polygon", "base", "arbitrum-one"),
    policies,
    urls: maybe(URLS),
  })
  .map(
    ({ network, urls, ...fields }) =>
      (id: string, address: string) =>
        well({ id, address, network, custom_rpc_urls: urls }, fields.policies),
  );
const others = fc
  .record({
    make: fc.constantFrom(stellar, solana),
    min: maybe(1, 1_000_000),
    strategy: fc.constantFrom("relayer", "user"),
  })
  .map(
    ({ make, min, strategy }) =>
      (id: string) =>
        make({ id, policies: { fee_payment_strategy: strategy, ...(min !== undefined && { min_balance: min }) } }),
  );

/** What became of a relayer's latest transaction: nothing yet, or something usual. */
const history = fc.constantFrom(
  [],
  [{ status: "confirmed", minutes: 9 }],
  [
    { status: "confirmed", minutes: 9 },
    { status: "submitted", minutes: 0.2 },
  ],
  [{ status: "pending", minutes: 0.1, nonce: null, hash: null, signature: null }],
  [{ status: "failed", minutes: 9, nonce: null, hash: null, status_reason: "Transaction expired" }],
  [{ status: "expired", minutes: 2_000, nonce: null, hash: null }],
);

const fleets: fc.Arbitrary<Sick> = fc
  .record({
    fleet: fc.array(fc.tuple(fc.oneof(evm, others), history), { maxLength: 8 }),
    isReal: fc.boolean(),
  })
  .map(({ fleet, isReal }) => {
    const addressOf = (index: number) => `0x${String(index + 1).padStart(40, "0")}`;
    const relayers = fleet.map(([make], index) => of(make(`r${index}`, addressOf(index))));
    const transactions = fleet.flatMap(([, past], index) =>
      relayers[index]?.network_type !== "evm"
        ? []
        : past.map(({ minutes, ...fields }, nonce) => {
            const from = addressOf(index);
            return record(`t${10 * index + nonce + 1}`, minutes, {
              relayer_id: `r${index}`,
              from,
              nonce,
              max_fee_per_gas: "400000000000",
              ...fields,
            });
          }),
    );
    const notifications = fleet.length === 0 ? { notifications: [] } : {};
    return {
      relayers,
      ...(isReal && { isReal: true }),
      more: { transactions: transactions as never, ...notifications },
    };
  });

test("no healthy fleet has a finding that fails or warns", () =>
  fc.assert(
    fc.asyncProperty(fleets, async (fleet) => {
      const { findings } = await examined(ward(fleet).world, "doctor --fail-on warn");
      expect(findings.filter(({ severity }) => severity !== "note")).toEqual([]);
      expect(
        findings.filter(({ code }) => code !== "REL-ANY-RECEIVER" && code !== "REL-NO-BUMP" && code !== "RPC-SHARED"),
      ).toEqual([]);
    }),
    runs(4, 1_200),
  ));

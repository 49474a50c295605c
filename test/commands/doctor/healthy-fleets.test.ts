import fc from "fast-check";
import type { Resource } from "../../../src/embedded-server/state/collection.ts";
import { runs } from "../../helpers/deep.ts";
import { ETH, examined, record, type Sick, solana, stellar, ward, well } from "./sick.ts";

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

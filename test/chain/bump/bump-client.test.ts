import { bumpClient } from "../../../src/chain/bump/bump-client.ts";
import type { Transaction } from "../../../src/contract/transaction/transaction.ts";
import { manualClock } from "../../helpers/manual-clock.ts";
import { chainNode } from "../fake-chain.ts";
import { clientOf } from "../follow/followed-world.ts";
import { CANCELLATION, EARLIER, PUT, record, THIRD, TO, TRANSFER } from "../verdict/records.ts";

const OWNER = { address: `0x${"70".repeat(20)}`, policies: {} };
const CHAIN = { market: { baseFee: 10n ** 9n, tip: 10n ** 8n }, balance: 10n ** 18n };
const RAISED = { max_fee_per_gas: "11000000000", max_priority_fee_per_gas: "1100000000" };

interface Bumping {
  before?: Transaction;
  chain?: object;
  policies?: object;
}

/** A program with a service that broadcasts a bump at once. */
function bumping({ before = record(), chain = {}, policies = {} }: Bumping = {}) {
  const sent: unknown[] = [];
  const after = { ...before, ...RAISED, hash: PUT };
  const newest = () => (sent.length === 0 ? before : ({ ...after, hash: THIRD } as Transaction));
  const reading = clientOf({ record: newest, relayer: () => ({ ...OWNER, policies }) }, () => 0, []);
  const write = async (...words: unknown[]) => {
    sent.push(words);
    return { data: after, body: new Uint8Array(), unconfirmed: [] };
  };
  const client = {
    ...reading,
    tx: {
      ...reading.tx,
      replace: async (relayerId: string, id: string, body: object) => await write("replace", relayerId, id, body),
      cancel: async (relayerId: string, id: string) => await write("cancel", relayerId, id),
    },
  };
  const node = () =>
    chainNode({
      height: 100,
      transactions: [...EARLIER, sent.length === 0 ? TRANSFER : { ...TRANSFER, hash: THIRD }],
      ...CHAIN,
      ...chain,
    });
  const asking = { name: "node", ask: (...asked: Parameters<ReturnType<typeof node>["ask"]>) => node().ask(...asked) };
  const { signal } = new AbortController();
  const needs = { client: client as Parameters<typeof bumpClient>[0]["client"], clock: manualClock(undefined, signal) };
  const { bump } = bumpClient({ ...needs, interrupt: signal, nodeAt: () => asking });
  return { sent, bump: (options: object = {}) => bump("evm-1", "tx-1", { node: "https://n", ...options }) };
}

test("a program bumps a transaction, and learns under which hash it is on its way", async () => {
  const { bump, sent } = bumping();
  expect(await bump()).toMatchObject({
    sent: true,
    change: "replace",
    after: { hash: PUT },
    broadcast: { state: "on_its_way", hash: THIRD },
  });
  expect(sent).toEqual([["replace", "evm-1", "tx-1", { to: TO, value: 1000n, gas_limit: 21_000n, speed: "fastest" }]]);
});

test("a program bumps a cancellation by another one", async () => {
  const { bump, sent } = bumping({ before: record(CANCELLATION) });
  expect(await bump()).toMatchObject({ sent: true, change: "cancel" });
  expect(sent).toEqual([["cancel", "evm-1", "tx-1"]]);
});

test.each<[string, Bumping, object, object]>([
  [
    "the service would never broadcast it",
    { policies: { gas_price_cap: 11_500_000_000n } },
    {},
    { why: "obstacle", prediction: { obstacle: { kind: "cap" } } },
  ],
  [
    "no price is known that a service of any kind would raise",
    { before: record({ value: "1000", max_fee_per_gas: null, max_priority_fee_per_gas: null, gas_price: null }) },
    {},
    { why: "obstacle", prediction: { obstacle: { kind: "unpriced" } } },
  ],
  ["it would cost too much", {}, { maxFee: 12_000_000_000n }, { why: "max_fee" }],
  ["the market is not known", { chain: { market: undefined } }, { maxFee: 10n ** 12n }, { why: "market_unknown" }],
  [
    "its nonce is used",
    { chain: { transactions: [...EARLIER, { ...TRANSFER, block: 50 }] } },
    {},
    { why: "nonce_used" },
  ],
  ["it has ended", { before: record({ status: "confirmed" }) }, {}, { why: "over" }],
  ["it has data and no gas limit", { before: record({ data: "0x01", gas_limit: null }) }, {}, { why: "no_gas_limit" }],
])("nothing is sent if %s", async (_, situation, options, found) => {
  const { bump, sent } = bumping(situation as Bumping);
  expect(await bump(options)).toMatchObject({ sent: false, ...found });
  expect(sent).toEqual([]);
});

test("a program sends what cannot work if it insists", async () => {
  const { bump, sent } = bumping({ policies: { gas_price_cap: 11_500_000_000n } });
  expect(await bump({ force: true })).toMatchObject({ sent: true });
  expect(sent).toHaveLength(1);
});

import { predictClient } from "../../../src/chain/replacement/predict-client.ts";
import { chainNode, type FakeChain } from "../fake-chain.ts";
import { fakeNode, fault } from "../fake-node.ts";
import { clientOf, type Story } from "../follow/followed-world.ts";
import { EARLIER, REPLACEMENT, record, TRANSFER } from "../verdict/records.ts";

const OWNER = { address: `0x${"70".repeat(20)}` };
const CHAIN = { market: { baseFee: 10n ** 10n, tip: 10n ** 9n }, balance: 10n ** 18n };
const REPLACE = { change: "replace", body: { value: 2_000n, gas_limit: 21_000, speed: "fast" } } as const;

function predicting({ chain = CHAIN, ...rest }: Omit<Partial<Story>, "chain"> & { chain?: Partial<FakeChain> } = {}) {
  const asked: string[] = [];
  const client = clientOf({ record: () => record(), relayer: () => OWNER, ...rest }, () => 0, asked);
  const node = chainNode({ height: 100, transactions: [...EARLIER, TRANSFER], ...chain });
  const { predict } = predictClient(client, (url) => ({ ...node, name: url }));
  const options = { node: "https://rpc.example.org/key" };
  return { asked, methods: () => node.asked.map(({ method }) => method), predict, options };
}

test("a program learns the prices of a replacement before it sends one", async () => {
  const { predict, options, methods, asked } = predicting();
  expect(await predict("evm-1", "tx-1", REPLACE, options)).toMatchObject({
    change: "replace",
    speed: "fast",
    now: { max_fee_per_gas: 10_000_000_000n },
    response: { max_fee_per_gas: 23_806_973_450n },
    baseFee: 10n ** 10n,
    obstacle: undefined,
    missing: [],
  });
  expect(methods()).toEqual(["eth_chainId", "eth_feeHistory", "eth_getBalance"]);
  expect(asked).toEqual(["get tx-1", "relayer", "network"]);
});

test("a program learns why a cancellation would never be broadcast, and what helps", async () => {
  const { predict, options } = predicting({ network: { tags: ["optimism"] } });
  expect(await predict("evm-1", "tx-1", { change: "cancel" }, options)).toMatchObject({
    obstacle: { kind: "market", needed: { max_priority_fee_per_gas: 1_100_000_000n } },
    waysOut: [{ way: "wait-for-market" }],
    broadcast: undefined,
  });
});

test("a program learns how much the balance lacks", async () => {
  const { predict, options } = predicting({ chain: { ...CHAIN, balance: 1n } });
  const { obstacle } = await predict("evm-1", "tx-1", REPLACE, options);
  expect(obstacle?.kind).toBe("balance");
});

test("what a prediction cannot know is listed, and no obstacle", async () => {
  const silent = { ...fakeNode(() => fault("unreachable", "the node is unreachable")) };
  const client = clientOf(
    {
      record: () => record({ ...REPLACEMENT, is_canceled: undefined }),
      relayer: () => OWNER,
      network: { chain_id: null },
    },
    () => 0,
    [],
  );
  const found = await predictClient(client, () => silent).predict("evm-1", "tx-1", REPLACE, { node: "https://n" });
  expect(found.obstacle).toBeUndefined();
  expect(found.missing).toEqual([
    "the service does not describe the network, so that its tags are not known",
    "the record does not look like a known version of the service, which may price otherwise",
    "the market could not be read: the node is unreachable",
  ]);
});

test("a transaction of another kind is refused", async () => {
  const { predict } = predicting({ relayer: () => ({ network_type: "stellar" }) });
  const error = await predict("xlm-1", "tx-1", { change: "cancel" }).catch((caught) => caught);
  expect(error).toMatchObject({ failure: "usage" });
});

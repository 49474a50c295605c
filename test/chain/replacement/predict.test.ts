import { predictReplacement } from "../../../src/chain/replacement/predict.ts";
import { predictClient } from "../../../src/chain/replacement/predict-client.ts";
import type { Prediction } from "../../../src/chain/replacement/prediction.ts";
import { DEEP, sampled } from "../../helpers/deep.ts";
import { createChance } from "../../safety/fuzz/chance.ts";
import { chainNode, type FakeChain } from "../fake-chain.ts";
import { fakeNode, fault } from "../fake-node.ts";
import { clientOf, type Story } from "../follow/followed-world.ts";
import { EARLIER, REPLACEMENT, record, TRANSFER } from "../verdict/records.ts";
import { chaosStage } from "./chaos-stage.ts";
import { demoStage, embeddedStage } from "./embedded-stage.ts";
import type { Happened, Situation, Stage } from "./stage.ts";

const capOfOld = (percent: number, plus = 0n) => ({ cap: { of: "old", percent, plus } as const });
const capOfMarket = (percent: number, plus = 0n) => ({ cap: { of: "market", percent, plus } as const });
const low = { old: { fee: 40, tip: 50 } };
const high = { old: { fee: 300, tip: 300 } };
const legacy = { isLegacy: true };
const tagged = { isTagged: true };
const noop = { isNoop: true };
const cancel = { change: "cancel" } as const;

/** What keeps it from being sent; undefined if it is sent. */
type Expected = NonNullable<Prediction["obstacle"]>["kind"] | undefined;

const TABLE: [name: string, situation: Situation, expected: Expected][] = [
  ["no cap, the market as before", {}, undefined],
  ["no cap, the market far above", low, undefined],
  ["no cap, the market far below", high, undefined],
  ...[100, 105, 110, 115, 120].map((percent): [string, Situation, Expected] => [
    `a cap of ${percent} % of the fee`,
    capOfOld(percent),
    "cap",
  ]),
  ["a cap 1 wei below two raises", capOfOld(121, -1n), "cap"],
  ["a cap of exactly two raises", capOfOld(121), undefined],
  ["a cap of 122 %", capOfOld(122), undefined],
  ["a cap of 125 %", capOfOld(125), undefined],
  ["a cap of 130 %", capOfOld(130), undefined],
  ...[100, 115, 120, 121, 130].map((percent): [string, Situation, Expected] => [
    `a cap of ${percent} % of the fee, the market far below`,
    { ...high, ...capOfOld(percent) },
    percent < 121 ? "cap" : undefined,
  ]),
  ...[100, 105, 110, 115, 120, 121, 125, 130].map((percent): [string, Situation, Expected] => [
    `a cap of ${percent} % in both members: most of the fee is the tip`,
    { old: { fee: 100, tip: 1_000 }, ...capOfOld(percent) },
    percent < 121 ? "cap" : undefined,
  ]),
  ["the market at the cap", { ...low, ...capOfMarket(100) }, "cap"],
  ["the market above the cap", { ...low, ...capOfMarket(90) }, "cap"],
  ["the market 5 % below the cap", { ...low, ...capOfMarket(105) }, "cap"],
  ["the market 1 wei too near to the cap", { ...low, ...capOfMarket(110, -1n) }, "cap"],
  ["the market a tenth below the cap", { ...low, ...capOfMarket(110) }, undefined],
  ["the market far below the cap", { ...low, ...capOfMarket(300) }, undefined],
  ["a cap of 0", { exactCap: 0n }, "cap"],
  ["a cap of 1 wei", { exactCap: 1n }, "cap"],
  ["another speed that leaves room", { ...low, ...capOfMarket(110, -1n), speed: "safeLow" }, undefined],
  ["the fastest speed", { speed: "fastest" }, undefined],
  ["the fastest speed, and a tight cap", { ...low, ...capOfMarket(110), speed: "fastest" }, "cap"],
  ["legacy, no cap", legacy, undefined],
  ["legacy, the market far above", { ...legacy, ...low }, undefined],
  ["legacy, the market far below", { ...legacy, ...high }, undefined],
  ...[100, 105, 110, 115, 120, 125, 130].map((percent): [string, Situation, Expected] => [
    `legacy, a cap of ${percent} %`,
    { ...legacy, ...capOfOld(percent) },
    percent < 121 ? "cap" : undefined,
  ]),
  ["legacy, the market at the cap", { ...legacy, ...low, ...capOfMarket(100) }, "cap"],
  ["legacy, the market above the cap", { ...legacy, ...low, ...capOfMarket(90) }, "cap"],
  ["legacy, the market a tenth below the cap", { ...legacy, ...low, ...capOfMarket(110) }, undefined],
  ["legacy, a cap 1 wei below two raises", { ...legacy, ...capOfOld(121, -1n) }, "cap"],
  ["legacy, a cap of exactly two raises", { ...legacy, ...capOfOld(121) }, undefined],
  [
    "legacy, the fastest speed, and a tight cap",
    { ...legacy, ...low, exactCap: 41n * 10n ** 9n, speed: "fastest" },
    "cap",
  ],
  ["tagged, the market as before", tagged, "market"],
  ["tagged, the market 9 % higher", { ...tagged, old: { fee: 92, tip: 92 } }, "market"],
  ["tagged, the market a fifth higher", { ...tagged, old: { fee: 80, tip: 80 } }, undefined],
  ["tagged, only the fee higher", { ...tagged, old: { fee: 80, tip: 100 } }, "market"],
  ["tagged, only the tip higher", { ...tagged, old: { fee: 100, tip: 50 } }, "market"],
  ["tagged, the market below", { ...tagged, ...high }, "market"],
  ["tagged, the market higher, and a cap below it", { ...tagged, old: { fee: 80, tip: 80 }, ...capOfOld(105) }, "cap"],
  ["tagged, the market higher, and the cap too", { ...tagged, old: { fee: 80, tip: 80 }, ...capOfOld(111) }, undefined],
  [
    "tagged, the market higher, and at the cap",
    { ...tagged, old: { fee: 80, tip: 80 }, ...capOfMarket(100) },
    undefined,
  ],
  ["tagged, the market above the cap", { ...tagged, ...low, ...capOfMarket(90) }, undefined],
  ["tagged, the market far above the cap", { ...tagged, old: { fee: 80, tip: 80 }, ...capOfMarket(80) }, "cap"],
  ["tagged, the fastest speed", { ...tagged, old: { fee: 80, tip: 100 }, speed: "fastest" }, undefined],
  ["tagged and legacy, the market as before", { ...tagged, ...legacy }, "market"],
  ["tagged and legacy, the market a fifth higher", { ...tagged, ...legacy, old: { fee: 80, tip: 80 } }, undefined],
  [
    "tagged and legacy, the market higher, and a cap below it",
    { ...tagged, ...legacy, old: { fee: 80, tip: 80 }, ...capOfOld(105) },
    "cap",
  ],
  [
    "tagged and legacy, the market higher, and the cap too",
    { ...tagged, ...legacy, old: { fee: 80, tip: 80 }, ...capOfOld(111) },
    undefined,
  ],
  ["by nothing, a cap of 100 %", { ...noop, ...capOfOld(100) }, undefined],
  ["by nothing, a cap of 115 %", { ...noop, ...capOfOld(115) }, undefined],
  ["by nothing, the market above the cap", { ...noop, ...low, ...capOfMarket(90) }, undefined],
  ["by nothing, the market at the cap", { ...noop, ...low, ...capOfMarket(100) }, undefined],
  ["by nothing, legacy, a cap of 100 %", { ...noop, ...legacy, ...capOfOld(100) }, undefined],
  ["by nothing, tagged", { ...noop, ...tagged }, "market"],
  ["by nothing, tagged, the market higher", { ...noop, ...tagged, old: { fee: 80, tip: 80 } }, undefined],
  [
    "by nothing, tagged, the market higher, and a cap below it",
    { ...noop, ...tagged, old: { fee: 80, tip: 80 }, ...capOfOld(105) },
    undefined,
  ],
  ["by nothing, tagged and legacy", { ...noop, ...tagged, ...legacy }, "market"],
  ["a cancellation, no cap", cancel, undefined],
  ["a cancellation, a cap of 100 %", { ...cancel, ...capOfOld(100) }, undefined],
  ["a cancellation, the market above the cap", { ...cancel, ...low, ...capOfMarket(90) }, undefined],
  ["a cancellation, legacy, a cap of 100 %", { ...cancel, ...legacy, ...capOfOld(100) }, undefined],
  ["a cancellation, tagged", { ...cancel, ...tagged }, "market"],
  ["a cancellation, tagged, the market higher", { ...cancel, ...tagged, old: { fee: 80, tip: 80 } }, undefined],
  [
    "a cancellation, tagged, the market higher, and a cap below it",
    { ...cancel, ...tagged, old: { fee: 80, tip: 80 }, ...capOfOld(105) },
    undefined,
  ],
  ["a cancellation, tagged and legacy", { ...cancel, ...tagged, ...legacy }, "market"],
  [
    "a cancellation, tagged and legacy, the market higher",
    { ...cancel, ...tagged, ...legacy, old: { fee: 80, tip: 80 } },
    undefined,
  ],
  ["a cancellation, tagged, only the fee higher", { ...cancel, ...tagged, old: { fee: 80, tip: 100 } }, "market"],
  ["a cancellation of one without a price", { ...cancel, status: "pending" }, undefined],
  ["a balance to the wei", { spare: 0n }, undefined],
  ["a balance 1 wei short", { spare: -1n }, "balance"],
  ["a balance far short", { spare: -(10n ** 15n) }, "balance"],
  ["tagged, a balance 1 wei short", { ...tagged, old: { fee: 80, tip: 80 }, spare: -1n }, "balance"],
  ["legacy, a balance to the wei", { ...legacy, spare: 0n }, undefined],
  ["legacy, a balance 1 wei short", { ...legacy, spare: -1n }, "balance"],
  [
    "tagged and legacy, a balance 1 wei short",
    { ...tagged, ...legacy, old: { fee: 80, tip: 80 }, spare: -1n },
    "balance",
  ],
  ["a cap that suffices, a balance to the wei", { ...capOfOld(121), spare: 0n }, undefined],
  ["a cap that suffices, a balance 1 wei short", { ...capOfOld(121), spare: -1n }, "balance"],
  ["a cap that is too low, and a balance too", { ...capOfOld(115), spare: -1n }, "cap"],
  ["more gas, a balance 1 wei short", { gas: 90_000, spare: -1n }, "balance"],
  ["no gas limit, a balance 1 wei short", { gas: null, spare: -1n }, "balance"],
  ["no gas limit, a balance to the wei", { gas: null, spare: 0n }, undefined],
  ["pending without a price", { status: "pending" }, "unpriced"],
  ["confirmed", { status: "confirmed" }, "over"],
  ["a cancellation of one that is confirmed", { ...cancel, status: "confirmed" }, "over"],
  ["pending with a nonce", { status: "jammed" }, undefined],
  ["pending with a nonce, the market above the cap", { status: "jammed", ...low, ...capOfMarket(90) }, undefined],
  ["pending with a nonce, a cap of 105 %", { status: "jammed", ...capOfOld(105) }, undefined],
];

/** The demo replaces what is pending as the interface does, and accepts no malformed receiver. */
const inDemo = TABLE.filter(([, { status }]) => status !== "pending" && status !== "jammed");

const STAGES: [name: string, stage: Stage, table: typeof TABLE][] = [
  ["the model of the service", chaosStage, TABLE],
  ["the embedded server", embeddedStage, TABLE],
  ["the demo", demoStage, inDemo],
];

describe.each(STAGES.map((stage, turn) => [...stage, turn] as const))(
  "what is predicted of a replacement happens in %s",
  (_, stage, table, turn) => {
    test.each(turn === 0 ? table : sampled(table, 2, turn))("with %s", async (_name, situation, expected) => {
      const happened = await stage(situation);
      const predicted = agreed(happened);
      expect(predicted.obstacle?.kind).toBe(expected);
      if (predicted.obstacle?.kind === "cap" && situation.spare === undefined)
        await checkCap(stage, situation, predicted.obstacle.needed);
      for (const { way, ...rest } of predicted.waysOut) {
        if (way === "speed" && "speed" in rest)
          expect((await stage({ ...situation, speed: rest.speed })).broadcast).toBeDefined();
        if (way === "cancel" && situation.status !== "pending" && situation.spare === undefined)
          expect((await stage({ ...situation, change: "cancel" })).broadcast).toBeDefined();
      }
    });

    test("in any situation", async () => {
      const chance = createChance(21);
      for (let times = 0; times < (DEEP ? 2_000 : 40); times++) {
        const situation = anySituation(chance);
        const happened = await stage(situation);
        expect(agreed(happened), JSON.stringify(situation)).toBeDefined();
      }
    });
  },
);

/** All but a balance that only one model restores, and a no-op that only one takes for a cancellation. */
const compared = TABLE.filter(
  ([, { spare = 0n, isNoop, isTagged }, obstacle]) => spare >= 0n && !(isNoop && isTagged && obstacle),
);

test.each(compared)("both models agree on what becomes of a transaction with %s", async (_, situation) =>
  expect((await chaosStage(situation)).end).toEqual((await embeddedStage(situation)).end),
);

function agreed({ question, response, broadcast }: Happened): Prediction {
  const predicted = predictReplacement(question);
  if (predicted.obstacle?.kind !== "balance") expect(response).toEqual(predicted.response);
  expect(broadcast).toEqual(predicted.broadcast);
  return predicted;
}

async function checkCap(stage: Stage, situation: Situation, needed: bigint): Promise<void> {
  const { cap: _, ...rest } = situation;
  expect((await stage({ ...rest, exactCap: needed })).broadcast).toBeDefined();
  expect((await stage({ ...rest, exactCap: needed - 1n })).broadcast).toBeUndefined();
}

function anySituation(chance: ReturnType<typeof createChance>): Situation {
  const percent = () => 60 + chance.below(90);
  const fee = percent();
  const some = <T>(times: number, value: T) => (chance.once(times) ? value : {});
  return {
    old: { fee, tip: percent() },
    ...some(3, cancel),
    ...some(3, tagged),
    ...some(4, legacy),
    ...some(6, noop),
    ...some(2, { speed: chance.pick(["fastest", "fast", "average", "safeLow"] as const) }),
    ...(chance.once(3) ? {} : { cap: { of: chance.pick(["old", "market"] as const), percent: 80 + chance.below(60) } }),
  };
}

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

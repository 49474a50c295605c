import type { ChainNode } from "../../../src/chain/node/node.ts";
import { type Accepted, awaitBroadcast } from "../../../src/chain/replacement/broadcast.ts";
import type { Transaction } from "../../../src/contract/transaction/transaction.ts";
import { RelayctlError } from "../../../src/errors.ts";
import { manualClock } from "../../helpers/manual-clock.ts";
import { chainNode, type Mined } from "../fake-chain.ts";
import { fault } from "../fake-node.ts";
import { broken, clientOf, limited } from "../follow/followed-world.ts";
import {
  CANCELLATION,
  EARLIER,
  NOOP,
  NOOP_HASH,
  ORIGINAL,
  PUT,
  REPLACED,
  REPLACEMENT,
  record,
  THIRD,
  TRANSFER,
} from "../verdict/records.ts";

/** What the service and the node show at a time, in seconds after the response. */
interface Story extends Partial<Pick<Accepted, "change" | "before" | "after" | "cap" | "isUnraised" | "hashes">> {
  record?(second: number): Transaction | RelayctlError;
  pool?(second: number): readonly Mined[];
  /** The second from which the node can be asked; absent for always, null without a node. */
  nodeFrom?: number | null;
  /** Whether the relayer refuses to ask it until then. */
  isRefused?: boolean;
  interruptAt?: number;
}

async function broadcast(story: Story) {
  const { after = record(REPLACEMENT), nodeFrom = 0, pool = () => [TRANSFER], interruptAt } = story;
  const interrupt = new AbortController();
  const clock = manualClock(undefined, interrupt.signal);
  const second = () => clock.elapsed() / 1000;
  const asked: string[] = [];
  const node: ChainNode = {
    name: "the node of evm-1",
    ask: async (method, params) => {
      asked.push(method);
      if (nodeFrom !== null && second() < nodeFrom)
        return story.isRefused ? fault("refused", "Relayer paused") : fault("unreachable", "the node is unreachable");
      return await chainNode({ height: 100, transactions: [...EARLIER, ...pool(second())] }).ask(method, params);
    },
  };
  const found = await awaitBroadcast({
    client: clientOf({ record: story.record ?? (() => after) }, second, asked),
    relayerId: "evm-1",
    change: "replace",
    before: record(),
    cap: undefined,
    isUnraised: false,
    node: nodeFrom === null ? undefined : node,
    ...story,
    after,
    clock: {
      ...clock,
      sleep: async (milliseconds, signal) => {
        await clock.sleep(milliseconds, signal);
        if (interruptAt !== undefined && second() >= interruptAt) interrupt.abort("interrupted");
      },
    },
    interrupt: interrupt.signal,
  });
  return { ...found, seconds: second(), asked };
}

/** The worker sends the replacement after two seconds, under a third hash. */
const resent = (from = 2) => ({
  record: (second: number) => record(second < from ? REPLACEMENT : { ...REPLACEMENT, hash: THIRD }),
  pool: (second: number) => [second < from ? TRANSFER : REPLACED],
});

describe("an accepted replacement", () => {
  test("is on its way as soon as the node knows the hash that the record shows", async () =>
    expect(await broadcast(resent())).toMatchObject({
      state: "on_its_way",
      hash: THIRD,
      fees: { max_fee_per_gas: 12_100_000_000n, max_priority_fee_per_gas: 1_210_000_000n },
      block: undefined,
      seenBy: "node",
      seconds: 2,
    }));

  test("is on its way at once if the node knows the hash of the response", async () => {
    const found = await broadcast({ pool: () => [{ ...REPLACED, hash: PUT }] });
    expect(found).toMatchObject({ state: "on_its_way", hash: PUT, seconds: 0, asked: ["eth_getTransactionByHash"] });
  });

  test("is on its way when it is mined already", async () => {
    const found = await broadcast({ ...resent(), pool: () => [{ ...REPLACED, block: 99 }] });
    expect(found).toMatchObject({ state: "on_its_way", hash: THIRD, block: 99n });
  });

  test.each([
    { what: "at once if there is no node", story: { nodeFrom: null }, seconds: 2 },
    {
      what: "at once if the relayer does not let its node be asked",
      story: { nodeFrom: 100, isRefused: true },
      seconds: 2,
    },
    { what: "at the end if its node does not respond", story: { nodeFrom: 100 }, seconds: 15 },
  ])("is on its way by its record $what", async ({ story, seconds }) => {
    expect(await broadcast({ ...resent(), ...story })).toMatchObject({
      state: "on_its_way",
      hash: THIRD,
      fees: { max_fee_per_gas: 11_000_000_000n },
      seenBy: "record",
      seconds,
    });
  });

  test("is not on its way by its record if the node responds again, and does not know it", async () => {
    const story = { ...resent(), pool: () => [TRANSFER], nodeFrom: 5 };
    expect(await broadcast(story)).toMatchObject({ state: "unknown", seconds: 15 });
  });

  test("is not on its way by a record that shows what someone else replaced it with", async () => {
    const other = { ...REPLACEMENT, hash: THIRD, value: "0x7" };
    const story = { record: (second: number) => record(second < 2 ? REPLACEMENT : other), nodeFrom: null };
    expect(await broadcast(story)).toMatchObject({ state: "unknown" });
  });

  test("is not on its way while the node does not know the newest hash", async () =>
    expect(await broadcast({ ...resent(), pool: () => [TRANSFER] })).toMatchObject({
      state: "unknown",
      record: { hash: THIRD },
      seconds: 15,
    }));

  test("is never broadcast if the cap is below one more raise of the response's price", async () => {
    expect(await broadcast({ cap: 12_099_999_999n })).toMatchObject({
      state: "never_broadcast",
      obstacle: { kind: "cap", needed: 12_100_000_000n, short: { max_fee_per_gas: 1n } },
      instead: ORIGINAL,
      seconds: 0,
    });
    expect(await broadcast({ ...resent(), cap: 12_100_000_000n })).toMatchObject({ state: "on_its_way" });
  });

  test("is never broadcast below the cap, also if the node cannot be asked", async () =>
    expect(await broadcast({ cap: 1n, nodeFrom: null })).toMatchObject({
      state: "never_broadcast",
      instead: ORIGINAL,
    }));

  test("is not bound by the cap if it does nothing, or if its hash is known to the node", async () => {
    const noop = { ...REPLACEMENT, ...CANCELLATION };
    const known = await broadcast({ cap: 1n, pool: () => [{ ...REPLACED, hash: PUT }] });
    expect([known.state, (await broadcast({ cap: 1n, after: record(noop) })).state]).toEqual(["on_its_way", "unknown"]);
  });

  test("is not bound by the cap if the transaction was not submitted before", async () =>
    expect(await broadcast({ cap: 1n, before: record({ status: "sent" }) })).toMatchObject({ state: "unknown" }));

  test("of a transaction that was never signed has the hash of the response", async () => {
    const before = record({ status: "pending", hash: null });
    const pool = (second: number) => (second < 1 ? [] : [{ ...REPLACED, hash: PUT }]);
    expect(await broadcast({ cap: 1n, before, pool })).toMatchObject({ state: "on_its_way", hash: PUT, seconds: 1 });
  });

  test("is never broadcast where prices are not raised, after the worker had time to price it again", async () =>
    expect(await broadcast({ isUnraised: true, cap: 1n, after: record({ hash: PUT, value: "0x7d0" }) })).toMatchObject({
      state: "never_broadcast",
      obstacle: { kind: "market", needed: { max_fee_per_gas: 11_000_000_000n } },
      instead: ORIGINAL,
      seconds: 15,
    }));

  test("is over if an earlier version was mined, and its hash is shown", async () => {
    const pool = (second: number) => (second < 3 ? [TRANSFER] : [{ ...TRANSFER, block: 99 }]);
    expect(await broadcast({ pool })).toMatchObject({ state: "over", mined: ORIGINAL, seconds: 3 });
    const recovered = { pool: () => [{ ...TRANSFER, hash: THIRD, block: 99 }], record: resent().record };
    expect(await broadcast(recovered)).toMatchObject({ state: "over", mined: THIRD });
  });

  test("is over if the record ended", async () =>
    expect(await broadcast({ record: () => record({ ...REPLACEMENT, status: "failed" }) })).toMatchObject({
      state: "over",
      mined: undefined,
      record: { status: "failed" },
    }));

  test("is not on its way under a hash that it had before", async () => {
    const recovered = () => record({ ...REPLACEMENT, hash: THIRD });
    const found = await broadcast({ record: recovered, hashes: [THIRD], pool: () => [REPLACED] });
    expect(found.state).toBe("unknown");
  });

  test("is read again after failures, which are reported if nothing is known at the end", async () => {
    const after = (second: number) => (second < 5 ? broken() : record({ ...REPLACEMENT, hash: THIRD }));
    expect(await broadcast({ ...resent(), record: after })).toMatchObject({ state: "on_its_way", seconds: 5 });
    const failing = await broadcast({ record: limited, nodeFrom: 100 });
    expect(failing).toMatchObject({
      state: "unknown",
      why: ["too many requests", "the node is unreachable", "the node is unreachable"],
      seconds: 15,
    });
    expect(failing.asked.length).toBeLessThan(20);
  });

  test("takes at most three requests a round", async () => {
    const { asked } = await broadcast({});
    expect(asked.filter((each) => each.startsWith("get"))).toHaveLength(13);
    expect(asked).toHaveLength(13 + 2 * 14);
  });

  test("ends with an interrupt", async () => {
    const error = await broadcast({ interruptAt: 2 }).catch((caught) => caught);
    expect(error).toBeInstanceOf(RelayctlError);
    expect(error.failure).toBe("interrupted");
  });
});

describe("an accepted cancellation", () => {
  const canceled = { change: "cancel" as const, after: record(CANCELLATION) };

  test("is on its way once the node knows its no-op", async () => {
    const story = {
      record: (second: number) => record(second < 3 ? CANCELLATION : { ...CANCELLATION, hash: NOOP_HASH }),
      pool: (second: number) => [second < 3 ? TRANSFER : NOOP],
    };
    expect(await broadcast({ ...canceled, ...story, cap: 1n })).toMatchObject({
      state: "on_its_way",
      hash: NOOP_HASH,
      seconds: 3,
    });
  });

  test("is never broadcast where prices are not raised, though its record keeps the hash", async () =>
    expect(await broadcast({ ...canceled, isUnraised: true })).toMatchObject({
      state: "never_broadcast",
      obstacle: { kind: "market" },
      instead: ORIGINAL,
    }));
});

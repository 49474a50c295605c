import type { NodeFault } from "../../../src/chain/node/node.ts";
import type { Transaction } from "../../../src/contract/transaction/transaction.ts";
import { RelayctlError } from "../../../src/errors.ts";
import { NOW } from "../fake-chain.ts";
import {
  CANCELLATION,
  mined,
  NOOP,
  ORIGINAL,
  OWN,
  PUT,
  REPLACED,
  REPLACEMENT,
  record,
  TRANSFER,
} from "../verdict/records.ts";
import { broken, followed, limited, outage, type Story } from "./followed-world.ts";

const SUBMITTED = record();
const CONFIRMED = record({ status: "confirmed", confirmed_at: "2026-11-21T03:12:20+00:00" });
const waiting = { transactions: [TRANSFER] };

/** A record that stays as it is, on a chain that stays as it is. */
const still = (
  transaction: Transaction | RelayctlError | null,
  chain: ReturnType<NonNullable<Story["chain"]>> = waiting,
): Story => ({
  record: () => transaction,
  chain: () => chain,
});

const unread = (kind: NodeFault["kind"], words = "no response") => ({ fault: { kind, words } });

describe("one transaction", () => {
  test("is confirmed by the chain one block after its own, long before its record is", async () => {
    const story = {
      record: () => SUBMITTED,
      chain: (second: number) => (second < 5 ? waiting : second < 7 ? mined(100, 100) : mined(100, 101)),
    };
    const { end, verdict, seconds, last, rounds } = await followed(story);
    expect({ end, verdict: verdict?.verdict, seconds }).toEqual({ end: "reached", verdict: "confirmed", seconds: 7 });
    expect(last[0]).toMatchObject({ feePaid: 21_000n * 12n * 10n ** 9n, ahead: undefined });
    expect(verdict?.seen).toMatchObject({ hash: ORIGINAL, block: 100n, value: 1_000n });
    expect(rounds.map(({ standings }) => standings[0]?.verdict?.stage)).toEqual([
      ...Array(5).fill("broadcast"),
      "mined",
      "mined",
      "mined",
    ]);
  });

  test("is read every second for ten seconds, then every two, and then less and less up to five", async () => {
    const { slept } = await followed(still(SUBMITTED), { deadline: 60 });
    expect(slept.slice(0, 17)).toEqual([...Array(10).fill(1_000), 2_000, 2_500, 3_125, 3_906, 4_883, 5_000, 5_000]);
  });

  test("that is still in progress at the deadline ends as pending", async () => {
    const { end, verdict, seconds } = await followed(still(SUBMITTED), { deadline: 30 });
    expect({ end, verdict: verdict?.verdict, why: verdict?.why, seconds }).toEqual({
      end: "pending",
      verdict: "pending",
      why: "it waits to be mined",
      seconds: 30,
    });
  });

  test("waits for as many blocks as the network requires", async () => {
    const story = {
      ...still(SUBMITTED),
      network: { required_confirmations: 3 },
      chain: (second: number) => mined(100, 100 + second),
    };
    expect(await followed(story)).toMatchObject({ end: "reached", seconds: 3 });
  });

  test("shows how many transactions of its account wait before it", async () => {
    const { last } = await followed(still(record({ nonce: 7 }), { transactions: [{ ...TRANSFER, nonce: 7 }] }), {
      deadline: 1,
      readsFees: true,
    });
    expect(last[0]).toMatchObject({ ahead: 3n, baseFee: 10_000_000_000n });
  });
});

describe("the rate", () => {
  test("is halved by a refusal by rate, and recovers", async () => {
    const story = { ...still(SUBMITTED), record: (second: number) => (second === 1 ? limited() : SUBMITTED) };
    const { slept } = await followed(story, { deadline: 8 });
    expect(slept.slice(0, 3)).toEqual([1_000, 2_000, 1_800]);
    expect(slept.slice(3, 5)).toEqual([1_620, 1_458]);
  });

  test("is halved by a node that refuses by rate", async () => {
    const story = { ...still(SUBMITTED), chain: (second: number) => (second < 1 ? unread("limited") : waiting) };
    expect((await followed(story, { deadline: 4 })).slept[0]).toBe(2_000);
  });
});

describe("an outage", () => {
  test("is not an outcome: the read is repeated", async () => {
    const story = { record: (second: number) => (second < 5 ? outage() : SUBMITTED), chain: () => mined(90, 100) };
    const { end, rounds } = await followed(story);
    expect(end).toBe("reached");
    expect(rounds[0]?.standings[0]?.trouble?.message).toBe("the connection was reset");
  });

  test("that lasts until the deadline ends with its error if nothing was ever read", async () =>
    expect((await followed(still(outage()), { deadline: 5 })).error).toMatchObject({ failure: "network" }));

  test("after the first record ends as pending", async () => {
    const story = { ...still(SUBMITTED), record: (second: number) => (second < 1 ? SUBMITTED : outage()) };
    expect(await followed(story, { deadline: 5 })).toMatchObject({ end: "pending", error: undefined });
  });

  test("of the record does not hide what the chain shows", async () => {
    const story = {
      record: (second: number) => (second < 1 ? SUBMITTED : outage()),
      chain: (second: number) => (second < 3 ? waiting : mined(90, 100)),
    };
    expect(await followed(story)).toMatchObject({ end: "reached", seconds: 3 });
  });

  test("of the relayer does not replace its network's confirmations by a default", async () => {
    const story = {
      ...still(SUBMITTED),
      network: { required_confirmations: 50 },
      relayer: (second: number) => (second < 2 ? outage() : {}),
      chain: (second: number) => mined(100, 100 + second * 10),
    };
    expect(await followed(story)).toMatchObject({ end: "reached", seconds: 5 });
  });

  test("of the network lasts until it can be read, and until then the record decides", async () => {
    const story = {
      ...still(SUBMITTED),
      network: (second: number) => (second < 60 ? broken() : { required_confirmations: 50 }),
      chain: (second: number) => mined(50, second < 70 ? 90 : 100),
    };
    const { end, seconds, rounds } = await followed(story);
    expect(end).toBe("reached");
    expect(seconds).toBeGreaterThan(70);
    expect(seconds).toBeLessThan(76);
    expect(rounds.at(-2)?.standings[0]?.verdict?.verdict).toBe("pending");
  });

  test("of a network that the service does not have is not repeated", async () => {
    const absent = new RelayctlError("not_found", "not found", { http: { status: 404, method: "GET", path: "/" } });
    const { asked } = await followed({ ...still(SUBMITTED), network: () => absent }, { deadline: 30 });
    expect(asked.filter((each) => each === "network")).toEqual(["network"]);
  });

  test("of the network lets the record decide how deep is deep enough", async () => {
    const story = {
      record: (second: number) => (second < 6 ? SUBMITTED : CONFIRMED),
      network: { chain_id: null },
      chain: () => mined(50, 100),
    };
    expect(await followed(story)).toMatchObject({ end: "reached", seconds: 6 });
  });
});

describe("a nonce that was used and is shown as unused", () => {
  const FAILED = record({ status: "failed", status_reason: "it was given up" });
  const story = (heightAt: (second: number) => number): Story => ({
    record: () => FAILED,
    chain: (second) => (second < 3 ? mined(100, 100) : { height: heightAt(second), transactions: [] }),
  });

  test("settles nothing while the node may lag", async () => {
    const { end, verdict } = await followed(story((second) => (second < 60 ? 99 : 102)));
    expect([end, verdict?.why]).toEqual([
      "pending",
      "the node shows its nonce as unused, after it showed the nonce as used",
    ]);
  });

  test("counts once the chain is longer than a reorganization", async () => {
    const { end, verdict, seconds } = await followed(story((second) => (second < 8 ? 102 : 103)));
    expect([end, verdict?.verdict, seconds]).toEqual(["unmet", "failed", 8]);
  });

  test("may be used again", async () => {
    const { end, verdict, seconds } = await followed({
      record: () => FAILED,
      chain: (second) =>
        second < 3 ? mined(100, 100) : second < 6 ? { height: 99, transactions: [] } : mined(101, 102),
    });
    expect([end, verdict?.verdict, seconds]).toEqual(["reached", "confirmed", 6]);
  });
});

describe("a replacement", () => {
  test("continues if the cap was raised in the meantime", async () => {
    const story: Story = {
      record: () => record({ ...REPLACEMENT, hash: PUT }),
      relayer: (second) => ({ policies: { gas_price_cap: second < 1 ? 100_000_000_000 : 200_000_000_000 } }),
      chain: (second) => (second < 5 ? waiting : { transactions: [{ ...REPLACED, block: 90 }] }),
    };
    const lowered: Story = {
      ...story,
      relayer: (second) => ({ policies: { gas_price_cap: second < 1 ? 11_500_000_000 : 200_000_000_000 } }),
      record: (second) => (second < 2 ? SUBMITTED : record({ ...REPLACEMENT, hash: PUT })),
    };
    expect(await followed(lowered)).toMatchObject({ end: "reached", seconds: 5 });
  });
});

describe("a cancellation", () => {
  const CANCELING = record(CANCELLATION);
  const target = { relayerId: "evm-1", id: "tx-1", records: [SUBMITTED, CANCELING], wanted: "cancellation" as const };

  test("that is on the chain is reached for whoever wanted it, and unmet for anyone else", async () => {
    const story = still(record({ ...CANCELLATION, status: "submitted", hash: NOOP.hash }), {
      transactions: [{ ...NOOP, block: 90 }],
    });
    expect(await followed(story, { targets: [target] })).toMatchObject({
      end: "reached",
      verdict: { verdict: "canceled" },
    });
    expect(await followed(story)).toMatchObject({ end: "unmet", verdict: { verdict: "canceled" } });
  });
});

describe("a deleted record", () => {
  const deleted = (chain: ReturnType<NonNullable<Story["chain"]>>) => ({
    record: (second: number) => (second < 2 ? SUBMITTED : null),
    chain: (second: number) => (second < 2 ? waiting : chain),
  });

  test("is settled by the chain", async () =>
    expect(await followed(deleted(mined(90, 100)))).toMatchObject({ end: "reached", seconds: 2 }));

  test("is not called unsigned if there is time for one read", async () => {
    const targets = [
      { relayerId: "evm-1", id: "tx-1", records: [record({ status: "pending", hash: null, nonce: null })] },
    ];
    expect(await followed(still(null), { deadline: 1, targets })).toMatchObject({
      end: "pending",
      verdict: { verdict: "pending", why: "its record was not found" },
    });
  });

  test("is gone after two reads if the chain does not show its outcome", async () =>
    expect(await followed(deleted({}))).toMatchObject({ end: "gone", seconds: 3 }));

  test("that was never there is an error", async () =>
    expect(await followed(still(null))).toMatchObject({ error: { failure: "not_found" }, seconds: 0 }));
});

describe("a goal", () => {
  test("of broadcast is reached when a node has it", async () => {
    const story = {
      record: (second: number) => record({ status: second < 3 ? "sent" : "submitted" }),
      chain: (second: number) => (second < 2 ? {} : waiting),
    };
    expect(await followed(story, { goal: { until: "broadcast" } })).toMatchObject({ end: "reached", seconds: 2 });
  });

  test("of mined does not wait for further blocks", async () =>
    expect(await followed(still(SUBMITTED, mined(100, 100)), { goal: { until: "mined" } })).toMatchObject({
      end: "reached",
      seconds: 0,
    }));

  test("with a number of confirmations waits for them even if the record reads confirmed", async () => {
    const story = { record: () => CONFIRMED, chain: (second: number) => mined(100, 101 + second) };
    expect(await followed(story, { goal: { until: "confirmed", confirmations: 5n } })).toMatchObject({
      end: "reached",
      seconds: 4,
    });
  });

  test("of final waits for the node's final block", async () => {
    const story = { record: () => CONFIRMED, chain: (second: number) => ({ ...mined(100, 110), final: 96 + second }) };
    expect(await followed(story, { goal: { until: "final" } })).toMatchObject({ end: "reached", seconds: 4 });
  });

  test("of final does not believe a final block after the newest one", async () => {
    const story = { record: () => CONFIRMED, chain: () => ({ ...mined(100, 110), final: 111 }) };
    const { end, verdict } = await followed(story, { goal: { until: "final" }, deadline: 20 });
    expect([end, verdict?.verdict]).toEqual(["pending", "pending"]);
    expect(verdict?.missing).toEqual(["the node's final block is after its newest one"]);
  });

  test("of a number of confirmations is refused for a transaction that is not of EVM", async () => {
    const stellar = { id: "tx-1", source_account: "G", status: "submitted" } as Transaction;
    const story = { ...still(stellar), relayer: () => ({ network_type: "stellar" }) };
    expect((await followed(story, { goal: { until: "confirmed", confirmations: 2n } })).error).toMatchObject({
      failure: "usage",
    });
  });
});

describe("a node that", () => {
  test.each([
    ["is on another chain", { chainId: 5 }],
    ["returns a receipt of another day", { ...mined(90, 100), age: -86_400 }],
  ])("%s is not believed, and neither is the record alone", async (_, chain) => {
    const { end, verdict } = await followed(still(CONFIRMED, chain), {
      deadline: 60,
      goal: { until: "confirmed", confirmations: 3n },
    });
    expect({ end, missing: verdict?.missing.length }).toEqual({ end: "pending", missing: 1 });
  });

  test("has newer blocks than this machine's clock allows is believed if the service's clock agrees", async () => {
    const created_at = new Date(NOW + 3_600_000).toISOString();
    const chain = { ...mined(90, 100), age: -3_600 };
    expect(
      await followed(still({ ...CONFIRMED, created_at }, chain), {
        goal: { until: "confirmed", confirmations: 3n },
      }),
    ).toMatchObject({ end: "reached", verdict: { verdict: "confirmed", missing: [] } });
  });

  test("sends what no method returns leaves the outcome open", async () =>
    expect(
      await followed(still(CONFIRMED, unread("unreadable", "the response is not JSON-RPC")), { deadline: 60 }),
    ).toMatchObject({
      end: "pending",
      verdict: { missing: ["the response is not JSON-RPC"] },
    }));

  test("does not respond lets the record count after a while", async () =>
    expect(await followed(still(CONFIRMED, unread("unreachable")))).toMatchObject({
      end: "reached",
      seconds: 17.625,
      verdict: { isByRecord: true },
    }));

  test("does not respond never replaces a number of confirmations by the record", async () =>
    expect(
      await followed(still(CONFIRMED, unread("unreachable")), {
        deadline: 60,
        goal: { until: "confirmed", confirmations: 2n },
      }),
    ).toMatchObject({ end: "pending" }));
});

describe("by the record alone", () => {
  const alone = { usesChain: false };

  test.each([
    ["confirmed", "confirmed", "reached"],
    ["mined", "submitted", "pending"],
    ["mined", "mined", "reached"],
    ["broadcast", "sent", "pending"],
    ["broadcast", "submitted", "reached"],
  ] as const)("the goal %s with a %s record is %s", async (until, status, end) => {
    expect(await followed(still(record({ status })), { ...alone, goal: { until }, deadline: 5 })).toMatchObject({
      end,
    });
  });

  test("a record that ended and leaves open what was mined ends as pending at once", async () => {
    const reason = "Nonce 4 consumed externally (on-chain nonce: 5). No matching transaction hash found on-chain.";
    expect(await followed(still(record({ status: "failed", status_reason: reason })), alone)).toMatchObject({
      end: "pending",
      seconds: 0,
    });
  });

  test("a replaced transaction does not count as broadcast or mined by its status", async () => {
    const story = {
      record: (second: number) => (second < 1 ? SUBMITTED : record({ ...REPLACEMENT, status: "mined" })),
    };
    expect(await followed(story, { ...alone, goal: { until: "mined" }, deadline: 5 })).toMatchObject({
      end: "pending",
    });
  });

  test("a transaction that is not of EVM needs no node", async () => {
    const stellar = { id: "tx-1", source_account: "G", status: "confirmed" } as Transaction;
    const story = { ...still(stellar), relayer: () => ({ network_type: "stellar" }) };
    const { end, verdict, asked } = await followed(story);
    expect([end, verdict?.isByRecord, asked]).toEqual(["reached", true, ["get tx-1", "relayer", "network"]]);
  });

  test.each([
    ["source_account", "G"],
    ["source_account", null],
    ["transaction", "AQ=="],
    ["instructions", []],
    ["from", undefined],
    ["from", null],
    ["from", 7],
    ["hash", null],
    ["value", {}],
  ])("of an EVM relayer is never confirmed by its record because its member %s is %j", async (name, value) => {
    const story = still({ ...CONFIRMED, [name]: value } as Transaction, { height: 100, transactions: [] });
    const { end, verdict, asked } = await followed(story, { deadline: 60 });
    expect([end, verdict?.verdict], verdict?.why).toEqual(["pending", "pending"]);
    expect(asked.some((method) => method.startsWith("eth_"))).toBe(true);
  });
});

describe("several transactions", () => {
  const ids = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ relayerId: "evm-1", id: `tx-${index + 1}` }));
  const nonceOf = (id: string) => (id === "tx-99" ? 9 : 3 + Number(id.slice(3)));
  const hashOf = (id: string) => `0x${nonceOf(id).toString(16).padStart(64, "0")}`;
  const own = (id: string) => record({ id, nonce: nonceOf(id), hash: hashOf(id) });
  const pool = (all: readonly { id: string }[], used = 0) => ({
    transactions: all.map(({ id }, index) => ({
      ...TRANSFER,
      from: OWN,
      nonce: nonceOf(id),
      hash: hashOf(id),
      ...(index < used && { block: 90 }),
    })),
  });

  test("up to four are read one by one", async () => {
    const { asked } = await followed({ record: (_, id) => own(id), chain: () => pool(ids(4), 4) }, { targets: ids(4) });
    expect(asked.filter((line) => /^get|list/.test(line))).toEqual(["get tx-1", "get tx-2", "get tx-3", "get tx-4"]);
  });

  test("more than four take one page of the list and a few calls of the node in each round", async () => {
    const targets = ids(12);
    const story: Story = {
      record: (_, id) => (nonceOf(id) > 15 ? null : own(id)),
      chain: (second) => pool(targets, second < 3 ? 0 : 12),
    };
    const { asked, last } = await followed(story, { targets });
    expect(asked.filter((line) => /^get|list/.test(line))).toEqual(["list", "list", "list", "list"]);
    expect(asked.slice(0, asked.indexOf("list", 1)).filter((line) => line.startsWith("eth_")).length).toBeLessThan(15);
    expect(new Set(last.map(({ end }) => end))).toEqual(new Set(["reached"]));
  });

  test("a transaction that is not on the page is read by itself", async () => {
    const targets = [...ids(5), { relayerId: "evm-1", id: "tx-99" }];
    const story: Story = { record: (_, id) => own(id), chain: () => pool(targets, 6) };
    const { asked, last } = await followed(story, { targets });
    expect(asked.filter((line) => /^get|list/.test(line))).toEqual(["list", "get tx-99"]);
    expect(last.every(({ end }) => end === "reached")).toBe(true);
  });

  test("one that has ended is not read again", async () => {
    const story: Story = { record: (_, id) => own(id), chain: (second) => pool(ids(2), second < 2 ? 1 : 2) };
    const { asked } = await followed(story, { targets: ids(2) });
    expect(asked.filter((line) => line.startsWith("get"))).toEqual(["get tx-1", "get tx-2", "get tx-2", "get tx-2"]);
  });
});

test("an interrupt ends the wait, and what was seen stays known", async () => {
  const { error, rounds } = await followed(still(SUBMITTED), { interruptAt: 3 });
  expect(error).toMatchObject({ failure: "interrupted" });
  expect(rounds).toHaveLength(3);
});

import type { WireRequest } from "../../../../src/contract/wire.ts";
import type { PaidRow, PaymentToSend, SendManyOptions } from "../../../../src/payments/library/options.ts";
import { exited, exitedSaying } from "../../../helpers/exited.ts";
import { memoryJournal } from "../../../helpers/memory/journal.ts";
import { receiver, receivers } from "../../../helpers/payouts.ts";
import { reply } from "../../../helpers/service/reply.ts";
import { lost } from "../../../helpers/service/scripted-service.ts";
import { TOKEN } from "../../../helpers/test-app.ts";
import { type Fault, isSend } from "../once/keyed-world.ts";
import { SUM, sendWith, values } from "./library-world.ts";
import { intentsOf, LINE, loseRow, payingWorld, rowsIn } from "./paying-world.ts";

function statesOf(rows: readonly PaidRow[]): string[] {
  return rows.map(({ state }) => state);
}

describe("payments of the library", () => {
  test.each([
    ["a file", undefined],
    ["values", { payments: values() }],
  ])("from %s are sent once each, and recorded before that", async (_, source) => {
    const world = payingWorld();
    const { result } = await sendWith(world, {}, source && { source });
    expect(world.paid).toEqual(receivers(3));
    expect(result.failure).toBeUndefined();
    expect(result.rows).toMatchObject([
      { row: 1, to: receiver(1), value: 10n ** 12n, state: "sent", transactionId: expect.any(String) },
      { row: 2, state: "sent" },
      { row: 3, state: "sent" },
    ]);
    expect(result.sums.states.sent).toEqual({ payments: 3, sum: SUM });
    const intents = intentsOf(world);
    expect(intents.map(({ run }) => run)).toEqual([result.run, result.run, result.run]);
    expect(world.journal.synced).toEqual(expect.arrayContaining(intents));
  });

  test("call onRow with each row", async () => {
    const world = payingWorld();
    const seen: PaidRow[] = [];
    await sendWith(world, { onRow: (row) => seen.push(row), maxInFlight: 1 });
    expect(seen.map(({ row, state, value }) => [row, state, value])).toEqual([
      [1, "sent", 10n ** 12n],
      [2, "sent", 2n * 10n ** 12n],
      [3, "sent", 3n * 10n ** 12n],
    ]);
  });

  test("end with what onRow throws, and start no further payment", async () => {
    const world = payingWorld();
    const onRow = () => {
      throw new TypeError("a bug of the program");
    };
    await expect(sendWith(world, { onRow, maxInFlight: 1 })).rejects.toThrow(TypeError);
    expect(world.paid).toHaveLength(1);
    const { result } = await sendWith(world, { resume: true });
    expect(statesOf(result.rows)).toEqual(["sent", "sent", "sent"]);
    expect(world.paid).toEqual(receivers(3));
  });

  test("end with what a promise of onRow is rejected with, and start no further payment", async () => {
    const world = payingWorld(12);
    const onRow = async () => {
      throw new TypeError("a bug of the program");
    };
    await expect(sendWith(world, { onRow, maxInFlight: 1, confirm: 78n * 10n ** 12n })).rejects.toThrow(TypeError);
    expect(world.paid.length).toBeLessThan(3);
  });

  test("are confirmed on the chain with wait", async () => {
    const world = payingWorld();
    const { result } = await sendWith(world, { wait: true });
    expect(result.failure).toBeUndefined();
    expect(result.rows[0]).toMatchObject({ state: "confirmed", verdict: "confirmed", hash: expect.any(String) });
    expect(result.sums.fees).toBeGreaterThan(0n);
  });

  test("are pending if the wait runs out", async () => {
    const { result } = await sendWith(payingWorld(), { wait: { deadline: 0 } });
    expect(result.failure).toMatchObject({ failure: "pending", applied: "yes" });
    expect(statesOf(result.rows)).toEqual(["sent", "sent", "sent"]);
  });

  test("leave no token in the journal", async () => {
    const world = payingWorld();
    await sendWith(world, { reason: `by ${TOKEN}` });
    expect(
      JSON.stringify(world.journal.entries, (_, value) => (typeof value === "bigint" ? String(value) : value)),
    ).not.toContain(TOKEN);
    expect(intentsOf(world)[0]).toMatchObject({ command: expect.stringMatching(/^client\.tx\.sendMany base-hot/) });
  });
});

describe("a lost response in the library", () => {
  test("is found by its fingerprint if the payment arrived, and not sent again", async () => {
    const world = payingWorld();
    const { result } = await sendWith(
      world,
      {},
      {
        fault: async (request, answer) => {
          const sent = await answer();
          if (isSend(request) && request.body?.includes(receiver(2))) throw lost();
          return sent;
        },
      },
    );
    expect(result.failure).toBeUndefined();
    expect(statesOf(result.rows)).toEqual(["sent", "sent", "sent"]);
    expect(world.paid).toEqual(receivers(3));
  });

  test("is unknown otherwise, found by a later call, and never sent again", async () => {
    const world = payingWorld();
    const late: WireRequest[] = [];
    const { result } = await sendWith(world, {}, { fault: loseRow(2, late) });
    expect(result.failure).toMatchObject({ failure: "unknown", applied: "unknown" });
    expect(statesOf(result.rows)).toEqual(["sent", "unknown", "sent"]);
    expect(result.failure?.because.join()).toContain("resume: true");
    expect(result.failure?.because.join()).not.toContain("--");
    const again = await sendWith(world, { resume: true });
    expect(statesOf(again.result.rows)).toEqual(["sent", "unknown", "sent"]);
    expect(world.paid).toHaveLength(2);
    for (const request of late) await world.apply(request);
    const found = await sendWith(world, { resume: true });
    expect(found.result.failure).toBeUndefined();
    expect(statesOf(found.result.rows)).toEqual(["sent", "sent", "sent"]);
    expect(world.paid).toHaveLength(3);
  });

  test("is sent again once its row is assumed not to be sent", async () => {
    const world = payingWorld();
    await sendWith(world, {}, { fault: loseRow(2) });
    const { result } = await sendWith(world, { resume: true, assumeNotSent: [2], confirm: 2n * 10n ** 12n });
    expect(result.failure).toBeUndefined();
    expect(world.paid).toHaveLength(3);
  });
});

describe("an abort", () => {
  test("before the first payment rejects with nothing sent", async () => {
    const world = payingWorld();
    await expect(sendWith(world, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      failure: "interrupted",
      applied: "no",
    });
    expect(world.journal.entries).toEqual([]);
  });

  test("awaits the payments in progress, and resume sends the rest", async () => {
    const world = payingWorld();
    const controller = new AbortController();
    const fault: Fault = async (request, answer) => {
      if (isSend(request)) controller.abort();
      return await answer();
    };
    const { result } = await sendWith(world, { signal: controller.signal, maxInFlight: 1 }, { fault });
    expect(result.failure).toMatchObject({ failure: "interrupted", applied: "yes" });
    expect(statesOf(result.rows)).toEqual(["sent", "waiting", "waiting"]);
    const rest = await sendWith(world, { resume: true });
    expect(rest.result.run).toBe(result.run);
    expect(world.paid).toEqual(receivers(3));
  });
});

describe("command and library share a state folder", () => {
  test("a run that the command began is resumed by the library", async () => {
    const world = payingWorld();
    await world.run(LINE, loseRow(2));
    await expect(sendWith(world)).rejects.toMatchObject({
      failure: "conflict",
      hint: "the same call with resume: true",
    });
    const { result } = await sendWith(world, { resume: true, assumeNotSent: [2] });
    expect(statesOf(result.rows)).toEqual(["sent", "sent", "sent"]);
    expect(new Set(intentsOf(world).map(({ run }) => run))).toEqual(new Set([result.run]));
    expect(world.paid).toHaveLength(3);
  });

  test("a run that the library began is resumed by the command", async () => {
    const world = payingWorld();
    await sendWith(world, { stopAfter: 1, maxInFlight: 1 }, { fault: loseRow(1) });
    expect(world.paid).toEqual([]);
    expect(await world.run(LINE)).toMatchObject({ exitCode: 6 });
    const resumed = await exited(11, world.run(`${LINE} --resume -o json`));
    expect(rowsIn(resumed).map(({ state }) => state)).toEqual(["unknown", "sent", "sent"]);
    expect(world.paid).toHaveLength(2);
  });

  test("values that pay the same as a file that was begun are refused, unless again is set", async () => {
    const world = payingWorld();
    await world.run(LINE);
    const source = { payments: values() };
    await expect(sendWith(world, {}, { source })).rejects.toMatchObject({ failure: "conflict" });
    expect((await sendWith(world, { again: true }, { source })).result.failure).toBeUndefined();
    expect(world.paid).toHaveLength(6);
  });

  test("a file that pays the same as values that were begun is refused", async () => {
    const world = payingWorld();
    await sendWith(world, {}, { source: { payments: values() } });
    await exitedSaying({ exitCode: 6, writes: [] }, world.run(LINE), "they were in no file then");
  });

  test("of two at once, one is refused", async () => {
    const world = payingWorld();
    let second: Promise<unknown> | undefined;
    await sendWith(
      world,
      {},
      {
        fault: async (_, answer) => {
          second ??= sendWith(world).catch((error: unknown) => error);
          await second;
          return await answer();
        },
      },
    );
    expect(await second).toMatchObject({ failure: "conflict", retryable: true });
    expect(world.paid).toHaveLength(3);
  });
});

describe("values", () => {
  test("are recognized with their members in another order", async () => {
    const world = payingWorld();
    await sendWith(world, {}, { source: { payments: values() } });
    const payments = values().map(({ to, value, gasLimit = 0n }) => ({ gasLimit, value, label: undefined, to }));
    const source = { payments: payments as unknown as PaymentToSend[] };
    await expect(sendWith(world, {}, { source })).rejects.toMatchObject({ failure: "conflict" });
    const { result } = await sendWith(world, { resume: true, confirm: 0n }, { source });
    expect(statesOf(result.rows)).toEqual(["sent", "sent", "sent"]);
    expect(world.paid).toHaveLength(3);
  });

  test("of two lists with other first rows are two runs", async () => {
    const world = payingWorld();
    await sendWith(world, { stopAfter: 1, maxInFlight: 1 }, { source: { payments: values() }, fault: loseRow(1) });
    const { result } = await sendWith(
      world,
      { confirm: SUM - 10n ** 12n },
      { source: { payments: values().slice(1) } },
    );
    expect(result.failure).toBeUndefined();
  });

  test("are validated all at once, by their members", async () => {
    const wrong = [
      ...values(1),
      { to: "0x12", value: 1n },
      { to: receiver(3), value: 5 },
      { to: receiver(4), value: 1n, gas_limit: 21_000n },
    ] as unknown as PaymentToSend[];
    const world = payingWorld();
    await expect(sendWith(world, {}, { source: { payments: wrong } })).rejects.toMatchObject({
      failure: "usage",
      details: [
        { where: "payments[2].value", rule: "must be a bigint" },
        { where: "payments[3].gas_limit", rule: "unknown member (did you mean gasLimit?)" },
      ],
    });
    const invalid = [...values(1), { to: "0x12", value: -1n }, ...values(1)];
    await expect(sendWith(world, {}, { source: { payments: invalid } })).rejects.toMatchObject({
      failure: "usage",
      details: [
        { where: "payments[1].value" },
        { where: "payments[1].to", given: "0x12" },
        {
          where: "payments[2].to",
          rule: "same receiver and amount as row 1; if both are meant, use allowDuplicates: true",
        },
      ],
    });
    expect(world.paid).toEqual([]);
  });

  test("are refused by their members for what the relayer's node shows", async () => {
    const world = payingWorld();
    const error = { code: -32_000, message: "gas required exceeds allowance", description: "" };
    const fault: Fault = async (request, answer) =>
      request.target.endsWith("/rpc")
        ? reply(200, { jsonrpc: "2.0", id: JSON.parse(request.body ?? "").id, error })
        : await answer();
    const payments = [...values(1), { to: receiver(2), value: SUM - 10n ** 12n }];
    await expect(sendWith(world, {}, { source: { payments }, fault })).rejects.toMatchObject({
      failure: "usage",
      details: [{ where: "payments[1].gasLimit" }],
    });
    expect(world.paid).toEqual([]);
  });
});

describe("nothing is sent", () => {
  test.each<[string, Parameters<typeof sendWith>[1], object]>([
    [
      "with another sum",
      { confirm: SUM + 1n },
      { failure: "declined", because: [expect.stringContaining(`${SUM} wei`), "nothing was sent"] },
    ],
    ["without a sum", { confirm: 6 as unknown as bigint }, { failure: "usage", details: [{ where: "confirm" }] }],
    [
      "with texts in place of switches, which a variable may have",
      { again: "false", allowDuplicates: "0" } as unknown as Partial<SendManyOptions>,
      { details: [{ where: "again", given: "false" }, { where: "allowDuplicates" }] },
    ],
    ["without a folder", { state: "" }, { failure: "usage", details: [{ where: "state" }] }],
    [
      "with options that contradict each other",
      { again: true, resume: true, maxInFlight: 101, rate: 0, stopAfter: 0.5 },
      { details: [{ where: "maxInFlight" }, { where: "rate" }, { where: "stopAfter" }, { where: "again: true" }] },
    ],
    ["with rows to assume and no resume", { assumeNotSent: [1] }, { details: [{ where: "assumeNotSent" }] }],
    ["with a row that the file does not have", { resume: true, assumeNotSent: [9] }, { failure: "usage" }],
  ])("%s", async (_, options, error) => {
    const world = payingWorld();
    if (options?.resume && !options.again) await sendWith(world);
    const before = world.paid.length;
    await expect(sendWith(world, options)).rejects.toMatchObject(error);
    expect(world.paid).toHaveLength(before);
  });

  test("from a relayer on another kind of network, or one that is paused", async () => {
    const world = payingWorld();
    await expect(sendWith(world, {}, { relayer: "sol-pay" })).rejects.toMatchObject({ failure: "usage" });
    await world.run("relayers pause base-hot --yes");
    await expect(sendWith(world)).rejects.toMatchObject({
      failure: "conflict",
      hint: expect.stringMatching(/^relayctl --server \S+ relayers resume base-hot$/),
    });
    expect(world.paid).toEqual([]);
  });

  test("by a client that is read-only", async () => {
    const world = payingWorld();
    await expect(sendWith(world, {}, { context: { readOnly: "the option readOnly" } })).rejects.toMatchObject({
      failure: "declined",
    });
    expect(world.journal.entries).toEqual([]);
  });

  test("that cannot be recorded before", async () => {
    const journal = memoryJournal({
      fault: (entry) => (entry.type === "intent" && entry.payment ? new Error("disk full") : undefined),
    });
    const world = payingWorld(3, journal);
    await expect(sendWith(world)).rejects.toThrow("disk full");
    expect(world.paid).toEqual([]);
  });
});

test("takes a price of any size in wei, since a bigint has no unit", async () => {
  const world = payingWorld();
  const prices = { maxFeePerGas: 100_000_000n, maxPriorityFeePerGas: 1n };
  const payments = values().map((each) => ({ ...each, ...prices }));
  const { result } = await sendWith(world, { speed: undefined as never }, { source: { payments } });
  expect(result.failure).toBeUndefined();
  expect(intentsOf(world)).toMatchObject(
    Array.from(payments, () => ({ body: { max_fee_per_gas: 100_000_000n, max_priority_fee_per_gas: 1n } })),
  );
});

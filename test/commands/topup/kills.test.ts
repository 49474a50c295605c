import type { WireRequest } from "../../../src/contract/wire.ts";
import { DEEP, sampled } from "../../helpers/deep.ts";
import { memoryJournal } from "../../helpers/memory/journal.ts";
import { reply } from "../../helpers/service/reply.ts";
import { lost } from "../../helpers/service/scripted-service.ts";
import { type Fault, isSend } from "../tx/once/keyed-world.ts";
import {
  addressOf,
  eth,
  LINE,
  rowsIn,
  statesIn,
  sumOf,
  type ToppingWorld,
  toppedUpTwice,
  toppingWorld,
} from "./topping-world.ts";

const HOUR = 3_600_000;
/** What a process that was killed waits for. */
const NEVER = new Promise<never>(() => {});

/** Runs the line until its nth step, which is done or not, and then nothing more of it. Returns whether it came so far. */
async function killAt(world: ToppingWorld, step: number, isDone: boolean): Promise<boolean> {
  let steps = 0;
  let kill = () => {};
  const killed = new Promise<true>((resolve) => {
    kill = () => resolve(true);
  });
  const at = async <T>(work: () => Promise<T>): Promise<T> => {
    if (++steps > step || (steps === step && !isDone)) {
      kill();
      return await NEVER;
    }
    const value = await work();
    if (steps < step) return value;
    kill();
    return await NEVER;
  };
  // The lease of a process that has ended is taken over, so each process has a journal with the same entries.
  const { entries } = world.journal;
  const own = memoryJournal({ entries });
  const journal = {
    ...own,
    append: (...[entry, options]: Parameters<typeof own.append>) =>
      at(async () => {
        await own.append(entry, options);
        entries.push(entry);
      }),
  };
  const running = world.run(LINE, (_, answer) => at(answer), { journal });
  return await Promise.race([killed, running.then(() => false)]);
}

/** Whatever happened before: nobody gets anything twice, and in the end everybody got it once. */
async function expectOnceEach(world: ToppingWorld, relayers: number): Promise<void> {
  const next = await world.run(LINE);
  expect([0, 11]).toContain(next.exitCode);
  expect(toppedUpTwice(world)).toEqual([]);
  await world.pass(3 * HOUR);
  await world.run(LINE);
  await world.pass(HOUR);
  expect(toppedUpTwice(world)).toEqual([]);
  expect(sumOf(world)).toBe(BigInt(relayers) * eth("0.1"));
  for (let number = 1; number <= relayers; number++) expect(await world.balance(addressOf(number))).toBe(eth("0.1"));
}

test.each([
  ["before", false],
  ["after", true],
])("a kill %s any step tops nobody up twice, and everybody in the end", async (_, isDone) => {
  let killed = 0;
  for (const step of sampled(
    Array.from({ length: 200 }, (_, index) => index + 1),
    29,
  )) {
    const world = toppingWorld(2);
    if (await killAt(world, step, isDone)) killed++;
    await expectOnceEach(world, 2);
  }
  expect(killed).toBeGreaterThan(DEEP ? 4 : 1);
});

describe("a lost response", () => {
  const ofFirst = (fault: Fault): Fault => {
    return async (request, answer) =>
      isSend(request) && request.body?.includes(addressOf(1)) ? await fault(request, answer) : await answer();
  };

  test("of a payment that was accepted is found, and counts", async () => {
    const world = toppingWorld(2);
    const ran = await world.run(
      `${LINE} -o json`,
      ofFirst(async (_, answer) => {
        await answer();
        throw lost();
      }),
    );
    expect(ran.exitCode).toBe(0);
    expect(statesIn(ran)).toEqual(["sent", "sent"]);
    await expectOnceEach(world, 2);
  });

  test("of a payment that never arrives counts until the chain proves that it cannot", async () => {
    const world = toppingWorld(2);
    const ran = await world.run(
      `${LINE} -o json`,
      ofFirst(async () => {
        throw lost();
      }),
    );
    expect(ran.exitCode).toBe(11);
    expect(statesIn(ran)).toEqual(["unknown", "sent"]);
    expect(ran.stderr).toContain("it counts as received until the chain shows that it cannot");
    expect(ran.stderr).not.toContain("--resume");
    await world.pass(HOUR);
    expect(statesIn(await world.run(`${LINE} -o json`))).toEqual(["enough", "enough"]);
    await world.pass(HOUR);
    expect(statesIn(await world.run(`${LINE} -o json`))).toEqual(["sent", "enough"]);
    await expectOnceEach(world, 2);
  });

  test("of a payment that arrives late counts before and after", async () => {
    const world = toppingWorld(2);
    let late: WireRequest | undefined;
    await world.run(
      LINE,
      ofFirst(async (request) => {
        late = request;
        throw lost();
      }),
    );
    expect(statesIn(await world.run(`${LINE} -o json`))).toEqual(["enough", "enough"]);
    await world.pass(HOUR / 2);
    if (late) await world.apply(late);
    expect(statesIn(await world.run(`${LINE} -o json`))).toEqual(["enough", "enough"]);
    await expectOnceEach(world, 2);
  });

  test("of a request that a proxy sent twice counts, although the second was refused", async () => {
    const world = toppingWorld(2);
    await world.run(
      LINE,
      ofFirst(async (_, answer) => {
        await answer();
        return reply(400, { success: false, data: null, error: "Bad Request" });
      }),
    );
    await expectOnceEach(world, 2);
  });
});

test("a record that the service deleted still counts once the chain has it, and before", async () => {
  const world = toppingWorld(1);
  await world.run(LINE);
  const forgetful: Fault = async (request, answer) => {
    const replied = await answer();
    const isList = request.method === "GET" && request.target.includes("/transactions");
    if (!isList) return replied;
    const isOne = !request.target.includes("transactions?");
    if (isOne) return reply(404, { success: false, data: null, error: "Transaction not found" });
    const pagination = { current_page: 1, per_page: 100, total_items: 0 };
    return reply(200, { success: true, data: [], error: null, pagination });
  };
  expect(statesIn(await world.run(`${LINE} -o json`, forgetful))).toEqual(["enough"]);
  await world.pass(HOUR);
  expect(statesIn(await world.run(`${LINE} -o json`, forgetful))).toEqual(["enough"]);
  world.extra.set(addressOf(1), -eth("0.08"));
  expect(statesIn(await world.run(`${LINE} -o json`, forgetful))).toEqual(["sent"]);
});

test("a payment still counts if the node shows an older block without it", async () => {
  const world = toppingWorld(1);
  let behind: string | undefined;
  await world.run(LINE, async (request, answer) => {
    const replied = await answer();
    if (request.body?.includes("eth_blockNumber")) behind ??= JSON.parse(new TextDecoder().decode(replied.body)).result;
    return replied;
  });
  await world.pass(60_000);
  const ran = await world.run(`${LINE} -o json`, async (request, answer) => {
    if (!request.body?.includes("eth_blockNumber")) return await answer();
    return reply(200, { jsonrpc: "2.0", id: JSON.parse(request.body).id, result: behind ?? null });
  });
  expect(rowsIn(ran)).toMatchObject([{ balance: "0", pending: String(eth("0.1")), state: "enough" }]);
  expect(world.sent).toHaveLength(1);
});

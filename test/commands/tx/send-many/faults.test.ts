import type { WireRequest } from "../../../../src/contract/wire.ts";
import { RelayctlError } from "../../../../src/errors.ts";
import { exited } from "../../../helpers/exited.ts";
import { memoryJournal, outcomesIn } from "../../../helpers/memory/journal.ts";
import { receiver } from "../../../helpers/payouts.ts";
import { reply } from "../../../helpers/service/reply.ts";
import { lost, notSent } from "../../../helpers/service/scripted-service.ts";
import { type Fault, isSend } from "../once/keyed-world.ts";
import { intentsOf, LINE, type PayingWorld, payingWorld, rowsIn, states } from "./paying-world.ts";

/** A fault of the payment of one row; the others are sent as usual. */
function ofRow(row: number, fault: Fault): Fault {
  return async (request, answer) =>
    isSend(request) && JSON.parse(request.body ?? "{}").to === receiver(row)
      ? await fault(request, answer)
      : await answer();
}

const refused = (status: number, error: string, headers?: Record<string, string>): Fault => {
  return async () => reply(status, { success: false, data: null, error }, headers);
};

/** The response is lost after the service accepted the payment. */
const loseResponse: Fault = async (_, answer) => {
  await answer();
  throw lost();
};

/** The payment may have left, but never arrives. */
const loseRequest: Fault = async () => {
  throw lost();
};

/** A proxy sends the request twice, and returns the refusal of the second. */
const refuseTwice = (status: number): Fault => {
  return async (_, answer) => {
    await answer();
    return reply(status, { success: false, data: null, error: "Forbidden" });
  };
};

/** Responds with another transaction. */
const confuse: Fault = async (_, answer) => {
  const { body } = await answer();
  const { data } = JSON.parse(new TextDecoder().decode(body));
  return reply(200, { success: true, data: { ...data, gas_limit: 21_000 }, error: null });
};

/** Every row is paid once: by this service, and as the output says. */
function expectPaidOnce(world: PayingWorld, rows: number): void {
  expect([...world.paid].sort()).toEqual(Array.from({ length: rows }, (_, index) => receiver(index + 1)));
}

describe("a fault of one row", () => {
  test.each<[string, Fault, { state: string; exitCode: number; afterwards: "sent again" | "found" | "unknown" }]>([
    [
      "a connection refused",
      async () => Promise.reject(notSent()),
      { state: "refused", exitCode: 12, afterwards: "sent again" },
    ],
    ["a 400", refused(400, "Gas price is too high"), { state: "refused", exitCode: 12, afterwards: "sent again" }],
    [
      "a 400 after it was applied, by a proxy that sent it twice",
      refuseTwice(400),
      { state: "refused", exitCode: 12, afterwards: "found" },
    ],
    ["a 403 after it was applied", refuseTwice(403), { state: "waiting", exitCode: 12, afterwards: "found" }],
    ["a response lost after it was applied", loseResponse, { state: "sent", exitCode: 0, afterwards: "found" }],
    ["a request that was lost", loseRequest, { state: "unknown", exitCode: 11, afterwards: "unknown" }],
    ["a 500", refused(500, "An unknown error occurred"), { state: "unknown", exitCode: 11, afterwards: "unknown" }],
    [
      "a 504",
      async () => reply(504, "Request handler timeout"),
      { state: "unknown", exitCode: 11, afterwards: "unknown" },
    ],
    ["a 408", async () => reply(408, ""), { state: "unknown", exitCode: 11, afterwards: "unknown" }],
    [
      "a response that cannot be read",
      async () => reply(200, "<html>"),
      { state: "unknown", exitCode: 11, afterwards: "unknown" },
    ],
    ["a response of another transaction", confuse, { state: "sent", exitCode: 0, afterwards: "found" }],
  ])("%s", async (_, fault, { state, exitCode, afterwards }) => {
    const world = payingWorld();
    const first = await world.run(`${LINE} -o json`, ofRow(2, fault));
    expect(states(first.stdout)).toEqual(["sent", state, "sent"]);
    expect(first.exitCode).toBe(exitCode);
    expect(first.stderr.includes("--resume")).toBe(exitCode !== 0);

    const resumed = await world.run(`${LINE} --resume -o json`);
    const isUnknown = afterwards === "unknown";
    expect(states(resumed.stdout)).toEqual(["sent", isUnknown ? "unknown" : "sent", "sent"]);
    expect(resumed.exitCode).toBe(isUnknown ? 11 : 0);
    expect(resumed.writes).toHaveLength(afterwards === "sent again" ? 1 : 0);
    if (!isUnknown) expectPaidOnce(world, 3);
    else expect(world.paid).toEqual([receiver(1), receiver(3)]);
  });

  test("a request that arrives after the run is found by the next one, and not sent again", async () => {
    const world = payingWorld();
    let late: WireRequest | undefined;
    const first = await world.run(
      `${LINE} -o json`,
      ofRow(2, async (request) => {
        late = request;
        throw lost();
      }),
    );
    expect(states(first.stdout)).toEqual(["sent", "unknown", "sent"]);
    if (late) await world.apply(late);
    const resumed = await world.run(`${LINE} --resume -o json`);
    expect(states(resumed.stdout)).toEqual(["sent", "sent", "sent"]);
    expect(resumed).toMatchObject({ exitCode: 0, writes: [] });
    expectPaidOnce(world, 3);
    expect(outcomesIn(world).filter(({ settledLater }) => settledLater)).toHaveLength(1);
  });

  test("a request that arrives while it is looked for is found at once", async () => {
    const world = payingWorld();
    let late: WireRequest | undefined;
    let lists = 0;
    const ran = await world.run(`${LINE} -o json`, async (request, answer) => {
      if (isSend(request) && request.body?.includes(receiver(2))) {
        late = request;
        throw lost();
      }
      const isList = request.method === "GET" && request.target.includes("/transactions?");
      if (isList && late && ++lists === 2) await world.apply(late);
      return await answer();
    });
    expect(states(ran.stdout)).toEqual(["sent", "sent", "sent"]);
    expectPaidOnce(world, 3);
  });

  test("the same payment by another client with the same gas limit leaves the row unknown", async () => {
    const world = payingWorld();
    const ran = await world.run(
      `${LINE} -o json`,
      ofRow(2, async (request, answer) => {
        await answer();
        await world.apply(request);
        throw lost();
      }),
    );
    expect(states(ran.stdout)).toEqual(["sent", "unknown", "sent"]);
    expect(ran.exitCode).toBe(11);
  });

  test("the same payment by another client with another gas limit is not taken for the row", async () => {
    const world = payingWorld();
    const ran = await world.run(
      `${LINE} -o json`,
      ofRow(2, async (request) => {
        const body = JSON.parse(request.body ?? "{}");
        await world.apply({ ...request, body: JSON.stringify({ ...body, gas_limit: 30_000 }) });
        throw lost();
      }),
    );
    expect(states(ran.stdout)).toEqual(["sent", "unknown", "sent"]);
  });

  test("one transaction for several rows is that of the first, and the others are found by their gas limits", async () => {
    const world = payingWorld();
    let first = "";
    const repeat: Fault = async (request, answer) => {
      const answered = await answer();
      if (!isSend(request)) return answered;
      const { data } = JSON.parse(new TextDecoder().decode(answered.body));
      first ||= data.id;
      return reply(200, { success: true, data: { ...data, id: first }, error: null });
    };
    const ran = await world.run(`${LINE} --concurrency 1 -o json`, repeat);
    expect(states(ran.stdout)).toEqual(["sent", "sent", "sent"]);
    expectPaidOnce(world, 3);
    expect(new Set(rowsIn(ran).map(({ transaction_id }) => transaction_id)).size).toBe(3);
  });

  test("a row that a response refused is sent again with another gas limit, since a copy of the request may arrive", async () => {
    const world = payingWorld();
    await world.run(LINE, ofRow(2, refused(400, "Bad Request")));
    await world.run(`${LINE} --resume`);
    expectPaidOnce(world, 3);
    const attempts = intentsOf(world).filter(({ payment }) => payment?.row === 2);
    expect(attempts).toHaveLength(2);
    expect(new Set(attempts.map(({ body }) => JSON.stringify(body))).size).toBe(2);
  });

  test("a 429 is waited out, and counts as no failure", async () => {
    const world = payingWorld();
    let count = 0;
    const limited: Fault = async (_, answer) =>
      ++count < 4 ? reply(429, { error: "Too Many Requests" }, { "retry-after": "0" }) : await answer();
    await exited(0, world.run(`${LINE} --stop-after 1`, ofRow(2, limited)));
    expectPaidOnce(world, 3);
    expect(intentsOf(world)).toHaveLength(3);
  });
});

describe("a fault that meets every row", () => {
  test.each<[string, Fault, number, string]>([
    ["a paused relayer", refused(403, "Relayer paused"), 6, "Relayer paused"],
    ["a disabled relayer", refused(403, "Relayer disabled"), 6, "Relayer disabled"],
    ["a refused token", refused(401, "Unauthorized"), 4, "no further payment was started"],
  ])("%s stops the run, which continues later", async (_, fault, exitCode, words) => {
    const world = payingWorld(12);
    const first = await exited({ exitCode }, world.run(`${LINE} --concurrency 1 -o json`, ofRow(1, fault)));
    expect(first.stderr).toContain(words);
    expect(states(first.stdout)).toEqual(Array(12).fill("waiting"));
    expect(world.paid).toEqual([]);
    await exited(12, world.run(`${LINE} --concurrency 1 --resume -o json`, ofRow(5, fault)));
    expect(world.paid).toHaveLength(4);
    expect(await world.run(`${LINE} --resume`)).toMatchObject({ exitCode: 0 });
    expectPaidOnce(world, 12);
  });

  test("a journal that cannot be written stops the run, and nothing is sent without its intent", async () => {
    let room = 6;
    const full = () => (room-- > 0 ? undefined : new RelayctlError("io", "journal: the disk is full"));
    const entries = memoryJournal({ fault: full });
    const world = payingWorld(12, entries);
    const ran = await exited(74, world.run(`${LINE} --concurrency 1 -o json`));
    expect(ran.stderr).toContain("the journal, which tx send-many requires, cannot be written");
    room = Number.POSITIVE_INFINITY;
    const sent = new Set(intentsOf(world).map(({ payment }) => receiver(payment?.row ?? 0)));
    for (const each of world.paid) expect(sent.has(each)).toBe(true);
    await exited(0, world.run(`${LINE} --resume`));
    expectPaidOnce(world, 12);
  });

  test("a journal that cannot be written at all sends nothing", async () => {
    const world = payingWorld(3, memoryJournal({ fault: () => new RelayctlError("io", "journal: the disk is full") }));
    await exited({ exitCode: 74, writes: [] }, world.run(LINE));
  });

  test("lost responses end a run after ten of them, and each is found later", async () => {
    const world = payingWorld(30);
    let isOff = false;
    const flaky: Fault = async (request, answer) => {
      if (isSend(request)) isOff = true;
      if (isOff && !isSend(request)) return reply(502, "Bad Gateway");
      return isSend(request) ? await loseResponse(request, answer) : await answer();
    };
    const first = await exited(11, world.run(`${LINE} --concurrency 4 -o json`, flaky));
    expect(world.paid.length).toBeGreaterThanOrEqual(10);
    expect(world.paid.length).toBeLessThanOrEqual(13);
    expect(first.stderr).toContain("no further payment was started after 10 failures");
    expect(await world.run(`${LINE} --resume`)).toMatchObject({ exitCode: 0 });
    expectPaidOnce(world, 30);
  });
});

test("a service that stays silent is waited for once by each payment, and once by the search for all of them", async () => {
  const world = payingWorld();
  const asked: string[] = [];
  const ran = await world.run(LINE, async (request, answer) => {
    if (isSend(request) || asked.length > 0) {
      asked.push(request.method);
      await world.pass(30_000);
      throw lost("timeout");
    }
    return await answer();
  });
  expect(ran.exitCode).toBe(11);
  expect(asked.sort()).toEqual(["GET", "GET", "GET", "POST", "POST", "POST"]);
});

test("an intent is on the disk before its payment leaves", async () => {
  const world = payingWorld(20);
  await world.run(LINE, async (request, answer) => {
    if (isSend(request)) {
      const { to, gas_limit: gas } = JSON.parse(request.body ?? "{}");
      const recorded = world.journal.synced.filter((entry) => entry.type === "intent" && entry.payment);
      expect(recorded).toContainEqual(
        expect.objectContaining({ body: expect.objectContaining({ to, gas_limit: gas }) }),
      );
    }
    return await answer();
  });
  expectPaidOnce(world, 20);
});

test("a process that lost its lease sends nothing more", async () => {
  const world = payingWorld(12);
  const { journal } = world;
  let sent = 0;
  const leased: typeof journal.leased = async (_, work) => await work({ isHeld: () => sent < 4 });
  const stolen = payingWorld(12, Object.assign(journal, { leased }));
  const ran = await stolen.run(`${LINE} --concurrency 1 -o json`, async (request, answer) => {
    if (isSend(request)) sent++;
    return await answer();
  });
  expect(stolen.paid).toHaveLength(4);
  expect(ran.exitCode).toBe(12);
  expect(ran.stderr).toContain("another process has taken over this run");
  expect(ran.stderr).toContain("--resume");
  expect(ran.stderr).not.toContain("pay all rows again");
});

test("a process whose journal was removed sends nothing more, and does not advise to resume", async () => {
  const world = payingWorld(12);
  const { journal } = world;
  let sent = 0;
  const leased: typeof journal.leased = async (_, work) => await work({ isHeld: () => sent < 4 });
  const removed = payingWorld(12, Object.assign(journal, { leased }));
  const ran = await removed.run(`${LINE} --concurrency 1`, async (request, answer) => {
    if (isSend(request) && ++sent === 4) journal.entries.length = 0;
    return await answer();
  });
  expect(removed.paid).toHaveLength(4);
  expect(ran.exitCode).toBe(12);
  expect(ran.stderr).toContain("--resume would pay all rows again");
  expect(ran.stderr).not.toContain("hint:");
});

test("a row whose response was lost is unknown, also if the journal lost its lines meanwhile", async () => {
  const world = payingWorld();
  const ran = await world.run(
    `${LINE} -o json`,
    ofRow(2, async () => {
      world.journal.entries.length = 0;
      throw lost();
    }),
  );
  expect(ran.exitCode).toBe(11);
  expect(rowsIn(ran).map(({ state }) => state)).toEqual(["sent", "unknown", "sent"]);
});

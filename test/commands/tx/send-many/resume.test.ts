import { setImmediate } from "node:timers/promises";
import type { WireRequest } from "../../../../src/contract/wire.ts";
import { RelayctlError } from "../../../../src/errors.ts";
import type { Entry, Verification } from "../../../../src/journal/journal.ts";
import { DEEP } from "../../../helpers/deep.ts";
import { exited, exitedSaying } from "../../../helpers/exited.ts";
import { type MemoryJournal, memoryJournal } from "../../../helpers/memory/journal.ts";
import { payouts, receiver } from "../../../helpers/payouts.ts";
import { reply } from "../../../helpers/service/reply.ts";
import { SERVER, TOKEN } from "../../../helpers/test-app.ts";
import { type Fault, isSend } from "../once/keyed-world.ts";
import { intentsOf, LINE, loseRow, type PayingWorld, payingWorld, rowsIn, states } from "./paying-world.ts";

describe("a file that was already started", () => {
  test("is refused without a word about it", async () => {
    const world = payingWorld();
    await world.run(LINE);
    const again = await exited({ exitCode: 6, writes: [], questions: [] }, world.run(LINE));
    expect(again.stderr).toMatch(/payouts\.csv was already started \(run \S+, at 2026/);
    expect(again.stderr).toContain("--resume");
    expect(world.paid).toHaveLength(3);
  });

  test("is continued with --resume, which sends nothing if all of it was sent", async () => {
    const world = payingWorld();
    await world.run(LINE);
    const resumed = await exited({ exitCode: 0, writes: [] }, world.run(`${LINE} --resume -o json --confirm 1`));
    expect(states(resumed.stdout)).toEqual(["sent", "sent", "sent"]);
  });

  test("is paid again with --again, as a run with other gas limits", async () => {
    const world = payingWorld();
    await world.run(LINE);
    expect(await world.run(`${LINE} --again`)).toMatchObject({ exitCode: 0 });
    expect(world.paid).toHaveLength(6);
    const runs = new Set(intentsOf(world).map(({ run }) => run));
    expect(runs.size).toBe(2);
    const [first = "", second = ""] = [...runs];
    const resumed = await exited({ exitCode: 0, writes: [] }, world.run(`${LINE} --resume --run ${first} -o json`));
    expect(resumed.stderr).toContain(`resuming run ${first}`);
    expect((await world.run(`${LINE} --resume`)).stderr).toContain(`resuming run ${second}`);
  });

  test.each<[string, string, { server?: string }]>([
    ["from another relayer", "eth-main-1", {}],
    ["at another address of the service", "base-hot", { server: "https://relayer.example.com:8443" }],
  ])("is refused %s too, unless --again says so", async (_, relayer, elsewhere) => {
    const world = payingWorld(3, undefined, elsewhere);
    const line = LINE.replace("base-hot", relayer);
    const journal = payingWorld(3, world.journal);
    await journal.run(LINE);
    for (const more of ["", " --resume"]) {
      const refused = await exited({ exitCode: 6, writes: [], questions: [] }, world.run(line + more));
      expect(refused.stderr).toMatch(/payouts\.csv was already started in run \S+ at 2026\S+, from base-hot at http:/);
      expect(refused.stderr).toContain("--again");
    }
    expect(world.paid).toEqual([]);
    expect(await world.run(`${line} --again`)).toMatchObject({ exitCode: 0 });
    expect(await world.run(`${line} --resume`)).toMatchObject({ exitCode: 0, writes: [] });
    expect(world.paid).toHaveLength(3);
  });

  test("is not paid by two processes at different addresses of the service at the same time", async () => {
    const first = payingWorld();
    const second = payingWorld(3, first.journal, { server: "https://relayer.example.com:8443" });
    let inside: Promise<{ exitCode: number }> | undefined;
    await first.run(LINE, async (_, answer) => {
      inside ??= second.run(LINE);
      await inside;
      return await answer();
    });
    expect(await inside).toMatchObject({ exitCode: 6 });
    expect([...first.paid, ...second.paid]).toHaveLength(3);
  });
});

test("a row is recorded at its turn of --rate, so a kill leaves no row unknown that only waited", async () => {
  const world = payingWorld();
  const interrupt = new AbortController();
  const untilInterrupted = new Promise<void>((resolve) => interrupt.signal.addEventListener("abort", () => resolve()));
  const waiting: number[] = [];
  const sleep: typeof world.clock.sleep = (time, signal) => {
    // Two of three rows wait for their turn.
    if (signal !== interrupt.signal || waiting.push(time) > 2) return world.clock.sleep(time, signal);
    return untilInterrupted;
  };
  const paying = world.run(`${LINE} --rate 2/s`, undefined, {
    clock: { ...world.clock, sleep },
    interrupt: interrupt.signal,
  });
  while (world.paid.length === 0 || waiting.length < 2) await setImmediate();
  expect(intentsOf(world)).toHaveLength(1);
  interrupt.abort();
  expect((await paying).exitCode).toBe(130);
});

const file = "/home/ops/journal/2026-11.ndjson";
test.each<[string, NonNullable<Verification["fault"]>, number]>([
  ["in a line", { file, line: 3, what: "changed", words: "line 3 was changed" }, 74],
  ["by removed lines", { file, line: 3, what: "removed", words: "line 3 was removed" }, 74],
  ["at its end, by a kill", { file, line: 9, what: "added", words: "line 9 is incomplete", isTorn: true }, 11],
  ["in its head alone", { file: "head.json", line: 0, what: "removed", words: "is missing" }, 74],
])("a journal that was damaged: %s", async (_, fault, exitCode) => {
  let found: Verification = { files: 1, lines: 9 };
  const world = payingWorld(3, { ...memoryJournal(), verify: async () => found });
  await world.run(LINE, loseRow(2));
  found = { ...found, fault };
  const ran = await exited(exitCode, world.run(`${LINE} --resume`));
  if (exitCode === 74) expect(ran.stderr).toContain(fault.words);
  expect(world.paid).toHaveLength(2);
});

describe("--resume", () => {
  test("starts a run that was never begun", async () => {
    const world = payingWorld();
    expect(await world.run(`${LINE} --resume`)).toMatchObject({ exitCode: 0 });
    expect(world.paid).toHaveLength(3);
  });

  test("refuses a file that changed since, whether or not it is found by its ID", async () => {
    const world = payingWorld();
    await world.run(LINE, loseRow(2));
    const [{ run = "" } = {}] = intentsOf(world);
    world.files["payouts.csv"] = payouts(4);
    for (const line of [`${LINE} --resume`, `${LINE} --resume --run ${run}`]) {
      const resumed = await exited({ exitCode: 2, writes: [] }, world.run(line));
      expect(resumed.stderr).toContain(`payouts.csv: changed since run ${run} began`);
      expect(resumed.stderr).toContain("SHA-256");
    }
    expect(world.paid).toHaveLength(2);
  });

  test("refuses rows that pay another receiver now, since a label changed", async () => {
    const world = payingWorld();
    world.files["payouts.csv"] = `to,value,gas_limit\n@one,1,30000\n@two,2,30000\n`;
    const labeled = (two: string) => ({
      config: {
        version: 1 as const,
        contexts: { prod: { server: SERVER, token: TOKEN } },
        labels: { evm: { one: receiver(1), two } },
      },
    });
    const line = `${LINE} --confirm 3`;
    await world.run(line, loseRow(2), labeled(receiver(2)));
    const [{ run = "" } = {}] = intentsOf(world);
    for (const more of ["--resume", `--resume --run ${run}`]) {
      const resumed = await world.run(`${line} ${more} --assume-not-sent 2 --yes`, undefined, labeled(receiver(3)));
      expect(resumed).toMatchObject({ exitCode: 2, writes: [] });
      expect(resumed.stderr).toContain("payouts.csv: a label or the ABI changed");
    }
    await exited(0, world.run(`${line} --resume --assume-not-sent 2 --yes`, undefined, labeled(receiver(2))));
    expect(world.paid).toEqual([receiver(1), receiver(2)]);
  });

  test("starts a new run of a changed file if every row of the earlier one was sent", async () => {
    const world = payingWorld();
    await world.run(LINE);
    world.files["payouts.csv"] = payouts(1).replace(",1000000000000,", ",1500000000000,");
    expect(await world.run(`${LINE} --confirm 1500000000000`)).toMatchObject({ exitCode: 0 });
    expect(world.paid).toHaveLength(4);
  });

  test("refuses the same payments from a file that a spreadsheet saved again, unless --again is there", async () => {
    const world = payingWorld();
    await world.run(LINE);
    world.files["payouts.csv"] = payouts(3).replaceAll("\n", "\r\n");
    world.files["copy.csv"] = `${payouts(3)}\n`;
    for (const line of [LINE, `${LINE} --resume`, LINE.replace("payouts", "copy")]) {
      const refused = await exited({ exitCode: 6, writes: [], questions: [] }, world.run(line));
      expect(refused.stderr).toMatch(
        /the payments of \w+\.csv were already started in run \S+ at 2026\S+, from base-hot at/,
      );
    }
    expect(await world.run(`${LINE} --again`)).toMatchObject({ exitCode: 0 });
    expect(world.paid).toHaveLength(6);
  });

  test("is required for a changed file whose earlier run is not finished", async () => {
    const world = payingWorld();
    await world.run(LINE, loseRow(2));
    world.files["payouts.csv"] = payouts(2);
    const changed = await exited({ exitCode: 6, writes: [] }, world.run(`${LINE} --confirm 3000000000000`));
    expect(changed.stderr).toContain("another version of payouts.csv was started and is not finished");
  });

  test("rejects a run that the journal does not have", async () => {
    const world = payingWorld();
    await exited({ exitCode: 2, writes: [] }, world.run(`${LINE} --resume --run 12345678`));
  });

  test("asks for the sum that is left, and accepts that of the file", async () => {
    for (const sum of ["2000000000000", "2000gwei", "6000000000000"]) {
      const world = payingWorld();
      await world.run(`${LINE} --concurrency 1`, async (request, answer) => {
        if (isSend(request) && request.body?.includes(receiver(2)))
          throw new (await import("../../../../src/client/transport/transport.ts")).TransportFailure(
            "connect",
            "refused",
            { sent: false },
          );
        return await answer();
      });
      expect(await world.run(`${LINE} --resume --confirm ${sum}`)).toMatchObject({ exitCode: 0 });
      expect(world.paid).toHaveLength(3);
    }
  });
});

describe("a run that sent a part of its rows", () => {
  const failing =
    (status: number, isMeant = isSend): Fault =>
    async (request, answer) =>
      isMeant(request) ? reply(status, { success: false, data: null, error: "not now" }) : await answer();

  async function begun(): Promise<PayingWorld> {
    const world = payingWorld();
    let sends = 0;
    await world.run(`${LINE} --concurrency 1`, async (request, answer) =>
      isSend(request) && sends++ > 0 ? await failing(401)(request, answer) : await answer(),
    );
    expect(world.paid).toEqual([receiver(1)]);
    return world;
  }

  test.each([401, 429, 503])("says so if its relayer cannot be read, with %d", async (status) => {
    const world = await begun();
    const all = failing(status, () => true);
    const resumed = await exited({ exitCode: 12, writes: [] }, world.run(`${LINE} --resume -o json`, all));
    expect(states(resumed.stdout)).toEqual(["sent", "refused", "waiting"]);
    expect(resumed.stderr).toContain("1 of 3 payments accepted, 1 refused, 1 not started");
    expect(resumed.stderr).toContain("no further payment was started: ");
    expect(resumed.stderr).toContain("accepted in prod: 1 of 3 payments, 0.000001 ETH");
  });

  test("needs its relayer no more once it sent the others, but to wait", async () => {
    const world = await begun();
    await exited(0, world.run(`${LINE} --resume`));
    const all = failing(503, () => true);
    const resumed = await exited({ exitCode: 0, writes: [] }, world.run(`${LINE} --resume -o json`, all));
    expect(states(resumed.stdout)).toEqual(["sent", "sent", "sent"]);
    await exited({ exitCode: 15, writes: [] }, world.run(`${LINE} --resume --wait --deadline 20s`, all));
  });

  test("shows only the others in a dry run", async () => {
    const world = await begun();
    const shown = await exited({ exitCode: 0, writes: [] }, world.run(`${LINE} --resume --dry-run`));
    expect(shown.stdout.match(/0x0{39}[1-3]/g)).toEqual([receiver(2), receiver(3)]);
    expect(shown.stderr).toContain("2 payments to 2 receivers");
    await world.run(`${LINE} --resume`);
    await exitedSaying({ exitCode: 0, stdout: "" }, world.run(`${LINE} --resume --dry-run`), "no row is left to send");
  });
});

describe("a run that was begun, with a row that would revert by now", () => {
  const REVERTING = { code: -32_603, message: "Internal error", description: "RPC error occurred (code: 3)" };
  /** Each payment costs 21,000 wei of fees or more. */
  const onNode =
    (balance = "100000"): Fault =>
    async (request, answer) => {
      const { body = "", target } = request;
      const { id, method } = body.startsWith("{") ? JSON.parse(body) : {};
      if (target.endsWith("/balance")) return reply(200, { success: true, data: { balance, unit: "wei" } });
      if (method === "eth_estimateGas" && body.includes(receiver(2)))
        return reply(200, { jsonrpc: "2.0", id, error: REVERTING });
      if (method === "eth_getBlockByNumber")
        return reply(200, { jsonrpc: "2.0", id, result: { baseFeePerGas: "0x1" } });
      return await answer();
    };

  const begun = async (second: string) => {
    const world = payingWorld();
    world.files["payouts.csv"] = `to,value\n${receiver(1)},1wei\n${receiver(2)},${second}wei\n${receiver(3)},3wei\n`;
    const confirmed = `--confirm ${4 + Number(second)}wei`;
    await exited({ exitCode: 2, writes: [] }, world.run(`${LINE} ${confirmed}`, onNode()));
    await world.run(`${LINE} ${confirmed} --concurrency 1 --stop-after 1`, async (request, answer) => {
      if (isSend(request) && request.body?.includes(receiver(2))) return reply(400, { success: false, error: "no" });
      return await answer();
    });
    expect(world.paid).toEqual([receiver(1)]);
    return { world, line: `${LINE} ${confirmed} --resume -o json` };
  };

  test("continues without the row, and a new run does not begin with it", async () => {
    const { world, line } = await begun("2");
    const resumed = await exited(12, world.run(line, onNode()));
    expect(states(resumed.stdout)).toEqual(["sent", "refused", "sent"]);
    expect(rowsIn(resumed)[1]?.why).toBe("would revert");
    expect(world.paid).toEqual([receiver(1), receiver(3)]);
  });

  test("is shown with its reason in a dry run", async () => {
    const { world, line } = await begun("2");
    const dry = line.replace("-o json", "--dry-run");
    const shown = await exited({ exitCode: 0, writes: [] }, world.run(dry, onNode()));
    expect(shown.stdout.match(/0x0{39}[1-3]/g)).toEqual([receiver(3)]);
    expect(shown.stderr).toContain("warning: row 2 refused: would revert");
    const silent: Fault = async (request, answer) =>
      request.target.endsWith("/rpc") ? reply(503, {}) : await answer();
    const none = await exited({ exitCode: 0, stdout: "", writes: [] }, world.run(dry, silent));
    expect(none.stderr).not.toContain("no row is left");
    expect(none.stderr).toMatch(/warning: 2 rows refused: needs a gas limit, .+: row 2, row 3/);
    await exited(12, world.run(line, onNode()));
    const again = `${dry} --assume-not-sent 3`;
    await exitedSaying({ exitCode: 0, stdout: "" }, world.run(again, onNode()), "warning: row 2 refused: would revert");
  });

  test.each(["2", "90000"])(
    "compares the balance only with rows that are sent, without one of %s wei",
    async (second) => {
      const { world, line } = await begun(second);
      await exitedSaying({ exitCode: 2, writes: [] }, world.run(line, onNode("21002")), "the sum and fees of at least");
      await exitedSaying(
        { exitCode: 12 },
        world.run(line, onNode("21003")),
        "pay 0.000000000000000003 ETH in 1 payment",
      );
      expect(world.paid).toEqual([receiver(1), receiver(3)]);
    },
  );
});

describe("kill -9", () => {
  /** Everything that a killed process has on the disk: what was appended before the end. */
  const killedAt = (entries: ReturnType<typeof memoryJournal>["entries"], kept: number) =>
    memoryJournal({ entries: entries.slice(0, kept) });

  test("at every entry of the journal, each row is paid once in the end, or unknown and never sent again", async () => {
    const rows = 6;
    const whole = payingWorld(rows);
    await whole.run(`${LINE} --concurrency 2`);
    const total = whole.journal.entries.length;
    for (let kept = 0; kept <= total; kept += DEEP ? 1 : 3) {
      // The service has what was sent; the journal ends early.
      const world = payingWorld(rows);
      await world.run(`${LINE} --concurrency 2`);
      const journal = killedAt(world.journal.entries, kept);
      const begun = new Set(
        journal.entries.flatMap((entry) => (entry.type === "intent" && entry.payment ? [entry.payment.row] : [])),
      );
      // What has no intent on the disk was never sent.
      const arrived = world.paid.filter((each) => [...begun].some((row) => receiver(row) === each));
      const again = payingWorld(rows, journal);
      for (const intent of journal.entries)
        if (intent.type === "intent" && intent.payment)
          await again.apply({
            method: "POST",
            target: intent.target,
            headers: {
              authorization: `Bearer ${(await import("../../../helpers/test-app.ts")).TOKEN}`,
              "content-type": "application/json",
            },
            body: JSON.stringify(intent.body),
          });
      expect(again.paid).toHaveLength(arrived.length);
      await exited(0, again.run(`${LINE} --resume -o json`));
      expect([...again.paid].sort()).toEqual(Array.from({ length: rows }, (_, index) => receiver(index + 1)));
    }
  });

  test("after an intent whose request never left leaves the row unknown", async () => {
    const world = payingWorld();
    await world.run(`${LINE} --concurrency 1`);
    const last = world.journal.entries.findLastIndex((entry) => entry.type === "intent");
    const journal = killedAt(world.journal.entries, last + 1);
    const again = payingWorld(3, journal);
    const resumed = await exited({ exitCode: 11, writes: [] }, again.run(`${LINE} --resume -o json`));
    expect(states(resumed.stdout)).toEqual(["sent", "sent", "unknown"]);
    expect(resumed.stderr).toContain("1 unknown");
  });
});

describe("--assume-not-sent", () => {
  test("sends an unknown row again with another gas limit, and records that", async () => {
    const world = payingWorld();
    await world.run(LINE, loseRow(2));
    const resumed = await exited({ exitCode: 0 }, world.run(`${LINE} --resume --assume-not-sent 2 --yes -o json`));
    expect(states(resumed.stdout)).toEqual(["sent", "sent", "sent"]);
    expect(world.paid).toHaveLength(3);
    const attempts = intentsOf(world).filter(({ payment }) => payment?.row === 2);
    expect(new Set(attempts.map(({ body }) => JSON.stringify(body))).size).toBe(2);
    expect(world.journal.entries).toContainEqual(
      expect.objectContaining({ id: attempts[0]?.id, applied: "unknown", assumed: "not_sent" }),
    );
  });

  test("needs --yes besides the sum", async () => {
    const world = payingWorld();
    await world.run(LINE, loseRow(2));
    const resumed = await exited({ exitCode: 3, writes: [] }, world.run(`${LINE} --resume --assume-not-sent 2`));
    expect(resumed.stderr).toContain(`row 2, 0.000002 ETH to ${receiver(2)}`);
  });

  test("does not send a row that was found meanwhile", async () => {
    const world = payingWorld();
    const late: WireRequest[] = [];
    await world.run(LINE, loseRow(2, late));
    for (const request of late) await world.apply(request);
    const resumed = await exited({ exitCode: 0, writes: [] }, world.run(`${LINE} --resume --assume-not-sent 2 --yes`));
    expect(resumed.stderr).toContain("note: row 2 was sent");
    expect(world.paid).toHaveLength(3);
  });

  test("sends nothing if the row cannot be looked for now", async () => {
    const world = payingWorld();
    const late: WireRequest[] = [];
    await world.run(LINE, loseRow(2, late));
    for (const request of late) await world.apply(request);
    const resumed = await world.run(`${LINE} --resume --assume-not-sent 2 --yes`, async (request, answer) =>
      request.method === "GET" && request.target.includes("/transactions") ? reply(404, {}) : await answer(),
    );
    expect(resumed).toMatchObject({ exitCode: 11, writes: [] });
    expect(resumed.stderr).toContain("no further payment was started: ");
    expect(resumed.stderr).toContain("a row that may have been sent is looked for before it is sent again");
    expect(world.paid).toHaveLength(3);
  });

  test("sends nothing to a row that was refused the second time if it cannot be looked for", async () => {
    const world = payingWorld();
    await world.run(LINE, loseRow(2));
    await world.run(`${LINE} --resume --assume-not-sent 2 --yes`, async (request, answer) =>
      isSend(request) ? reply(400, { success: false }) : await answer(),
    );
    const unread = async () => reply(503, {});
    const resumed = await exited({ exitCode: 12, writes: [] }, world.run(`${LINE} --resume -o json`, unread));
    expect(states(resumed.stdout)).toEqual(["sent", "refused", "sent"]);
  });

  test("reports a row that turns out to be paid twice", async () => {
    const world = payingWorld();
    const late: WireRequest[] = [];
    await world.run(LINE, loseRow(2, late));
    await world.run(`${LINE} --resume --assume-not-sent 2 --yes`);
    for (const request of late) await world.apply(request);
    await exitedSaying({ writes: [] }, world.run(`${LINE} --resume`), "warning: row 2 was sent twice");
  });

  test.each([
    ["--assume-not-sent 2", "requires --resume"],
    ["--resume --assume-not-sent 0", "a whole number"],
    ["--resume --assume-not-sent 9", "the file has 3 rows"],
    ["--resume --again", "cannot be combined"],
    ["--run 1", "has no effect without --resume"],
  ])("rejects %s", async (flags, words) => {
    const world = payingWorld();
    await world.run(LINE, loseRow(2));
    await exitedSaying({ exitCode: 2, writes: [] }, world.run(`${LINE} ${flags}`), words);
  });
});

describe("rows of a run that ended", () => {
  /** The file of the world with its first rows, or with more. */
  const resized = (world: PayingWorld, rows: number) => {
    world.files["payouts.csv"] = payouts(rows);
    return `--confirm ${(rows * (rows + 1)) / 2}000000000000`;
  };

  test.each(["", " --resume"])("are not paid again if rows were added to the file:%s", async (flags) => {
    const world = payingWorld();
    await world.run(LINE);
    const ran = await world.run(`${LINE}${flags} ${resized(world, 5)}`);
    expect(ran).toMatchObject({ exitCode: 6, writes: [], questions: [] });
    expect(ran.stderr).toMatch(/payouts\.csv begins with the 3 rows of run \S+ at 2026\S+, from base-hot at /);
    expect(ran.stderr).toContain("put the other 2 rows into a separate file, or use --again to pay all 5 as a new run");
    expect(world.paid).toHaveLength(3);
  });

  test("are not paid again from a longer file at another path, with another spelling of the addresses", async () => {
    const world = payingWorld();
    await world.run(LINE);
    world.files["april.csv"] = payouts(4).replaceAll(/0x\w+/g, (to) => `0x${to.slice(2).toUpperCase()}`);
    const ran = await world.run(`${LINE.replace("payouts", "april")} --confirm 10000000000000`);
    expect(ran).toMatchObject({ exitCode: 6, writes: [] });
    expect(ran.stderr).toContain("put the other row into a separate file");
  });

  test("are paid again with --again", async () => {
    const world = payingWorld();
    await world.run(LINE);
    expect(await world.run(`${LINE} --again ${resized(world, 5)}`)).toMatchObject({ exitCode: 0 });
    expect(world.paid).toHaveLength(8);
  });

  test("are not paid again if rows were removed from the end of the file", async () => {
    const world = payingWorld();
    await world.run(LINE);
    const ran = await exited({ exitCode: 6, writes: [] }, world.run(`${LINE} ${resized(world, 2)}`));
    expect(ran.stderr).toMatch(/payouts\.csv has the first 2 of the 3 rows of run \S+ at 2026/);
  });

  test("do not refuse a file that has the same first row alone", async () => {
    const world = payingWorld();
    await world.run(LINE);
    world.files["payouts.csv"] = payouts(3).replace(",2000000000000,", ",2500000000000,");
    expect(await world.run(`${LINE} --confirm 6500000000000`)).toMatchObject({ exitCode: 0 });
    world.files["payouts.csv"] = payouts(2).replace(",2000000000000,", ",2600000000000,");
    expect(await world.run(`${LINE} --confirm 3600000000000`)).toMatchObject({ exitCode: 0 });
  });

  test("do not refuse the beginning of a file of which nothing was accepted", async () => {
    const world = payingWorld();
    const refused: Fault = async (request, answer) =>
      isSend(request) ? reply(400, { success: false, data: null, message: "Bad Request" }) : await answer();
    await world.run(LINE, refused);
    world.files["other.csv"] = payouts(2);
    await exited({ exitCode: 0 }, world.run(`${LINE.replace("payouts", "other")} --confirm 3000000000000`));
  });
});

describe("a file that another journal knows", () => {
  /** A context with a journal, and two folders for `--state`. The IDs of two journals differ. */
  const withFolders = (path = "/a", headers: Record<string, string> = {}) => {
    const ids = (journal: MemoryJournal, digit: string) => {
      const { newId } = journal;
      return { ...journal, newId: () => newId().replace(/^1/, digit) };
    };
    const journals = { a: ids(memoryJournal({ path }), "2"), b: ids(memoryJournal({ path: "/b" }), "3") };
    const world = payingWorld(3, undefined, { headers });
    return { ...world, run: (line: string, fault?: Fault) => world.run(line, fault, { journals }), journals };
  };

  test.each([
    ["--state a", "", "/a"],
    ["--state a", "--resume", "/a"],
    ["--state a", "--state b", "/a"],
    ["--state a", "--state b --resume", "/a"],
    ["", "--state a", "journal"],
    ["", "--state a --resume", "journal"],
  ])("is not paid twice: begun with [%s], typed again with [%s]", async (first, second, kept) => {
    const { run, paid } = withFolders();
    expect(await run(`${LINE} ${first}`)).toMatchObject({ exitCode: 0 });
    const again = await exited({ exitCode: 6, writes: [], questions: [] }, run(`${LINE} ${second}`));
    expect(again.stderr).toMatch(/payouts\.csv was already started in run \S+ at 2026\S+, from base-hot at /);
    expect(again.stderr).toContain(`the run is kept in the journal in ${kept}\n`);
    expect(paid).toHaveLength(3);
    expect(await run(`${LINE} ${second.replace("--resume", "")} --again`)).toMatchObject({ exitCode: 0 });
    expect(paid).toHaveLength(6);
  });

  test("is continued with the folder that it was begun with, which is noted once", async () => {
    const { run, paid, journal, journals } = withFolders();
    await run(`${LINE} --state a`);
    expect(await run(`${LINE} --state a --resume`)).toMatchObject({ exitCode: 0, writes: [] });
    expect(await run(`${LINE} --state a`)).toMatchObject({ exitCode: 6 });
    expect(paid).toHaveLength(3);
    expect(journal.entries.map(({ type }) => type)).toEqual(["intent", "outcome"]);
    expect(new Set(journal.entries.map((entry) => entry.run))).toEqual(
      new Set(journals.a.entries.map((entry) => entry.run)),
    );
  });

  test("is not paid again although the journal hides a part of the folder's path", async () => {
    const { run, paid } = withFolders("/payments-team", { "X-Team": "payments-team" });
    await exited(0, run(`${LINE} --state a`));
    await exitedSaying({ exitCode: 6, writes: [] }, run(LINE), "payouts.csv was already started in run");
    expect(paid).toHaveLength(3);
  });

  test("is not paid again with rows added, or saved again with other bytes", async () => {
    const { run, files, paid } = withFolders();
    await run(`${LINE} --state a`);
    files["payouts.csv"] = payouts(4);
    const longer = await exited({ exitCode: 6, writes: [] }, run(`${LINE} --confirm 10000000000000`));
    expect(longer.stderr).toContain("payouts.csv begins with the 3 rows of run");
    files["payouts.csv"] = payouts(3).replaceAll("\n", "\r\n");
    const alike = await exited({ exitCode: 6, writes: [] }, run(`${LINE} --state b`));
    expect(alike.stderr).toContain("the payments of payouts.csv were already started in run");
    expect(paid).toHaveLength(3);
  });

  test("whose folder was lost is not paid again", async () => {
    const { run, paid, journals } = withFolders();
    await run(`${LINE} --state a`);
    journals.a.entries.length = 0;
    const again = await exited({ exitCode: 6, writes: [] }, run(`${LINE} --state a --resume`));
    expect(again.stderr).toContain("the run is kept in the journal in /a");
    expect(paid).toHaveLength(3);
  });

  test("continues the newest run, whatever the clock showed when it began", async () => {
    const { run, paid, journals } = withFolders();
    await run(`${LINE} --state a`, async (request, answer) =>
      isSend(request) && request.body?.includes(receiver(3)) ? reply(400, { success: false }) : await answer(),
    );
    expect(paid).toHaveLength(2);
    await run(`${LINE} --state a --again`);
    const { entries } = journals.a;
    const newest = entries.at(-1)?.run;
    for (const entry of entries) if (entry.run === newest) entry.time = entry.time.replace("2026", "2025");
    await exitedSaying({ exitCode: 0, writes: [] }, run(`${LINE} --state a --resume`), `resuming run ${newest}`);
    expect(paid).toHaveLength(5);
  });

  test("is not paid if the usual journal was damaged, unless a user knows what it lost", async () => {
    const damaged = memoryJournal();
    const fault = { file: "2026-11.ndjson", line: 3, what: "removed" as const, words: "line 3 was removed" };
    const world = payingWorld(3, Object.assign(damaged, { verify: async () => ({ files: 1, lines: 2, fault }) }));
    const journals = { a: memoryJournal({ path: "/a" }) };
    const ran = await exited({ exitCode: 74, writes: [] }, world.run(`${LINE} --state a`, undefined, { journals }));
    expect(ran.stderr).toContain("the journal was damaged: 2026-11.ndjson: line 3 was removed");
    expect(ran.stderr).toContain("hint: relayctl -c prod history verify");
    const accepted = `${LINE} --state a --even-if-journal-lost-lines`;
    expect(await world.run(accepted, undefined, { journals })).toMatchObject({ exitCode: 3, writes: [] });
    const typed = `${accepted} --confirm 'prod 6000000000000wei'`;
    expect(await world.run(typed, undefined, { journals })).toMatchObject({ exitCode: 0 });
  });

  test("is paid with --state although the usual journal cannot be written, with a warning", async () => {
    const full = memoryJournal({ fault: () => new RelayctlError("io", "no space left") });
    const world = payingWorld(3, full);
    const ran = await world.run(`${LINE} --state a`, undefined, { journals: { a: memoryJournal({ path: "/a" }) } });
    expect(ran).toMatchObject({ exitCode: 0 });
    expect(ran.stderr).toContain("warning: the journal in journal does not note this run: no space left");
    expect(ran.stderr).toContain("follow: RELAYCTL_JOURNAL=a relayctl -c prod history show ");
  });
});

describe("a row that a gateway refused, although it had passed it on", () => {
  const passesOn: Fault = async (request, answer) => {
    const answered = await answer();
    return isSend(request) && request.body?.includes(receiver(2)) ? reply(404, "not here") : answered;
  };
  const isList = ({ method, target }: WireRequest) => method === "GET" && /\/transactions\?/.test(target);

  test("is not sent again while the list of transactions cannot be read", async () => {
    const world = payingWorld();
    await exited(12, world.run(LINE, passesOn));
    const unread: Fault = async (request, answer) => (isList(request) ? reply(500, "no list") : await answer());
    await exitedSaying(
      { exitCode: 12, writes: [] },
      world.run(`${LINE} --resume`, unread),
      "a row that may have been sent is looked for before it is sent again",
    );
    await exited({ exitCode: 0, writes: [] }, world.run(`${LINE} --resume`));
    expect(world.paid).toHaveLength(3);
  });

  test("is not sent again if it was found, and that cannot be recorded", async () => {
    const fault = (entry: Entry) => ("settledLater" in entry ? new RelayctlError("io", "the disk is full") : undefined);
    const world = payingWorld(3, memoryJournal({ fault }));
    await exited(12, world.run(LINE, passesOn));
    const ran = await exited({ writes: [] }, world.run(`${LINE} --resume -o json`));
    expect(states(ran.stdout)).toEqual(["sent", "sent", "sent"]);
    expect(world.paid).toHaveLength(3);
  });
});

test("a dry run of --resume leaves out a line of the journal with a row that the file does not have", async () => {
  const world = payingWorld();
  await world.run(LINE, loseRow(3));
  for (const entry of world.journal.entries) if ("payment" in entry && entry.payment) entry.payment = { row: 9 };
  await exited({ exitCode: 0, writes: [] }, world.run(`${LINE} --resume --dry-run`));
});

test.each([
  ["its relayer", "base-hot"],
  ["its file", "payouts.csv"],
])("a run is not begun if the journal would hide %s, since it could not be resumed", async (_, hidden) => {
  const world = payingWorld(3, undefined, { headers: { "X-Team": hidden } });
  await exitedSaying(74, world.run(LINE), ["it hides secrets", "nothing was sent"]);
  expect(world.paid).toEqual([]);
});

import type { WireReply } from "../../../../src/contract/wire.ts";
import { cancelError } from "../../../../src/errors.ts";
import { exited } from "../../../helpers/exited.ts";
import { receiver } from "../../../helpers/payouts.ts";
import { reply } from "../../../helpers/service/reply.ts";
import { lost } from "../../../helpers/service/scripted-service.ts";
import { type Fault, isSend } from "../once/keyed-world.ts";
import { LINE, payingWorld, rowsIn } from "./paying-world.ts";

function shown(row: number, change: (record: Record<string, unknown>) => Record<string, unknown>): Fault {
  const changed = (answered: WireReply): WireReply => {
    const body = JSON.parse(new TextDecoder().decode(answered.body));
    const one = (record: Record<string, unknown>) => (record.to === receiver(row) ? change(record) : record);
    const data = Array.isArray(body.data) ? body.data.map(one) : one(body.data);
    return reply(200, { ...body, data });
  };
  return async (request, answer) => {
    const answered = await answer();
    return request.method === "GET" && request.target.includes("/transactions") ? changed(answered) : answered;
  };
}

describe("--wait", () => {
  test("ends once every payment is confirmed on the chain, with hash, block, and fee of each", async () => {
    const world = payingWorld();
    const ran = await exited(0, world.run(`${LINE} --wait -o json`));
    for (const row of rowsIn(ran)) {
      expect(row).toMatchObject({ state: "confirmed", verdict: "confirmed", why: null });
      expect(row.hash).toMatch(/^0x[0-9a-f]{64}$/);
      expect(row.block).toEqual(expect.any(Number));
      expect(row.fee_paid).toMatch(/^[0-9]+$/);
    }
  });

  test("says of each row, in the sums, and in words what only the record shows", async () => {
    const world = payingWorld();
    const seen = await world.run(`${LINE} --wait -o json`);
    for (const row of rowsIn(seen)) expect(row).toMatchObject({ by_record: false });
    expect(seen.stderr).not.toContain("by the service's records");
    const only = await exited(0, world.run(`${LINE} --resume --wait --no-chain --report report.json -o json`));
    for (const row of rowsIn(only))
      expect(row).toMatchObject({
        state: "confirmed",
        by_record: true,
        why: expect.stringMatching(/record.*, and the chain was not asked$/),
      });
    expect(only.stderr).toContain("only by the service's records: 3 payments, 0.000006 ETH; the chain was not asked");
    const report = JSON.parse(world.files["report.json"] ?? "");
    expect(report.by_record).toEqual({ payments: 3, sum: "6000000000000" });
    const drawn = await world.run(`${LINE} --resume --wait --no-chain -o table`, undefined, { stdoutTerminal: true });
    expect(drawn.stdout).toContain("confirmed (by the record)");
    const accepted = await world.run(`${LINE} --resume -o json`);
    for (const row of rowsIn(accepted)) expect(row).toMatchObject({ state: "sent", by_record: null });
  });

  test("continues the wait of an earlier command with --resume", async () => {
    const world = payingWorld();
    await world.run(LINE);
    const ran = await exited({ exitCode: 0, writes: [] }, world.run(`${LINE} --resume --wait -o json`));
    expect(rowsIn(ran).map(({ state }) => state)).toEqual(["confirmed", "confirmed", "confirmed"]);
  });

  test("ends with 12 if a payment failed", async () => {
    const world = payingWorld();
    const failed = shown(2, (record) => ({ ...record, status: "failed", status_reason: "reverted", hash: null }));
    const ran = await exited(12, world.run(`${LINE} --wait --no-chain -o json`, failed));
    expect(rowsIn(ran).map(({ state }) => state)).toEqual(["confirmed", "failed", "confirmed"]);
    expect(ran.stderr).toContain("1 failed");
    expect(ran.stderr).toContain("accepted in prod: 3 of 3 payments, 0.000006 ETH");
  });

  test("does not call a payment confirmed whose record was replaced by one that pays nothing", async () => {
    const world = payingWorld();
    const replaced = shown(2, (record) => ({ ...record, to: record.from, value: "0x0", status: "confirmed" }));
    const ran = await world.run(`${LINE} --wait --no-chain -o json`, replaced);
    expect(rowsIn(ran)[1]?.state).not.toBe("confirmed");
    expect(ran.exitCode).not.toBe(0);
  });

  test.each([
    ["all", 30, 1_400, 0],
    ["a part", 40, 5_000, 15],
  ])("asks a slow service about %s of the payments, each to its end", async (_, count, delay, exitCode) => {
    const world = payingWorld(count);
    const slow: Fault = async (_request, answer) => {
      await world.clock.sleep(delay);
      return await answer();
    };
    const ran = await exited(exitCode, world.run(`${LINE} --wait -o json`, slow));
    const rows = rowsIn(ran);
    const confirmed = rows.filter(({ state }) => state === "confirmed");
    for (const row of rows) expect(row.transaction_id).toEqual(expect.any(String));
    for (const row of confirmed) expect(row).toMatchObject({ by_record: false, verdict: "confirmed" });
    expect(confirmed.length).toBeGreaterThan((exitCode === 0 ? count : 20) - 1);
    expect(rows.filter(({ state }) => state === "sent")).toHaveLength(count - confirmed.length);
  });

  test("asks again for a receipt that could not be read, before it believes the record", async () => {
    const world = payingWorld();
    let failed = 0;
    const failing: Fault = async (request, answer) =>
      request.body?.includes("eth_getTransactionReceipt") && ++failed < 3
        ? reply(503, { success: false, data: null, error: "busy" })
        : await answer();
    const ran = await exited(0, world.run(`${LINE} --wait -o json`, failing));
    for (const row of rowsIn(ran)) expect(row).toMatchObject({ state: "confirmed", by_record: false, why: null });
  });

  test("ends with 15 if the time ran out", async () => {
    const world = payingWorld();
    const pending = shown(2, (record) => ({ ...record, status: "submitted" }));
    const ran = await exited(15, world.run(`${LINE} --wait -o json`, pending));
    expect(rowsIn(ran)[1]?.state).toBe("sent");
    expect(ran.stderr).toContain("--resume");
  });

  test("asks the chain about a payment whose record was deleted, and says so", async () => {
    const world = payingWorld();
    await world.run(LINE);
    const ran = await world.run(`${LINE} --resume --wait -o json`, async (request, answer) => {
      const answered = await answer();
      if (request.method !== "GET" || !request.target.includes("/transactions")) return answered;
      const body = JSON.parse(new TextDecoder().decode(answered.body));
      if (!Array.isArray(body.data))
        return body.data.to === receiver(2)
          ? reply(404, { success: false, data: null, error: `Transaction with ID ${body.data.id} not found` })
          : answered;
      const data = body.data.filter(({ to }: { to: string }) => to !== receiver(2));
      return reply(200, { ...body, data, pagination: { ...body.pagination, total_items: data.length } });
    });
    expect(ran.exitCode).toBe(0);
    expect(rowsIn(ran).map(({ state }) => state)).toEqual(["confirmed", "confirmed", "confirmed"]);
    expect(rowsIn(ran)[1]?.why).toMatch(/its record expired$/);
  });

  test("calls no payment in progress that the service does not have any more", async () => {
    const world = payingWorld();
    await world.run(LINE);
    const forgetting: Fault = async ({ method, target }, answer) => {
      if (method !== "GET" || !target.includes("/transactions")) return await answer();
      if (!target.includes("/transactions?")) return reply(404, { success: false, data: null, error: "not found" });
      const pagination = { current_page: 1, per_page: 100, total_items: 0 };
      return reply(200, { success: true, data: [], error: null, pagination });
    };
    const ran = await exited(15, world.run(`${LINE} --resume --wait --no-chain -o table`, forgetting));
    expect(ran.stderr).toContain("0 confirmed, 3 to check");
    expect(ran.stderr).toContain("3 of 3 payments accepted, 3 to check");
    expect(ran.stderr).toContain("3 gone: the record was deleted, and the chain was not asked: row 1, row 2, row 3");
    expect(ran.stderr).not.toContain("in progress");
  });

  test.each([
    ["the chain", "--wait"],
    ["records alone", "--wait --no-chain"],
  ])("confirms one of two equal rows that have one transaction, by %s", async (_, wait) => {
    const world = payingWorld();
    const row = `${receiver(1)},1000000000000,30000\n`;
    world.files["payouts.csv"] = `to,value,gas_limit\n${row}${row}`;
    const line = `${LINE} --allow-duplicates --confirm 2000000000000 -o json`;
    const [first] = rowsIn(await world.run(`${line} ${wait}`));
    const nonces = new Set<unknown>();
    const repeated = shown(1, (record) => {
      if (record.id === first?.transaction_id) nonces.add(record.nonce);
      return { ...record, hash: first?.hash, nonce: [...nonces][0] ?? record.nonce };
    });
    const again = await exited(14, world.run(`${line} ${wait} --resume`, repeated));
    const [sent, confirmed] = rowsIn(again).toSorted((one) => (one.state === "sent" ? -1 : 1));
    expect(confirmed).toMatchObject({ state: "confirmed", hash: first?.hash });
    const why = `its record has transaction ${first?.hash}, which paid row ${confirmed?.row}`;
    expect(sent).toMatchObject({ state: "sent", hash: null, verdict: null, fee_paid: null, why });
  });

  test("warns of a payment that a proxy delivered twice, and of no other to the same receiver", async () => {
    const world = payingWorld();
    const row = `${receiver(1)},1000000000000\n`;
    world.files["payouts.csv"] = `to,value\n${row}${row}${receiver(2)},4000000000000\n`;
    const line = `${LINE} --allow-duplicates --confirm 6000000000000 --wait -o json`;
    const ran = await exited(
      0,
      world.run(line, async (request, answer) => {
        if (isSend(request) && request.body?.includes(receiver(2))) await answer();
        return await answer();
      }),
    );
    expect(world.paid).toHaveLength(4);
    expect(ran.stderr.match(/may be paid twice.*/g)).toEqual([
      expect.stringMatching(/^may be paid twice: by transaction .*, and by /),
    ]);
    expect(rowsIn(ran)).toMatchObject([
      { state: "confirmed", why: null },
      { state: "confirmed", why: null },
      { state: "confirmed", why: expect.stringMatching("it may be paid twice: transaction .* has the same receiver") },
    ]);
  });

  test.each([
    [
      "the other one is canceled, which it does not mention",
      (own: string, id: string) => id !== own,
      null,
      expect.not.stringContaining("may be paid"),
    ],
    [
      "the row's own is canceled, and the other one may pay it",
      (own: string, id: string) => id === own,
      /^warning: row 1 may be paid nevertheless: by transaction \S+$/m,
      expect.stringContaining("it may be paid nevertheless: transaction "),
    ],
  ])("finds at the end of the wait that %s", async (_, isCanceled, warning, why) => {
    const world = payingWorld();
    world.files["payouts.csv"] = `to,value\n${receiver(1)},1000000000000\n`;
    let [own, reads] = ["", 0];
    const canceled = shown(1, (record) =>
      ++reads > 2 && isCanceled(own, String(record.id)) ? { ...record, status: "canceled" } : record,
    );
    const line = `${LINE} --confirm 1000000000000 --wait --no-chain -o json`;
    const ran = await world.run(line, async (request, answer) => {
      if (!isSend(request)) return await canceled(request, answer);
      const answered = await answer();
      own = JSON.parse(new TextDecoder().decode(answered.body)).data.id;
      await answer();
      return answered;
    });
    expect(world.paid).toHaveLength(2);
    if (warning) expect(ran.stderr).toMatch(warning);
    else expect(ran.stderr).not.toContain("may be paid");
    expect(rowsIn(ran)).toMatchObject([{ why }]);
  });

  test("calls no payment confirmed whose record showed an earlier nonce, and that was mined with both", async () => {
    const world = payingWorld();
    let twin = "";
    let reads = 0;
    const ran = await world.run(`${LINE} --wait -o json`, async (request, answer) => {
      const answered = await answer();
      const { data, ...rest } = JSON.parse(new TextDecoder().decode(answered.body));
      if (isSend(request) && request.body?.includes(receiver(2))) {
        twin = data.id;
        return await answer();
      }
      if (request.method !== "GET" || !Array.isArray(data) || !request.target.includes("/transactions"))
        return answered;
      const { hash, nonce } = data.find(({ id }) => id === twin) ?? {};
      const first = hash && ++reads < 3 ? { hash, nonce, status: "submitted" } : {};
      const others = data.filter(({ id }) => id !== twin);
      return reply(200, {
        ...rest,
        data: others.map((each) => (each.to === receiver(2) ? { ...each, ...first } : each)),
      });
    });
    expect(rowsIn(ran).map(({ state }) => state)).toEqual(["confirmed", "sent", "confirmed"]);
    expect(rowsIn(ran)[1]?.why).toMatch(/^it was mined twice: 0x/);
    expect(ran.exitCode).toBe(14);
  });

  test("waits for what was sent if a row is unknown, and ends with 11", async () => {
    const world = payingWorld();
    const ran = await world.run(`${LINE} --wait -o json`, async (request, answer) => {
      if (isSend(request) && request.body?.includes(receiver(2))) throw lost();
      return await answer();
    });
    expect(ran.exitCode).toBe(11);
    expect(rowsIn(ran).map(({ state }) => state)).toEqual(["confirmed", "unknown", "confirmed"]);
  });
});

test.each([
  ["table", /^ *1 .* 0\.000001 ETH {2}sent /m],
  ["tsv", /^1\t.*\t1000000000000\tsent\t/m],
  ["csv", /^1,.*,1000000000000,sent,/m],
])("the rows have values in the coin in a table, and in wei for scripts: -o %s", async (format, row) => {
  expect((await payingWorld().run(`${LINE} -o ${format}`)).stdout).toMatch(row);
});

describe("--report", () => {
  test("writes what became of each row, as CSV or with the sums as JSON", async () => {
    const world = payingWorld();
    const ran = await exited(0, world.run(`${LINE} --wait --report report.csv -o csv`));
    expect(world.files["report.csv"]).toBe(ran.stdout);
    await world.run(`${LINE} --resume --report report.json`);
    const report = JSON.parse(world.files["report.json"] ?? "");
    expect(report).toMatchObject({
      relayer: "base-hot",
      total: { payments: 3, sum: "6000000000000" },
      states: { sent: { payments: 3, sum: "6000000000000" }, unknown: { payments: 0, sum: "0" } },
    });
    expect(report.payments).toHaveLength(3);
  });

  test("replaces an earlier report, and no other file", async () => {
    const world = payingWorld();
    await world.run(`${LINE} --report report.csv`);
    expect(await world.run(`${LINE} --resume --wait --report report.csv`)).toMatchObject({ exitCode: 0 });
    expect(world.files["report.csv"]).toContain("confirmed");
    // An earlier version wrote fewer columns.
    world.files["report.csv"] = (world.files["report.csv"] ?? "").replaceAll(/,[^,\n]*\n/g, "\n");
    expect(await world.run(`${LINE} --resume --report report.csv`)).toMatchObject({ exitCode: 0 });
    await exited({ exitCode: 2, requests: [] }, world.run(`${LINE} --resume --report payouts.csv`));
    expect(world.files["payouts.csv"]).toContain("to,value");
  });

  test("needs an extension that sets its format", async () =>
    expect(await payingWorld().run(`${LINE} --report report`)).toMatchObject({ exitCode: 2, requests: [] }));
});

describe("Ctrl-C", () => {
  test("starts no further payment, awaits those in progress, and prints how to continue", async () => {
    const world = payingWorld(20);
    const interrupt = new AbortController();
    let sent = 0;
    const ran = await world.run(
      `${LINE} --concurrency 2 -o json`,
      async (request, answer) => {
        if (isSend(request) && ++sent === 5) interrupt.abort("interrupted");
        return await answer();
      },
      { interrupt: interrupt.signal },
    );
    expect(ran.exitCode).toBe(130);
    expect(ran.stderr).toContain("--resume");
    const accepted = rowsIn(ran).filter(({ state }) => state === "sent");
    expect(accepted.map(({ to }) => to).sort()).toEqual([...world.paid].sort());
    expect(world.paid.length).toBeLessThan(10);
    expect(await world.run(`${LINE} --resume`)).toMatchObject({ exitCode: 0 });
    expect([...world.paid].sort()).toEqual(Array.from({ length: 20 }, (_, index) => receiver(index + 1)));
  });

  test("during --wait says that the wait was interrupted, and prints the typed command with --resume", async () => {
    const world = payingWorld();
    const interrupt = new AbortController();
    const flags = "--for mined --node https://node.example/KEY-0123456789abcdef --again --rate 50/s";
    const ran = await world.run(
      `${LINE} --wait ${flags}`,
      async (request, answer) => {
        const answered = await answer();
        if (request.method === "GET" && request.target.includes("/transactions")) interrupt.abort("interrupted");
        return answered;
      },
      { interrupt: interrupt.signal },
    );
    expect(ran.exitCode).toBe(130);
    expect(ran.stderr).toContain("Interrupted. 3 of 3 payments accepted, 3 in progress.\n  the wait was interrupted\n");
    expect(ran.stderr).toContain("0 confirmed, 3 in progress; fees 0 ");
    expect(ran.stderr).not.toContain("nothing was");
    const hint = "--speed fast --wait --for mined --node https://node.example/‹redacted› --rate 50/s -c prod --resume";
    expect(ran.stderr).toContain(`continue: relayctl tx send-many base-hot -f payouts.csv ${hint}\n`);
  });

  test.each([
    ["Ctrl-C", cancelError("interrupted"), 130],
    ["Ctrl-D", cancelError(), 3],
  ])("%s at the question sends nothing, and records nothing", async (_, answer, exitCode) => {
    const world = payingWorld();
    await exited({ exitCode, writes: [] }, world.run(LINE, undefined, { terminal: true, answers: [answer] }));
    expect(world.journal.entries).toEqual([]);
  });
});

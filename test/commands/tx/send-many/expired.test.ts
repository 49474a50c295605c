import { memoryJournal } from "../../../helpers/memory/journal.ts";
import { payouts, receiver, receivers } from "../../../helpers/payouts.ts";
import { reply } from "../../../helpers/service/reply.ts";
import { lost } from "../../../helpers/service/scripted-service.ts";
import { isSend } from "../once/keyed-world.ts";
import { LINE, type PayingWorld, payingWorld, rowsIn } from "./paying-world.ts";

/** Twenty payments on a service that deletes final records after a second. */
const forgetful = () => payingWorld(20, memoryJournal(), {}, { expireAfter: 1_000 });

const RECEIVERS = Array.from({ length: 20 }, (_, index) => receiver(index + 1)).sort();
const CONFIRMED = { state: "confirmed", verdict: "confirmed", by_record: false };

describe("a service that deletes final records after a second", () => {
  test("leaves none of twenty payments open: each ends with what the chain says, and none is sent twice", async () => {
    const world = forgetful();
    const ran = await world.run(`${LINE} --wait -o json`);
    for (const row of rowsIn(ran)) expect(row).toMatchObject(CONFIRMED);
    expect(ran.exitCode).toBe(0);
    await world.pass(600_000);
    const resumed = await world.run(`${LINE} --resume --wait -o json`);
    for (const row of rowsIn(resumed))
      expect(row).toMatchObject({ ...CONFIRMED, why: expect.stringMatching(/its record expired$/) });
    expect(resumed).toMatchObject({ exitCode: 0, writes: [] });
    expect(new Set(rowsIn(resumed).map(({ hash }) => hash)).size).toBe(20);
    expect([...world.paid].sort()).toEqual(RECEIVERS);
  });

  test("has no payment sent twice whose response was lost", async () => {
    const world = forgetful();
    let sends = 0;
    await world.run(LINE, async (request, answer) => {
      const answered = await answer();
      if (isSend(request) && ++sends % 3 === 0) throw lost();
      return answered;
    });
    await world.pass(600_000);
    const ran = await world.run(`${LINE} --resume --wait -o json`);
    for (const row of rowsIn(ran)) expect(row).toMatchObject(CONFIRMED);
    expect([...world.paid].sort()).toEqual(RECEIVERS);
  });

  test("leaves no payment open whose response was lost and that only the chain shows", async () => {
    const world = forgetful();
    let sends = 0;
    await world.run(LINE, async (request, answer) => {
      if (request.target.includes("/transactions?")) return reply(500, { success: false });
      const answered = await answer();
      if (isSend(request) && ++sends % 3 === 0) throw lost();
      return answered;
    });
    await world.pass(600_000);
    const ran = await world.run(`${LINE} --resume --wait -o json`);
    for (const row of rowsIn(ran)) expect(row).toMatchObject(CONFIRMED);
    expect(rowsIn(ran).some(({ transaction_id }) => transaction_id === null)).toBe(true);
    expect([ran.exitCode, [...world.paid].sort()]).toEqual([0, RECEIVERS]);
    expect(ran.requests.filter(({ target }) => target.includes("/transactions/0x"))).toEqual([]);
  });
});

async function runBoth(world: PayingWorld, first: string, second: string) {
  const journals = { a: memoryJournal({ path: "/a" }), b: memoryJournal({ path: "/b" }) };
  let other: ReturnType<PayingWorld["run"]> | undefined;
  const one = await world.run(
    first,
    async (request, answer) => {
      if (request.target.endsWith("/balance")) {
        other ??= world.run(second, undefined, { journals });
        await other;
      }
      return await answer();
    },
    { journals },
  );
  return { one, other: await other };
}

test.each([
  ["another folder", `${LINE} --state a`, `${LINE} --state b`, "payouts.csv was already started"],
  ["the usual journal", `${LINE} --state a`, LINE, "payouts.csv was already started"],
  ["a folder", LINE, `${LINE} --state b`, "payouts.csv was already started"],
  ["another file", LINE, LINE.replace("payouts", "copy"), "the payments of payouts.csv were already started"],
  ["another file, with --resume", `${LINE} --resume`, LINE.replace("payouts", "copy"), "were already started"],
])(
  "the same payments, begun while a user is asked with %s are not paid a second time",
  async (_, first, second, words) => {
    const world = payingWorld();
    world.files["copy.csv"] = payouts(3).replaceAll("\n", "\r\n");
    const { one, other } = await runBoth(world, first, second);
    expect(other).toMatchObject({ exitCode: 0 });
    expect(one).toMatchObject({ exitCode: 6, writes: [] });
    expect(one.stderr).toContain(words);
    expect(world.paid).toEqual(receivers(3));
  },
);

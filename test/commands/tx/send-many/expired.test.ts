import { memoryJournal } from "../../../helpers/memory/journal.ts";
import { receiver } from "../../../helpers/payouts.ts";
import { lost } from "../../../helpers/service/scripted-service.ts";
import { isSend } from "../once/keyed-world.ts";
import { LINE, payingWorld, rowsIn } from "./paying-world.ts";

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

  test("ends a wait for one transaction, and a search, with what the chain says, and with 15 without it", async () => {
    const world = forgetful();
    const sent = await world.run(`tx send base-hot --to ${receiver(3)} --value 1gwei --speed fast -o json --yes`);
    const { id } = JSON.parse(sent.stdout);
    await world.pass(600_000);
    const waited = await world.run(`tx wait base-hot ${id} -o json`);
    expect(JSON.parse(waited.stdout)).toMatchObject([
      { end: "reached", verdict: "confirmed", why: expect.stringMatching(/its record expired$/) },
    ]);
    const found = await world.run(`find ${id} -o json`);
    expect(JSON.parse(found.stdout)).toContainEqual(
      expect.objectContaining({ kind: "transaction", id, what: "confirmed by the chain, its record expired" }),
    );
    const alone = await world.run(`tx wait base-hot ${id} --no-chain -o json`);
    expect(alone).toMatchObject({ exitCode: 15, stderr: expect.stringContaining("the record was deleted") });
    const unknown = await world.run(`tx wait base-hot ${id.replace(/^7/, "8")}`);
    expect(unknown.exitCode).toBe(5);
  });
});

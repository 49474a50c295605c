import type { Entry } from "../../../src/journal/journal.ts";
import { intent, outcome } from "../../journal/entries.ts";
import { calmWorld, pass, TRANSFER } from "../model/facts.ts";
import type { Attempt } from "../model/network.ts";
import type { Ran } from "../program.ts";
import { isSilent, type Keyed, keyFaults } from "./once.ts";

/** Two runs with one key: the first sent a transaction, the second reports it. */
function twoRuns() {
  const world = calmWorld();
  const { id: relayer, address } = world.relayer;
  const stored = world.worker.post("00000000-0000-4000-8000-000000000001", { relayer, address }, TRANSFER);
  pass(world, 6_000);
  const { to, value, data } = stored;
  const applied: Attempt["applied"] = { operation: "send", stored, version: { to, value, data }, next: 0 };
  const attempt: Attempt = {
    ...{ method: "POST", target: "/", body: "{}", hasLeft: true, applied, status: 200, received: undefined },
  };
  const ran: Ran = {
    ...{
      argv: ["tx", "send", "--once", "key-0"],
      attempts: [],
      from: 0,
      to: 0,
      changes: { from: 0, to: 0 },
      head: 0,
      exitCode: 0,
    },
    ...{ isKilled: false, waits: 0, stdout: "", stderr: `sent before: ${stored.id}`, journal: "required", entries: [] },
  };
  const first = { ...ran, attempts: [attempt] };
  const keyed: Keyed = { key: "key-0", body: [], argv: ran.argv, runs: [first, ran] };
  return { world, stored, first, ran, keyed };
}

describe("runs with one key are found to be wrong if", () => {
  test("they send two transactions", () => {
    const { world, first, ran, keyed } = twoRuns();
    expect(keyFaults(world, keyed, ran)).toEqual([]);
    const twice = { ...keyed, runs: [first, first] };
    expect(keyFaults(world, twice, first)[0]).toContain("2 transactions with one key");
  });

  test("one ends with 0 but reports none, or another one", () => {
    const { world, ran, keyed } = twoRuns();
    const fault = "not with the transaction of its key";
    expect(keyFaults(world, keyed, { ...ran, stderr: "" })[0]).toContain(fault);
    const other = "sent before: 00000000-0000-4000-8000-000000000002";
    expect(keyFaults(world, keyed, { ...ran, stderr: other })[0]).toContain(fault);
    expect(keyFaults(world, keyed, { ...ran, stderr: other, exitCode: 11 })).toEqual([]);
  });

  test("one waits and ends with 0, although nothing is on the chain", () => {
    const { world, ran, keyed } = twoRuns();
    const waited = { ...ran, argv: [...ran.argv, "--wait"] };
    expect(keyFaults(world, keyed, waited)[0]).toContain("the chain shows otherwise");
  });

  test("the last one does not report what is recorded", async () => {
    const { world, stored, ran, keyed } = twoRuns();
    expect(isSilent(world, keyed, { ...ran, exitCode: 11 })).toBe(false);
    const journal = world.disk.journalFor(ran);
    const append = async (entry: Entry) => {
      const appended = journal.append(entry);
      pass(world, 100);
      await appended;
    };
    await append(outcome("1", { after: { id: stored.id } }));
    expect(isSilent(world, keyed, { ...ran, exitCode: 11 })).toBe(false);
    await append(intent("1", { once: keyed.key }));
    expect(isSilent(world, keyed, { ...ran, exitCode: 11 })).toBe(true);
    expect(isSilent(world, keyed, ran)).toBe(false);
  });
});

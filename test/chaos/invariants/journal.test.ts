import type { Entry, Intent } from "../../../src/journal/journal.ts";
import { calmWorld, submitted } from "../model/facts.ts";
import type { Attempt } from "../model/network.ts";
import type { Ran } from "../program.ts";
import { falseOutcomes, unrecorded } from "./journal.ts";

/** A run that sent a transaction which the service applied, with its intent. */
function recordedRun() {
  const world = calmWorld();
  const stored = submitted(world);
  const { to, value, data } = stored;
  const target = "/api/v1/relayers/evm-1/transactions";
  const attempt: Attempt = {
    method: "POST",
    target,
    body: "{}",
    hasLeft: true,
    applied: { operation: "send", stored, version: { to, value, data }, next: 0 },
    status: 200,
    received: undefined,
  };
  const author = { user: "ada", host: "console", server: "http://127.0.0.1:8080", command: "relayctl tx send" };
  const common = { id: "1", run: "2", time: "2026-11-21T03:00:00.000Z" };
  const intent: Intent = {
    ...{ type: "intent", ...common, ...author, operation: "tx.send", kind: "once", method: "POST", target },
    ids: { relayer_id: "evm-1" },
    body: { to, value: String(value), data },
  };
  const ran: Ran = {
    ...{
      argv: ["tx", "send"],
      attempts: [attempt],
      from: 0,
      to: 0,
      changes: { from: 0, to: 0 },
      head: 0,
      exitCode: 0,
      isKilled: false,
    },
    ...{ waits: 0, stdout: "", stderr: "", journal: "kept", entries: [{ entry: intent, attempts: 0 }] },
  };
  return { world, ran, intent, stored, common };
}

describe("a run is found to be unrecorded if", () => {
  test("its intent is missing, or came after the request", () => {
    const { ran, intent } = recordedRun();
    expect(unrecorded(ran)).toEqual([]);
    expect(unrecorded({ ...ran, entries: [] })[0]).toContain("before its intent");
    const unsure = { entry: intent, attempts: 0, isUnsure: true };
    expect(unrecorded({ ...ran, entries: [unsure] })[0]).toContain("before its intent");
    expect(unrecorded({ ...ran, entries: [{ entry: intent, attempts: 1 }] })[0]).toContain("before its intent");
  });

  test.each<[string, Partial<Intent>]>([
    ["operation", { operation: "tx.cancel" }],
    ["relayer", { ids: { relayer_id: "evm-2" } }],
    ["value", { body: { to: `0x${"3c".repeat(20)}`, value: "7", data: null } }],
  ])("its intent has another %s", (_what, changes) => {
    const { ran, intent } = recordedRun();
    const entries = [{ entry: { ...intent, ...changes }, attempts: 0 }];
    expect(unrecorded({ ...ran, entries })[0]).toContain("recorded as something else");
  });

  test("it warned, although it must not send without a record", () => {
    const { ran } = recordedRun();
    const warned = { ...ran, entries: [], stderr: "warning: this write is not recorded: the disk is full" };
    expect(unrecorded(warned)).toEqual([]);
    expect(unrecorded({ ...warned, journal: "required" })).toHaveLength(1);
  });
});

describe("an outcome is found to be false if it is", () => {
  const outcomesWith = async (changes: object, isApplied = true) => {
    const { world, ran, intent, stored, common } = recordedRun();
    const [attempt] = ran.attempts as [Attempt];
    const writer = { ...ran, attempts: [] as Attempt[], entries: [] };
    const journal = world.disk.journalFor(writer);
    const append = async (entry: Entry) => {
      const appended = journal.append(entry);
      world.timeline.passTo(world.timeline.now + 1_000);
      await appended;
    };
    await append(intent);
    writer.attempts.push({ ...attempt, applied: isApplied ? attempt.applied : undefined });
    await append({ type: "outcome", ...common, applied: "yes", after: { id: stored.id }, ...changes });
    return falseOutcomes(world);
  };

  test("`no` for what was applied", async () => {
    expect(await outcomesWith({})).toEqual([]);
    expect(await outcomesWith({ applied: "unknown" })).toEqual([]);
    expect((await outcomesWith({ applied: "no" }))[0]).toContain("recorded as not applied");
  });

  test("`yes` for what was not applied, or for another transaction", async () => {
    expect((await outcomesWith({}, false))[0]).toContain("recorded as applied");
    expect((await outcomesWith({ after: { id: "another" } }))[0]).toContain("recorded as applied");
  });

  test("settled with another client's transaction, unless that is all that was requested, at the same speed", async () => {
    const settled = async (speed: string, by: "another client" | "a run") => {
      const { world, ran, intent, stored, common } = recordedRun();
      const body = { ...(intent.body as object), gas_limit: 21_000, speed };
      const lost = { ...intent, id: "lost", body };
      const attempts = by === "a run" ? ran.attempts : [];
      const journal = world.disk.journalFor({ ...ran, attempts: [...attempts], entries: [] });
      const after = { id: stored.id };
      for (const entry of [
        lost,
        { ...common, id: "lost", type: "outcome", applied: "yes", settledLater: true, after } as const,
      ]) {
        const appended = journal.append(entry);
        world.timeline.passTo(world.timeline.now + 1_000);
        await appended;
      }
      return falseOutcomes(world);
    };
    expect(await settled("fast", "another client")).toEqual([]);
    expect((await settled("safeLow", "another client"))[0]).toContain("recorded as applied");
    expect((await settled("fast", "a run"))[0]).toContain("recorded as applied");
  });

  test("`yes` for a cancellation that another recorded run requested, but not for one that another client did", async () => {
    const cancellations = async (runs: number) => {
      const { world, ran, intent, stored, common } = recordedRun();
      const target = `${intent.target}/${stored.id}`;
      const ids = { relayer_id: "evm-1", transaction_id: stored.id };
      for (let run = 0; run < runs; run++) {
        const journal = world.disk.journalFor({ ...ran, attempts: [], entries: [] });
        const { body: _, ...rest } = intent;
        const entries: Entry[] = [
          { ...rest, id: `${run}`, operation: "tx.cancel", kind: "remove", method: "DELETE", target, ids },
          ...(run === 0 ? [{ ...common, id: "0", type: "outcome", applied: "yes", settledLater: true } as const] : []),
        ];
        for (const entry of entries) {
          const appended = journal.append(entry);
          world.timeline.passTo(world.timeline.now + 1_000);
          await appended;
        }
      }
      const before = falseOutcomes(world);
      world.worker.cancel(stored);
      return { before, after: falseOutcomes(world) };
    };
    expect((await cancellations(1)).before[0]).toContain("recorded as applied");
    expect((await cancellations(1)).after).toEqual([]);
    expect((await cancellations(2)).after[0]).toContain("recorded as applied");
  });
});

import { intent, outcome } from "../../journal/entries.ts";
import { calmWorld } from "../model/facts.ts";
import type { Patch, RelayerChange } from "../model/fleet.ts";
import type { Attempt } from "../model/network.ts";
import { GWEI } from "../model/world.ts";
import type { Ran } from "../program.ts";
import { patchFaults, undoFaults, unknownFaults } from "./undo.ts";

const CAP = { policies: { gas_price_cap: 40 * Number(GWEI) } };
const NO_CAP = { policies: { gas_price_cap: null } };

/** A world in which runs and others change relayers. */
function scene() {
  const { fleet } = calmWorld();
  const count = () => fleet.changes.length;
  const run = (changes: Partial<Ran>, act: () => RelayerChange[]): Ran => {
    const from = count();
    const attempts = act().map(
      (updated): Attempt => ({
        ...{ method: "PATCH", target: "/", body: "{}", hasLeft: true, applied: undefined, updated },
        ...{ status: 200, received: undefined },
      }),
    );
    return {
      ...{ argv: ["undo"], attempts, from: 0, to: 0, changes: { from, to: count() }, head: 0, exitCode: 0 },
      ...{ isKilled: false, waits: 0, stdout: "", stderr: "", journal: "kept", entries: [] },
      ...changes,
    };
  };
  const recorded = (body: Patch) => {
    const entry = intent("1", { operation: "relayers.update", ids: { relayer_id: "evm-1" }, body: body as never });
    return { argv: ["relayers", "update"], entries: [{ entry, attempts: 0 }] };
  };
  return { fleet, run, of: run(recorded(CAP), () => [fleet.change("evm-1", CAP)]) };
}

describe("an undo is found to be wrong if", () => {
  test("it restores another value, or another member", () => {
    const { fleet, run, of } = scene();
    const other = { policies: { gas_price_cap: 7 } };
    expect(
      undoFaults(
        fleet,
        run({}, () => [fleet.change("evm-1", other)]),
        of,
      )[0],
    ).toContain("to 7");
    const renamed = { ...NO_CAP, name: "another" };
    const undo = run({}, () => [fleet.change("evm-1", renamed)]);
    expect(undoFaults(fleet, undo, of)[0]).toContain("which its run did not");
  });

  test("it changes a relayer of which its run left no line on the disk, synced or not", () => {
    const { fleet, run, of } = scene();
    const undo = run({}, () => [fleet.change("evm-1", NO_CAP)]);
    const unsure = of.entries.map((each) => ({ ...each, isUnsure: true }));
    expect(undoFaults(fleet, undo, { ...of, entries: unsure })).toEqual([]);
    expect(undoFaults(fleet, undo, { ...of, entries: [] })[0]).toContain("which its run did not");
  });

  test("it overwrites what was changed before it began, but not what was changed since", () => {
    const { fleet, run, of } = scene();
    expect(
      undoFaults(
        fleet,
        run({}, () => [fleet.change("evm-1", NO_CAP)]),
        of,
      ),
    ).toEqual([]);
    fleet.change("evm-1", { policies: { gas_price_cap: 7 } });
    const late = run({}, () => [fleet.change("evm-1", NO_CAP)]);
    expect(undoFaults(fleet, late, of)[0]).toContain("overwrites a change of policies.gas_price_cap");
    const raced = run({}, () => {
      fleet.change("evm-1", { policies: { gas_price_cap: 7 } });
      return [fleet.change("evm-1", NO_CAP)];
    });
    expect(undoFaults(fleet, raced, of)).toEqual([]);
  });

  test("it ends well, but nothing is restored", () => {
    const { fleet, run, of } = scene();
    expect(
      undoFaults(
        fleet,
        run({}, () => []),
        of,
      )[0],
    ).toContain("undone, but policies.gas_price_cap");
    expect(
      undoFaults(
        fleet,
        run({ exitCode: 11 }, () => []),
        of,
      ),
    ).toEqual([]);
  });

  test("it is refused without a change since", () => {
    const { fleet, run, of } = scene();
    const refused = { exitCode: 6, stderr: "evm-1: changed since: gas_price_cap 40 gwei → 7 wei" };
    expect(
      undoFaults(
        fleet,
        run(refused, () => []),
        of,
      )[0],
    ).toContain("nothing changed since");
    fleet.change("evm-1", { policies: { gas_price_cap: 7 } });
    expect(
      undoFaults(
        fleet,
        run(refused, () => []),
        of,
      ),
    ).toEqual([]);
  });
});

test("an undo is found to be wrong if it reverses a write whose outcome is unknown, or is refused without one", () => {
  const { fleet, run, of } = scene();
  const undo = run({}, () => [fleet.change("evm-1", NO_CAP)]);
  const lines = of.entries.map(({ entry }) => entry);
  const known = [...lines, outcome("1", { applied: "yes" })];
  expect(unknownFaults(lines, 1, undo, of)[0]).toContain("no known outcome");
  expect(unknownFaults(known, 1, undo, of)).toEqual([]);
  const refused = run({ exitCode: 11, stderr: "run 1 cannot be undone: its outcome is unknown" }, () => []);
  expect(unknownFaults(lines, 1, refused, of)).toEqual([]);
  expect(unknownFaults(known, 1, refused, of)).toEqual([]);
  expect(unknownFaults(known, 2, refused, of)[0]).toContain("each outcome is known");
});

test("a change of relayers is found to be wrong if it ends well, but no relayer had what was requested", () => {
  const { fleet, of } = scene();
  expect(patchFaults(fleet, of, ["evm-1"], CAP)).toEqual([]);
  expect(patchFaults(fleet, of, ["evm-1", "evm-2"], CAP)[0]).toContain("evm-2 never had");
});

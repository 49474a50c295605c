import { calmWorld, pass, posted, submitted, TRANSFER } from "../model/facts.ts";
import type { Attempt } from "../model/network.ts";
import type { Applied } from "../model/service.ts";
import type { ModelWorld } from "../model/world.ts";
import type { Ran } from "../program.ts";
import { raiseFaults } from "./cap.ts";
import { bumpFaults, falselySent, freezeFaults, unstickFaults, versionsOf } from "./clearing.ts";

const FREE = { argv: ["relayers", "unstick", "evm-1"] };
const NOTHING = { to: `0x${"70".repeat(20)}`, value: 0n, data: "0x" };

function runOf(world: ModelWorld, changes: Partial<Ran> = {}): Ran {
  const { changes: mined } = world.chain;
  return {
    ...{ argv: ["tx", "bump", "evm-1", "tx-1"], attempts: [], from: mined.length, to: mined.length, head: 0 },
    ...{ changes: { from: 0, to: world.fleet.changes.length }, exitCode: 0, isKilled: false, waits: 0 },
    ...{ stdout: "", stderr: "", journal: "kept", entries: [] },
    ...changes,
  };
}

function attempt(changes: Partial<Attempt>): Attempt {
  return {
    ...{ method: "PUT", target: "/api/v1/relayers/evm-1/transactions/tx-1", body: "{}", hasLeft: true },
    ...{ applied: undefined, status: 200, received: undefined },
    ...changes,
  };
}

describe("a bump is found to be wrong if", () => {
  test("no node knows what it says is on its way", () => {
    const world = calmWorld();
    const stored = submitted(world);
    const says = (hash: string | null) => runOf(world, { stderr: `on its way as ${hash} at 12 gwei` });
    expect(falselySent(world, says(stored.hash), versionsOf(world))).toEqual([]);
    world.worker.replace(stored, TRANSFER);
    expect(falselySent(world, says(stored.hash), versionsOf(world))[0]).toContain("no node knows");
  });

  test("it believes a record that shows what was never sent, unless a node refused that and the service hides it", () => {
    const world = calmWorld({ isTagged: true });
    const stored = submitted(world);
    const says = (rest: string) => {
      const run = runOf(world, { stderr: `on its way as ${stored.hash} at 12 gwei${rest}` });
      return falselySent(world, run, versionsOf(world));
    };
    const byRecord = " (by the record: no node could be asked)";
    world.chain.tip += 1n;
    world.worker.replace(stored, TRANSFER);
    expect(says(byRecord)[0]).toContain("no node knows");
    pass(world, 4_000);
    expect(says(byRecord)).toEqual([]);
    expect(says("")[0]).toContain("no node knows");
  });

  test("it does not restore the cap that it read, whatever another client set before its request", () => {
    const world = calmWorld({ cap: 30n });
    const { fleet } = world;
    const patch = (cap: number) => fleet.change("evm-1", { policies: { gas_price_cap: cap } });
    const attemptTo = (more: Partial<Attempt>) => attempt({ target: "/api/v1/relayers/evm-1", ...more });
    const read = attemptTo({ method: "GET", seen: 0 });
    patch(28);
    const raised = attemptTo({ method: "PATCH", updated: patch(40) });
    const argv = ["tx", "bump", "evm-1", "tx-1", "--raise-cap"];
    const faults = (...attempts: Attempt[]) => raiseFaults(world, runOf(world, { argv, attempts }), undefined);
    expect(faults(read, raised)[0]).toContain("left at 40, and no command restores 30");
    const readAgain = attemptTo({ method: "GET", seen: fleet.changes.length });
    const restored = attemptTo({ method: "PATCH", updated: patch(30) });
    expect(faults(read, raised, readAgain, restored)).toEqual([]);
  });

  test("it changes more than the price, or ends well and does not say how", () => {
    const world = calmWorld();
    const stored = submitted(world);
    const versions = versionsOf(world);
    const bumped = (value: bigint) => {
      const version = { ...TRANSFER, value };
      stored.versions.push(version);
      const applied: Applied = { operation: "replace", stored, version, next: 5 };
      return runOf(world, { attempts: [attempt({ applied })], stderr: "on its way as 0x1" });
    };
    expect(bumpFaults(world, bumped(1_000n), versions)).toEqual([]);
    expect(bumpFaults(world, bumped(7n), versions)[0]).toContain("more than the price");
    expect(bumpFaults(world, runOf(world), versions)[0]).toContain("not known to be on its way");
  });

  test("it leaves the cap raised and prints no command, or overwrites another one", () => {
    const world = calmWorld({ cap: 30n });
    const { fleet } = world;
    const set = (cap: number) => fleet.change("evm-1", { policies: { gas_price_cap: cap } });
    const raised = attempt({ method: "PATCH", target: "/api/v1/relayers/evm-1", updated: set(40) });
    const argv = ["tx", "bump", "evm-1", "tx-1", "--raise-cap"];
    expect(raiseFaults(world, runOf(world, { argv, attempts: [raised] }), undefined)[0]).toContain("left at 40");
    const stderr = "relayctl relayers update evm-1 --policy gas_price_cap=30wei";
    expect(raiseFaults(world, runOf(world, { argv, attempts: [raised], stderr }), undefined)).toEqual([]);
    expect(raiseFaults(world, runOf(world, { argv, attempts: [raised], stderr }), 35)[0]).toContain("--max-fee");
    set(7);
    const read = attempt({ method: "GET", target: "/api/v1/relayers/evm-1", seen: fleet.changes.length });
    const restored = attempt({ method: "PATCH", target: "/api/v1/relayers/evm-1", updated: set(30) });
    const run = runOf(world, { argv, attempts: [raised, read, restored] });
    expect(raiseFaults(world, run, undefined)[0]).toContain("overwrites");
  });
});

describe("freeing a queue is found to be wrong if", () => {
  const freed = (more: Partial<Applied>, wish = TRANSFER) => {
    const world = calmWorld();
    const stored = submitted(world, { wish });
    const versions = versionsOf(world);
    const { to, value, data } = stored;
    const applied: Applied = { operation: "cancel", stored, version: { to, value, data }, next: 5, ...more };
    const run = runOf(world, { ...FREE, exitCode: 15, attempts: [attempt({ applied })] });
    return (cancels: boolean) => unstickFaults(world, run, versions, cancels);
  };

  test("it gives up a payment without consent", () => {
    expect(freed({})(false)[0]).toContain("gives up a payment");
    expect(freed({})(true)).toEqual([]);
  });

  test("it changes another transaction than the head", () =>
    expect(freed({ next: 4 })(true)[0]).toContain("behind the head"));

  test("it replaces a payment, but not what can never be signed", () => {
    expect(freed({ operation: "replace", version: NOTHING })(true)[0]).toContain("by something else");
    const jammed = { ...TRANSFER, to: "0x12" };
    expect(freed({ operation: "replace", version: NOTHING }, jammed)(false)).toEqual([]);
  });
});

test("a freeze is found to be wrong if a relayer that it reports as paused is not, or a transaction is left out", () => {
  const world = calmWorld();
  const open = [posted(world)];
  const item = (listed: readonly { id: string }[]) => {
    const freeze = { state: "paused", canceled: [], cancellation_requested: [], can_still_be_mined: listed };
    return runOf(world, { argv: ["relayers", "freeze"], stdout: JSON.stringify([{ id: "evm-1", freeze }]) });
  };
  expect(freezeFaults(world, item(open.map(({ id }) => ({ id }))), ["evm-1"], open)[0]).toContain("never was");
  world.fleet.change("evm-1", { paused: true });
  expect(freezeFaults(world, item(open.map(({ id }) => ({ id }))), ["evm-1"], open)).toEqual([]);
  expect(freezeFaults(world, item([]), ["evm-1"], open)[0]).toContain("left out");
});

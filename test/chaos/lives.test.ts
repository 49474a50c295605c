import type { VerdictWord } from "../../src/chain/verdict/verdict.ts";
import { DEEP } from "../helpers/deep.ts";
import { figure } from "../helpers/figure.ts";
import type { Found } from "./examined.ts";
import { falseClaims, leftOpen, momentOf, undone } from "./invariants/verdict.ts";
import { faultsOf } from "./invariants/write.ts";
import { type Lived, live } from "./life.ts";
import { calmWorld, mine, pass, REPLACEMENT, shown, submitted } from "./model/facts.ts";
import type { Attempt } from "./model/network.ts";
import type { Stored } from "./model/record.ts";
import type { Ran } from "./program.ts";

const LIVES = DEEP ? 10_000 : 8;

describe("lives of the program in a model of service, node, and chain", () => {
  // What is loaded for the first time takes time that the model's clock does not know.
  beforeAll(async () => void (await Promise.all([0, 1, 2, 3].map((seed) => live(seed)))));

  test("contradict no chain, send nothing twice, and end", async () => {
    const lives: Lived[] = [];
    for (let seed = 1; seed <= LIVES; seed++) lives.push(await live(seed));
    expect(lives.filter(({ findings }) => findings.length > 0)).toEqual([]);
    figure("lives in the model of service, node, and chain", lives.length);
    figure("false verdicts, doubled writes, and hangs in them", 0);
  });

  test("are the same for the same seed", async () => expect(await live(7)).toEqual(await live(7)));

  test("are the same with a log, which has each command and each write that the service took", async () => {
    const lines: string[] = [];
    expect(await live(7, (line) => lines.push(line))).toEqual(await live(7));
    expect(lines[0]).toMatch(/^ {7}0 {2}relayctl tx send evm-1 /);
    expect(lines.find((line) => line.includes("service: POST"))).toMatch(/\/evm-1\/transactions \{.*\}: 200$/);
  });
});

/** A replacement that was never sent, while its original was mined. */
function lost() {
  const world = calmWorld({ confirmations: 2 });
  const stored = submitted(world, { capPercent: 105 });
  world.worker.replace(stored, REPLACEMENT);
  mine(world, 5);
  return { world, stored };
}

function found(world: ReturnType<typeof lost>["world"], stored: Stored, verdict: VerdictWord): Found {
  const records = [shown(stored)] as unknown as Found["question"]["records"];
  const { length } = world.chain.changes;
  const seen = { hash: `0x${"0".repeat(64)}`, block: 3n, to: null, value: 0n, data: "0x" };
  return {
    verdict: { verdict, why: "by test", stage: "signed", missing: [], ...(verdict === "reverted" && { seen }) },
    question: { relayerId: "evm-1", records, now: 0 },
    from: length,
    to: length,
    head: world.chain.head.number,
  };
}

describe("a verdict is found to be false if", () => {
  const WORDS: VerdictWord[] = [
    "confirmed",
    "reverted",
    "canceled",
    "failed",
    "expired",
    "cancel_too_late",
    "foreign",
    "gone",
  ];

  test.each(WORDS)("it is %s for a replacement that lost", (word) => {
    const { world, stored } = lost();
    expect(falseClaims(world, stored, found(world, stored, word))[0]).toContain(`false verdict: ${word}`);
  });

  test("too few blocks follow", () => {
    const { world, stored } = lost();
    const mined = world.chain.minedBy(stored.from, stored.nonce ?? 0);
    const { verdict, ...rest } = found(world, stored, "earlier_version");
    const seen = {
      hash: mined?.transaction.hash ?? "",
      block: BigInt(mined?.block ?? 0),
      to: null,
      value: 0n,
      data: "0x",
    };
    const shallow = { ...rest, verdict: { ...verdict, seen }, head: (mined?.block ?? 0) + 1 };
    expect(falseClaims(world, stored, shallow)[0]).toContain("too few blocks follow");
    expect(falseClaims(world, stored, { ...shallow, head: shallow.head + 1 })).toEqual([]);
  });

  test("it shows another transaction", () => {
    const { world, stored } = lost();
    expect(falseClaims(world, stored, found(world, stored, "reverted"))[1]).toContain("wrong transaction shown");
  });

  test("it is never_broadcast, and the version was sent", () => {
    const world = calmWorld();
    const stored = submitted(world);
    world.worker.replace(stored, REPLACEMENT);
    pass(world, 4_000);
    expect(falseClaims(world, stored, found(world, stored, "never_broadcast"))).toHaveLength(1);
  });

  test("it does not last", () => {
    const { world, stored } = lost();
    const early = found(world, stored, "failed");
    const deep = found(world, stored, "reverted");
    expect(undone(world, stored, early, momentOf(world, stored))[0]).toContain("paid after all");
    expect(undone(world, stored, deep, momentOf(world, stored))[0]).toContain("did not last");
  });

  test("it leaves open what a readable chain settles", () => {
    const { world, stored } = lost();
    expect(leftOpen(world, stored, found(world, stored, "pending"))).toHaveLength(1);
    expect(leftOpen(world, stored, found(world, stored, "earlier_version"))).toEqual([]);
  });
});

describe("a run is found to be wrong if", () => {
  const { world, stored } = lost();
  const attempt: Attempt = {
    method: "PUT",
    target: "/api/v1/relayers/evm-1/transactions/1",
    body: "{}",
    hasLeft: true,
    applied: undefined,
    status: undefined,
    received: undefined,
  };
  const applied: Attempt = { ...attempt, applied: { operation: "replace", stored, version: stored, next: 0 } };
  const ran: Ran = {
    argv: ["tx", "replace", "evm-1", stored.id],
    attempts: [attempt],
    from: 0,
    to: 0,
    changes: { from: 0, to: 0 },
    head: 0,
    exitCode: 11,
    isKilled: false,
    waits: 0,
    stdout: "",
    stderr: "",
    journal: "none",
    entries: [],
  };
  const faults = (changes: Partial<Ran>, mayWrite = true) => faultsOf(world, { ...ran, ...changes }, { mayWrite });

  test("its response could have been lost, and it sends again", () => {
    expect(faults({})).toEqual([]);
    expect(faults({ attempts: [attempt, attempt] })[0]).toContain("sent again");
    expect(faults({ attempts: [{ ...attempt, hasLeft: false }, attempt] })).toEqual([]);
    expect(faults({ attempts: [{ ...attempt, status: 429 }, attempt] })).toEqual([]);
  });

  test("it sends without consent", () => expect(faults({}, false)[0]).toContain("without consent"));

  test("it does not end, unless it was killed", () => {
    expect(faults({ exitCode: undefined })[0]).toContain("hangs");
    expect(faults({ exitCode: undefined, isKilled: true })).toEqual([]);
  });

  test("its exit code contradicts what was applied", () => {
    expect(faults({ attempts: [applied], exitCode: 0 })).toEqual([]);
    expect(faults({ exitCode: 0 })[0]).toContain("nothing was applied");
    for (const exitCode of [2, 6, 9, 10])
      expect(faults({ attempts: [applied], exitCode })[0]).toContain("it was applied");
  });

  test("it waits, and ends well although the chain shows another version", () => {
    const argv = [...ran.argv, "--wait"];
    expect(faults({ argv, attempts: [applied], exitCode: 0 })[0]).toContain("the chain shows otherwise");
    expect(faults({ argv, attempts: [applied], exitCode: 14 })).toEqual([]);
  });

  test("its receipt shows a hash that the record never had", () => {
    const stderr = `before: ${`0x${"1".repeat(64)}`}  now: ${stored.hash}`;
    expect(faults({ attempts: [applied], exitCode: 0, stderr })[0]).toContain("a receipt that is not true");
  });
});

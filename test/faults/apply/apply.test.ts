import { DEEP, PART } from "../../helpers/deep.ts";
import { TIMEOUT } from "../../helpers/time-up.ts";
import { type FaultServer, openFaultServer } from "../server/fault-server.ts";
import type { Script } from "../server/script.ts";
import { atOnce } from "../table/at-once.ts";
import type { Fault } from "../table/fault.ts";
import { differing } from "../table/faults/differing.ts";
import { lost } from "../table/faults/lost.ts";
import { alwaysLimited, limited, refused } from "../table/faults/refused.ts";
import { unproven } from "../table/faults/unproven.ts";
import { unreadable } from "../table/faults/unreadable.ts";
import { countVerdicts, summaryOf, type Verdict } from "../table/summary.ts";
import { type Ended, runHere } from "../world.ts";
import { appliedKeys, falseClaims } from "./claims.ts";
import { EXPECTED_WRITES, type ExpectedWrite, serviceBefore, THIRTY_CHANGES } from "./thirty-changes.ts";

const AT_ONCE = 6;
const KEYS = EXPECTED_WRITES.map(({ key }) => key);
const verdicts: Verdict[] = [];

afterAll(() => void process.stdout.write(`${summaryOf("an apply", verdicts)}\n`));

/** A fault of the truth table at one of the requests of an apply. */
interface Case {
  name: string;
  script: Script;
}

/** Only happens to a step's write. The command that finishes the rest is treated honestly. */
function atWrite({ method, path }: ExpectedWrite, at: number, { name, steps }: Fault): Case {
  const nth = EXPECTED_WRITES.slice(0, at + 1).filter((each) => each.method === method && each.path === path).length;
  return { name: `${name} at step ${at + 1}`, script: { match: { method, path, nth }, steps } };
}

/** Happens to the read before the write of a step, or to the one after it. */
function atRead({ key }: ExpectedWrite, nth: 1 | 2, { name, steps }: Fault): Case {
  const [noun = "", id = ""] = key.split("/");
  const path = `/api/v1/${noun}/${encodeURIComponent(id)}`;
  return {
    name: `${name} at the read ${nth === 1 ? "before" : "after"} ${key}`,
    script: { match: { method: "GET", path, nth }, steps },
  };
}

/** In bulk connections are shared: what happens to one of them, or holds it up, happens to the others too. */
const faults = [lost, unreadable, refused, limited, differing, ...unproven]
  .flat()
  .filter(
    ({ onAccept, greeting, steps }) => !onAccept && greeting === undefined && steps.every((step) => step.do !== "wait"),
  )
  .filter((fault) => !alwaysLimited.includes(fault));
const onWrites = faults.filter(({ only }) => only !== "reads");
const onReads = faults.filter(({ only, once }) => only !== "writes" && !once);

/** All take two hours. A prime number, so that each fault happens at two or three steps in each part. */
const PARTS = 13;

/** Each fault at each request in so many deep runs, each with another DEEP_PART; otherwise one at every sixth step, and at one of its three requests. */
const cases: readonly Case[] = DEEP
  ? EXPECTED_WRITES.flatMap((write, at) => [
      ...onWrites.map((fault) => atWrite(write, at, fault)),
      ...onReads.flatMap((fault) => [atRead(write, 1, fault), atRead(write, 2, fault)]),
    ]).filter((_, index) => (index + PART) % PARTS === 0)
  : EXPECTED_WRITES.flatMap((write, at) => {
      if (at % 6 > 0) return [];
      const fault = onWrites[(at * 7) % onWrites.length];
      const onRead = onReads[(at * 11) % onReads.length];
      if (at % 12 === 0 && onRead) return atRead(write, at % 24 === 0 ? 1 : 2, onRead);
      return fault ? atWrite(write, at, fault) : [];
    });

async function apply(server: FaultServer): Promise<Ended> {
  const flags = ["--yes", "-o", "json", "--retries", "0", "--concurrency", "1", "--timeout", TIMEOUT];
  const files = { "config.json": THIRTY_CHANGES };
  const argv = ["apply", "-f", "config.json", ...flags];
  return await runHere(argv, { origin: server.origin, files, timeUp: server.stalled, entries: [] });
}

/** Applies with the fault, and again without it. */
async function problemsOf({ script }: Case): Promise<string[]> {
  const service = serviceBefore();
  const server = await openFaultServer({ service, scripts: [script] });
  try {
    const first = await apply(server);
    const afterFirst = appliedKeys(server.ledger);
    const claims = falseClaims(first, afterFirst, KEYS);
    const second = await apply(server);
    const all = appliedKeys(server.ledger);
    const twice = all.filter((key, index) => all.indexOf(key) < index);
    return [
      ...claims,
      ...(second.exitCode === 0 ? [] : [`the next apply ends with ${second.exitCode}: ${second.stderr}`]),
      ...twice.map((key) => `${key} was applied twice`),
      ...KEYS.filter((key) => !all.includes(key)).map((key) => `${key} was never applied`),
    ];
  } finally {
    await server.close();
  }
}

test("reports each of thirty changes truthfully after any fault at one of them, and the next apply finishes the rest", async () => {
  const tried: Verdict[] = [];
  await atOnce(AT_ONCE, cases, async (each) => {
    const problems = await problemsOf(each);
    tried.push({ problems: problems.map((problem) => `${each.name}: ${problem}`), sentAgain: false, replaces: false });
  });
  verdicts.push(...tried);
  countVerdicts("of an apply", tried);
  expect(tried.flatMap(({ problems }) => problems)).toEqual([]);
});

test("sends the writes of all nouns in their order, and then none", async () => {
  const server = await openFaultServer({ service: serviceBefore() });
  const first = await apply(server);
  const second = await apply(server);
  await server.close();
  expect([first.exitCode, second.exitCode, second.stdout]).toEqual([0, 0, "[]\n"]);
  expect(appliedKeys(server.ledger)).toEqual(KEYS);
  expect(server.ledger.map(({ operation }) => operation)).toEqual(
    EXPECTED_WRITES.map(({ method, path }) => `${method} ${path}`),
  );
});

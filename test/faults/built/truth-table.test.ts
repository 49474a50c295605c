import { DEEP, PART } from "../../helpers/deep.ts";
import { type Elsewhere, openElsewhere } from "../server/elsewhere.ts";
import { atOnce } from "../table/at-once.ts";
import { commands as all, combinationsOf, numberOf } from "../table/combinations.ts";
import { countVerdicts, summaryOf, type Verdict } from "../table/summary.ts";
import { tryCombination } from "../table/try-combination.ts";
import { runBuilt } from "./run-built.ts";

/** Of so many combinations one is run with the built program: all of them in as many deep runs, each with another DEEP_PART. In this process, each runs all. */
const ONE_IN = DEEP ? 31 : 1301;
const AT_ONCE = 4;

const verdicts: Verdict[] = [];
let elsewhere: Elsewhere;

beforeAll(async () => {
  elsewhere = await openElsewhere();
});

afterAll(() => {
  elsewhere.close();
  process.stdout.write(`${summaryOf("the built program", verdicts)}\n`);
});

/** A journal in memory is not seen by another process. */
const commands = all.filter(({ journal, world }) => journal === undefined && world === undefined);
const sample = commands.flatMap(combinationsOf).filter(({ name }) => numberOf(name) % ONE_IN === PART % ONE_IN);
/** Tests the sample in parts, so that a failure shows which one. */
const parts = commands.flatMap(({ name }) => {
  const part = sample.filter(({ command }) => command.name === name);
  return part.length > 0 ? [[name, part] as const] : [];
});

test.each(parts)("%s of the built program reports the truth", async (_, part) => {
  const tried: Verdict[] = [];
  await atOnce(AT_ONCE, part, async (combination) => {
    tried.push(await tryCombination(combination, { run: runBuilt, elsewhere: elsewhere.origin }));
  });
  verdicts.push(...tried);
  countVerdicts("of the built program", tried);
  expect(tried.flatMap(({ problems }) => problems)).toEqual([]);
});

test("some combinations are tried, and no redirect is followed", () => {
  expect(sample.length).toBeGreaterThanOrEqual(DEEP ? 500 : 10);
  expect(elsewhere.connections()).toBe(0);
});

import { afterAll, beforeAll, expect, test } from "vitest";
import { DEEP } from "../../helpers/deep.ts";
import { type Elsewhere, openElsewhere } from "../server/elsewhere.ts";
import { atOnce } from "../table/at-once.ts";
import { combinationsOf, commands } from "../table/combinations.ts";
import { countVerdicts, summaryOf, type Verdict } from "../table/summary.ts";
import { tryCombination } from "../table/try-combination.ts";
import { runBuilt } from "./run-built.ts";

/** Of so many combinations one is run with the built program; all of them with `npm run test:deep`. */
const ONE_IN = DEEP ? 1 : 211;
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

test("the built program claims what is true", async () => {
  const sample = commands.flatMap(combinationsOf).filter((_, index) => index % ONE_IN === 0);
  await atOnce(AT_ONCE, sample, async (combination) => {
    verdicts.push(await tryCombination(combination, { run: runBuilt, elsewhere: elsewhere.origin }));
  });
  countVerdicts("of the built program", verdicts);
  expect(verdicts.flatMap(({ problems }) => problems)).toEqual([]);
  expect(verdicts.length).toBeGreaterThanOrEqual(100);
  expect(elsewhere.connections()).toBe(0);
});

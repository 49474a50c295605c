import { type Elsewhere, openElsewhere } from "../server/elsewhere.ts";
import { runHere } from "../world.ts";
import { atOnce } from "./at-once.ts";
import { combinationsToRun } from "./combinations.ts";
import type { Command } from "./command.ts";
import { countVerdicts, summaryOf, type Verdict } from "./summary.ts";
import { tryCombination } from "./try-combination.ts";

/** How many run at the same time: most of them wait for a socket. */
const AT_ONCE = 12;

/** The truth table of these commands, in this process over real sockets: a test for each command, a combination a row. */
export function testTable(name: string, commands: readonly Command[]): void {
  const verdicts: Verdict[] = [];
  let elsewhere: Elsewhere;

  beforeAll(async () => {
    elsewhere = await openElsewhere();
  });

  afterAll(() => {
    elsewhere.close();
    process.stdout.write(`${summaryOf(name, verdicts)}\n`);
  });

  test.each(commands.map((command) => [command.name, command] as const))("%s reports the truth", async (_, command) => {
    const tried: Verdict[] = [];
    await atOnce(AT_ONCE, combinationsToRun(command), async (combination) => {
      tried.push(await tryCombination(combination, { run: runHere, elsewhere: elsewhere.origin }));
    });
    verdicts.push(...tried);
    countVerdicts("in process", tried);
    expect(tried.flatMap(({ problems }) => problems)).toEqual([]);
  });

  test("no redirect is followed", () => {
    expect(elsewhere.connections()).toBe(0);
  });
}

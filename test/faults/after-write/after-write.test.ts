import { printedError } from "../../helpers/exited.ts";
import { TIMEOUT } from "../../helpers/time-up.ts";
import { type Elsewhere, openElsewhere } from "../server/elsewhere.ts";
import { openFaultServer } from "../server/fault-server.ts";
import { atOnce } from "../table/at-once.ts";
import { falseClaims } from "../table/claims.ts";
import type { Command } from "../table/command.ts";
import { transactionCommands } from "../table/commands/transactions.ts";
import type { Fault } from "../table/fault.ts";
import { countVerdicts, summaryOf, type Verdict } from "../table/summary.ts";
import { type Ended, runHere } from "../world.ts";
import { sampleFor, worldOf } from "./cases.ts";
import type { Outcome } from "./outcome.ts";

const AT_ONCE = 12;
/** Follows what it wrote until enough blocks follow. */
const followed: readonly Command[] = transactionCommands
  .filter(({ argv }) => argv.includes("--wait"))
  .map(({ argv, ...command }) => ({
    ...command,
    argv: [...argv.slice(0, argv.indexOf("--wait")), "--wait", "--deadline", "40s"],
  }));

const verdicts: Verdict[] = [];
const opened: Elsewhere[] = [];

afterAll(() => {
  for (const elsewhere of opened) elsewhere.close();
  process.stdout.write(`${summaryOf("after a write", verdicts)}\n`);
});

test.each(followed.map((command) => [command.name, command] as const))(
  "%s reports the truth after any fault of the reads that follow",
  async (_, command) => {
    const elsewhere = await openElsewhere();
    opened.push(elsewhere);
    const sample = sampleFor(command.name);
    const tried: Verdict[] = [];
    await atOnce(AT_ONCE, sample, async ({ name, outcome, fault, ...found }) => {
      const server = await openFaultServer(worldOf({ ...found, outcome, fault }, elsewhere.origin));
      const argv = [...command.argv, "--timeout", TIMEOUT, "-o", "json"];
      const ended = await runHere(argv, { origin: server.origin, timeUp: server.stalled, isPassing: true }).finally(
        () => server.close(),
      );
      const problems = [...falseClaims(command, ended, server, true), ...aboutTheOutcome(ended, outcome, fault)];
      tried.push({
        problems: problems.map((problem) => `${name}: ${problem}\n  ${ended.stderr.slice(-800)}`),
        sentAgain: false,
        replaces: false,
      });
    });
    verdicts.push(...tried);
    countVerdicts("after a write", tried);
    expect(tried.flatMap(({ problems }) => problems)).toEqual([]);
    expect(elsewhere.connections()).toBe(0);
  },
);

/** What a command claims about the chain, held against it. */
function aboutTheOutcome({ exitCode, stderr }: Ended, outcome: Outcome, { row, once, surplus }: Fault): string[] {
  const end = { won: 0, lost: 14, open: 15 }[outcome];
  // A surplus response is read as that to the next request.
  const passes = (row === "fine" && !surplus) || once === true;
  const possible = passes ? [end] : [end, 15];
  if (!possible.includes(exitCode)) return [`exit ${exitCode}, and the write ${outcome}`];
  if (exitCode === 0) return [];
  const { applied, details, hint } = printedError(stderr);
  return [
    ...(applied === "yes" ? [] : [`applied ${applied}`]),
    ...(details.length > 0 ? [] : ["no cause in the details"]),
    ...(hint ? [] : ["no hint"]),
  ];
}

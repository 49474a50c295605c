import { afterAll, expect, test } from "vitest";
import { DEEP } from "../../helpers/deep.ts";
import { TIMEOUT } from "../../helpers/time-up.ts";
import { type Elsewhere, openElsewhere } from "../server/elsewhere.ts";
import { openFaultServer } from "../server/fault-server.ts";
import { atOnce } from "../table/at-once.ts";
import { falseClaims } from "../table/claims.ts";
import { numberOf } from "../table/combinations.ts";
import type { Command } from "../table/command.ts";
import { transactionCommands } from "../table/commands/transactions.ts";
import type { Fault } from "../table/fault.ts";
import { ELSEWHERE } from "../table/faults/refused.ts";
import { countVerdicts, summaryOf, type Verdict } from "../table/summary.ts";
import { type Ended, runHere } from "../world.ts";
import { anyRead, anyRpc } from "./faults.ts";
import { OUTCOMES, type Outcome, serviceWith } from "./outcome.ts";

const AT_ONCE = 12;
/** Of so many combinations one is run. */
const ONE_IN = DEEP ? 1 : 29;

/** The reads that follow a write. */
const READS: readonly { name: string; match: { method: string; path?: string }; faults: readonly Fault[] }[] = [
  { name: "every read", match: { method: "GET" }, faults: anyRead },
  { name: "the relayer", match: { method: "GET", path: "/api/v1/relayers/evm-1" }, faults: anyRead },
  { name: "the network", match: { method: "GET", path: "/api/v1/networks/evm:testnet" }, faults: anyRead },
  { name: "the node", match: { method: "POST", path: "/api/v1/relayers/evm-1/rpc" }, faults: anyRpc },
];

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

const cases = READS.flatMap(({ name, match, faults }) =>
  faults.flatMap((fault) =>
    OUTCOMES.map((outcome) => ({ name: `${outcome}, ${name}: ${fault.name}`, match, fault, outcome })),
  ),
);

test.each(followed.map((command) => [command.name, command] as const))(
  "%s reports the truth after any fault of the reads that follow",
  async (_, command) => {
    const elsewhere = await openElsewhere();
    opened.push(elsewhere);
    const sample = cases.filter(({ name }) => numberOf(`${command.name} ${name}`) % ONE_IN === 0);
    const tried: Verdict[] = [];
    await atOnce(AT_ONCE, sample, async ({ name, match, fault, outcome }) => {
      const steps = fault.steps.map((step) =>
        step.do === "send" ? { ...step, text: step.text.replaceAll(ELSEWHERE, elsewhere.origin) } : step,
      );
      const server = await openFaultServer({
        service: serviceWith(outcome),
        scripts: [{ match: { ...match, afterWrite: true, ...(fault.once && { nth: 1 }) }, steps }],
      });
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
  const { applied, details, hint } = JSON.parse(stderr.trimEnd().split("\n").at(-1) ?? "").error;
  return [
    ...(applied === "yes" ? [] : [`applied ${applied}`]),
    ...(details.length > 0 ? [] : ["no cause in the details"]),
    ...(hint ? [] : ["no hint"]),
  ];
}

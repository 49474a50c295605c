import { EXIT_CODES, type Failure } from "../../../src/errors.ts";
import { DEEP, sampled } from "../../helpers/deep.ts";
import { printedError } from "../../helpers/exited.ts";
import { TIMEOUT } from "../../helpers/time-up.ts";
import { type FaultServer, openFaultServer } from "../server/fault-server.ts";
import type { Script } from "../server/script.ts";
import { atOnce } from "../table/at-once.ts";
import type { Fault } from "../table/fault.ts";
import { differing } from "../table/faults/differing.ts";
import { leftOver } from "../table/faults/left-over.ts";
import { lost } from "../table/faults/lost.ts";
import { alwaysLimited, limited, refused } from "../table/faults/refused.ts";
import { unproven } from "../table/faults/unproven.ts";
import { unreadable } from "../table/faults/unreadable.ts";
import { countVerdicts, summaryOf, type Verdict } from "../table/summary.ts";
import { type Ended, runHere } from "../world.ts";
import { type BulkCommand, bulkCommands } from "./commands.ts";

interface Failed {
  applied: string;
  exit_code: number;
  hint: string | null;
  details: { where: string; given?: Failure }[];
}

/** What is wrong with the claims of a command about its targets, held against the ledger. */
function falseClaims(command: BulkCommand, { exitCode, stdout, stderr }: Ended, server: FaultServer): string[] {
  const { ids, look, shown: claimed = (items) => items.map(({ id }) => id) } = command;
  const applied = server.ledger.map(({ id }) => id);
  const shown = stdout === "" ? [] : claimed(JSON.parse(stdout));
  const wrong = [
    ...shown.filter((id) => !applied.includes(id)).map((id) => `${id} is shown, and was not applied`),
    ...applied.filter((id, index) => applied.indexOf(id) < index).map((id) => `${id} was applied twice`),
  ];
  if (exitCode === 0) return shown.join() === ids.join() ? wrong : [...wrong, `success, and shown is ${shown}`];
  const error: Failed = printedError(stderr);
  const details = error.details.map((detail) => ({ ...detail, where: detail.where.split(" ").at(-1) ?? "" }));
  const told = details.map(({ where }) => where);
  const denied = details.filter(
    ({ where, given }) => applied.includes(where) && given !== "unknown" && given !== "mismatch",
  );
  const unknown = details.find(({ given }) => given === "unknown")?.where;
  const found: Record<string, boolean> = {
    [`exit ${exitCode} of some that failed`]: exitCode !== codeOf(error, shown) || error.exit_code !== exitCode,
    "one is neither shown nor told": ids.some((id) => shown.includes(id) === told.includes(id)),
    "said not to be applied, and one was": error.applied === "no" && applied.length > 0,
    "said to be applied, and none was": error.applied === "yes" && applied.length === 0,
    [`${denied.map(({ where, given }) => `${where} ${given}`)}, and it was applied`]: denied.length > 0,
    "no command to look at what is not known": unknown !== undefined && error.hint?.endsWith(look(unknown)) === false,
  };
  return [...wrong, ...Object.keys(found).filter((problem) => found[problem])];
}

/** Some failed; or one, such as a token that is refused, ended all before anything was applied. */
function codeOf({ details }: Failed, shown: readonly string[]): number {
  const [word, ...others] = new Set(details.flatMap(({ given }) => given ?? []));
  return shown.length === 0 && word !== undefined && others.length === 0 ? EXIT_CODES[word] : EXIT_CODES.partial;
}

/** Returns the failure that is printed for a target. */
function failureTold({ stderr }: Ended, id: string): Failure | undefined {
  const error: Failed | undefined = printedError(stderr);
  return error?.details.find(({ where }) => where.split(" ").at(-1) === id)?.given;
}

const AT_ONCE = 12;
const verdicts: Verdict[] = [];

afterAll(() => void process.stdout.write(`${summaryOf("many at once", verdicts)}\n`));

async function run(command: BulkCommand, scripts: readonly Script[]): Promise<{ ended: Ended; server: FaultServer }> {
  const server = await openFaultServer({ service: command.service(), scripts });
  const argv = [...command.argv, "--timeout", TIMEOUT];
  const ended = await runHere(argv, { origin: server.origin, timeUp: server.stalled }).finally(() => server.close());
  return { ended, server };
}

function scriptFor(command: BulkCommand, to: number, { steps, greeting, once }: Fault): Script {
  // The first connection belongs to the reads.
  if (greeting !== undefined) return { connection: 2, greeting };
  return { match: { ...command.request(command.ids[to] ?? ""), ...(once && { nth: 1 }) }, steps };
}

async function claimsAre(command: BulkCommand, cases: readonly { name: string; to: number; fault: Fault }[]) {
  const tried: Verdict[] = [];
  await atOnce(AT_ONCE, cases, async ({ name, to, fault }) => {
    const { ended, server } = await run(command, [scriptFor(command, to, fault)]);
    const problems = [...falseClaims(command, ended, server), ...unexpected(command, to, fault, ended)];
    tried.push({ problems: problems.map((problem) => `${name}: ${problem}`), sentAgain: false, replaces: false });
  });
  verdicts.push(...tried);
  countVerdicts("of many at once", tried);
  expect(tried.flatMap(({ problems }) => problems)).toEqual([]);
}

/** A refusal stays what it is, also over a connection that has carried another request. */
function unexpected({ ids }: BulkCommand, to: number, { row, code }: Fault, ended: Ended): string[] {
  if (row !== "refused") return [];
  const told = failureTold(ended, ids[to] ?? "");
  return told !== undefined && EXIT_CODES[told] === code ? [] : [`told as ${told}, and it was refused with ${code}`];
}

/** In bulk connections are shared: what happens to one of them, or holds it up, happens to the others too. */
function isOfOne({ only, onAccept, steps }: Fault): boolean {
  return only !== "reads" && !onAccept && steps.every((step) => step.do !== "wait");
}

function isTried(fault: Fault): boolean {
  return isOfOne(fault) && (DEEP || !alwaysLimited.includes(fault));
}

const ONE_IN = 6 * bulkCommands.length;
const faults = [lost, unreadable, refused, limited, differing, ...unproven].flat().filter(isTried);
/** Targets take turns, so that each kind of fault meets the first and a later one; both of them in a deep run. */
const targetsOf = (index: number) => (DEEP ? [0, 1] : [Math.floor(index / ONE_IN) % 2]);
const cases = faults.flatMap((fault, index) =>
  targetsOf(index).map((to) => ({ name: `${fault.name} (${to + 1})`, to, fault })),
);
const leftOvers = leftOver.map(({ name, to, steps }) => ({
  name: `left over: ${name}`,
  to,
  fault: { name, row: "lost", code: 9, steps } as Fault,
}));

describe.each(bulkCommands.map((command, at) => [command.name, command, at] as const))("%s", (_, command, at) => {
  test("reports each of three targets truthfully after any fault at one of them", async () => {
    await claimsAre(command, sampled(cases, ONE_IN, 6 * at));
  });

  test("a leftover response rejects nothing", async () => {
    await claimsAre(command, sampled(leftOvers, bulkCommands.length, at));
  });
});

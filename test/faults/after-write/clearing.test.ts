import { printedError } from "../../helpers/exited.ts";
import { TIMEOUT } from "../../helpers/time-up.ts";
import { type Elsewhere, openElsewhere } from "../server/elsewhere.ts";
import { type FaultServer, openFaultServer } from "../server/fault-server.ts";
import { atOnce } from "../table/at-once.ts";
import { type Ended, runHere } from "../world.ts";
import { sampleFor, worldOf } from "./cases.ts";

const AT_ONCE = 12;

/** Commands that read after their writes, to find out what became of them, or what is to be done next. */
const COMMANDS = [
  "tx bump evm-1 tx-evm --yes",
  "tx bump evm-1 tx-evm --yes --until mined --every 5s --times 1 --deadline 40s",
  "relayers unstick evm-1 --yes --deadline 40s",
  "relayers unstick evm-1 --yes --cancel --raise-cap --deadline 40s",
  "relayers freeze evm-1 --yes",
];

const opened: Elsewhere[] = [];

afterAll(() => {
  for (const elsewhere of opened) elsewhere.close();
});

test.each(COMMANDS)("%s promises nothing false after any fault of the reads that follow", async (line) => {
  const elsewhere = await openElsewhere();
  opened.push(elsewhere);
  const problems: string[] = [];
  // As in any bulk run, a 429 is waited for, which takes a minute.
  const sample = sampleFor(line).filter(({ fault }) => !line.includes("freeze") || fault.row !== "limited");
  await atOnce(AT_ONCE, sample, async ({ name, ...found }) => {
    const server = await openFaultServer(worldOf(found, elsewhere.origin));
    const argv = [...line.split(" "), "--timeout", TIMEOUT, "-o", "json"];
    const world = { origin: server.origin, timeUp: server.stalled, isPassing: true };
    const ended = await runHere(argv, world).finally(() => server.close());
    problems.push(...falseIn(ended, server).map((words) => `${name}: ${words}\n  ${ended.stderr.slice(-800)}`));
  });
  expect(problems).toEqual([]);
  expect(elsewhere.connections()).toBe(0);
});

/** What may end a command after a write of it was applied. */
const ENDS = [0, 11, 12, 13, 14, 15];

function falseIn({ exitCode, stderr }: Ended, { ledger }: FaultServer): string[] {
  const once = ledger.filter(({ operation }) => operation.startsWith("PUT"));
  const error = exitCode === 0 ? undefined : printedError(stderr);
  return [
    ...(ledger.length === 0 ? ["nothing was sent"] : []),
    ...(ENDS.includes(exitCode) ? [] : [`exit ${exitCode} after a write`]),
    ...(once.length > 1 ? [`sent ${once.length} times`] : []),
    ...(error?.applied === "no" ? ["applied no"] : []),
    ...(error && !error.hint && error.details.length === 0 ? ["no hint, and no cause"] : []),
  ];
}

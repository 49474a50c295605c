import { type Chance, createChance } from "../../safety/fuzz/chance.ts";
import type { Lived } from "../life.ts";
import { keepLog } from "../log.ts";
import { becomeCalm, disturb } from "../model/disturbances.ts";
import { createNetwork, LATEST, type Network } from "../model/network.ts";
import { IGNORED } from "../model/service.ts";
import { CALM, createWorld, keepMining, type ModelWorld } from "../model/world.ts";
import { type Ran, type RunOptions, runProgram } from "../program.ts";
import { carryOut } from "../story.ts";
import { endFaults, printedRows, runFaults, togetherFaults } from "./invariants.ts";
import { contentOf, type GivenFile, generateFile } from "./rows.ts";
import { appliedRows, sendsOf } from "./truth.ts";

/** One life: a file that is to be paid, and every run of it. */
interface Payouts {
  world: ModelWorld;
  network: Network;
  chance: Chance;
  file: GivenFile;
  rans: Ran[];
  /** What another client sent with the gas limit of a row, so that the row may stay unknown. */
  copies: Set<string>;
  /** The transactions of other clients. */
  foreign: Set<string>;
  findings: string[];
  counts: Record<string, number>;
}

/** Milliseconds: how long things break, and the end of a life. */
const ACTIVE = 900_000;
const LONGEST = 40_000_000;
/** Runs while things break, and after that. */
const MOST = { disturbed: 6, calm: 8 };

/**
 * Lives a seed's life: the real program pays a file, and is killed, interrupted, run twice at once, and resumed, while
 * requests and responses get lost or arrive late.
 * @param print receives a line for each event
 */
export async function livePayouts(seed: number, print?: (line: string) => void): Promise<Lived> {
  const chance = createChance(Math.imul(seed + 1, 0x9e3779b1));
  const thousandths = { ...CALM.thousandths, reverts: chance.pick([0, 0, 50]) };
  const world = createWorld({
    ...CALM,
    ...{ seed, blockTime: chance.pick([1_000, 2_000, 12_000]), isDeceived: true, thousandths },
  });
  if (print) keepLog(world, print);
  const network = createNetwork(world, chance.pick([0, 20, 100, 300]));
  network.late = chance.pick([0, 0, 20, 100]);
  const life: Payouts = {
    world,
    network,
    chance,
    file: generateFile(chance),
    rans: [],
    copies: new Set(),
    foreign: new Set(),
    findings: [],
    counts: {},
  };
  keepMining(world, LONGEST);
  if (chance.once(2)) disturb(world, network, { chance, active: ACTIVE });
  life.findings.push(...(await carryOut(world, play(life), LONGEST)));
  add(life, "rows", life.file.rows.length);
  return {
    seed,
    findings: life.findings,
    counts: { ...life.counts, ...world.deceptions.counts, ...world.disk.counts },
  };
}

async function play(life: Payouts): Promise<void> {
  const { world, network, chance, file } = life;
  for (let runs = 1 + chance.below(MOST.disturbed); runs > 0; runs--) {
    await disturbedRuns(life);
    if (chance.once(3)) rival(life);
    if (chance.once(6)) imitate(life);
    await pass(life, chance.pick([0, 500, 5_000, 60_000]));
  }
  await pass(life, Math.max(0, ACTIVE - world.timeline.now));
  becomeCalm(world, network);
  await pass(life, LATEST + 60_000);
  let last = await payOnce(life, {});
  for (let runs = 1; runs < MOST.calm && last.exitCode !== 0; runs++) {
    last = await payOnce(life, { assumed: notSent(life, last), flags: ["--stop-after", String(file.rows.length + 1)] });
  }
  if (chance.once(3)) last = await payOnce(life, { flags: ["--wait", "--deadline", "2h"] });
  life.findings.push(...togetherFaults(file, life.rans), ...endFaults(world, file, { ...life, last }));
  add(life, `at last ${last.exitCode}`);
  add(life, "rows paid", appliedRows(life.rans, world.disk.entries).size);
  for (const { attempt } of sendsOf(life.rans)) {
    add(life, "requests");
    if (attempt.applied && attempt.status === undefined) add(life, "responses lost");
    if (!attempt.applied && attempt.hasLeft && attempt.status === undefined) add(life, "requests lost");
  }
}

/** One run while things break, or two at once. */
async function disturbedRuns(life: Payouts): Promise<void> {
  const { chance } = life;
  const together = chance.once(4) ? 2 : 1;
  await Promise.all(
    Array.from({ length: together }, async (_, index) => {
      if (index > 0) await pass(life, chance.pick([0, 100, 2_000]));
      await payOnce(life, mishap(life));
    }),
  );
}

interface Paying {
  kill?: number | undefined;
  interrupt?: number | undefined;
  flags?: readonly string[];
  assumed?: readonly number[];
}

function mishap({ chance, file }: Payouts): Paying {
  const length = 1_000 + 60 * file.rows.length;
  return {
    kill: chance.once(2) ? chance.below(length) : undefined,
    interrupt: chance.once(8) ? chance.below(length) : undefined,
    flags: [
      ...(chance.once(2) ? ["--concurrency", `${1 + chance.below(16)}`] : []),
      ...(chance.once(2) ? ["--stop-after", `${1 + chance.below(100)}`] : []),
      ...(chance.once(6) ? ["--wait", "--deadline", chance.pick(["30s", "5m"])] : []),
    ],
  };
}

async function payOnce(life: Payouts, { kill, interrupt, flags = [], assumed = [] }: Paying): Promise<Ran> {
  const { world, network, file, rans } = life;
  const isBegun = world.disk.entries.some((entry) => entry.type === "intent");
  const argv = [
    ...["tx", "send-many", "evm-1", "-f", file.name, "--speed", "fast", "-o", "json"],
    ...["--confirm", String(file.sum)],
    ...(file.hasDuplicates ? ["--allow-duplicates"] : []),
    ...(isBegun ? ["--resume"] : []),
    ...assumed.flatMap((row) => ["--assume-not-sent", String(row)]),
    ...(assumed.length > 0 ? ["--yes"] : []),
    ...flags,
  ];
  add(life, "rows assumed as not sent", assumed.length);
  const options: RunOptions = { kill, interrupt, setting: "variables and journal", files: { [file.name]: file.text } };
  add(life, "runs");
  const number = life.counts.runs ?? 1;
  const ran = await runProgram(world, network, argv, { ...options, number });
  rans.push(ran);
  life.findings.push(...runFaults(world, file, ran, life.foreign));
  add(life, `exit ${ran.exitCode ?? "by a kill"}`);
  return ran;
}

/** The rows that are unknown, and of which the world knows that they were not sent, and never will be. */
function notSent({ rans, world, network }: Payouts, last: Ran): number[] {
  if (network.onTheWay > 0) return [];
  const applied = appliedRows(rans, world.disk.entries);
  const unknown = (printedRows(last) ?? []).filter(({ state }) => state === "unknown");
  return unknown.flatMap(({ row }) => (applied.has(row) ? [] : [row]));
}

/** Another client pays the same as a row, which must be taken for no row. */
function rival({ world, chance, file, counts, foreign }: Payouts): void {
  const row = chance.pick(file.rows);
  const { id: relayer, address } = world.relayer;
  const wish = { ...row, gas: chance.pick([21_000, 60_000, 23_100]), speed: "fast" };
  const id = `99999999-0000-4000-8000-${String(counts.rivals ?? 0).padStart(12, "0")}`;
  world.worker.post(id, { relayer, address }, wish);
  foreign.add(id);
  counts.rivals = (counts.rivals ?? 0) + 1;
  world.note(`another client pays ${contentOf(row)}`);
}

/** Another client sends the very request of a payment whose response was lost, so that nobody knows which record is its own. */
function imitate({ world, chance, rans, counts, copies, foreign }: Payouts): void {
  const lost = sendsOf(rans).filter(({ attempt }) => attempt.applied && attempt.status === undefined);
  if (lost.length === 0) return;
  const { attempt, paid } = chance.pick(lost);
  const request = { method: "POST", target: attempt.target, headers: {}, body: String(attempt.body) } as const;
  world.service(request, { ...IGNORED, applied: ({ stored }) => void foreign.add(stored.id) });
  copies.add(paid.content);
  add({ counts }, "copies by another client");
}

async function pass({ world }: Payouts, milliseconds: number): Promise<void> {
  await world.timeline.clock.sleep(milliseconds);
}

function add({ counts }: Pick<Payouts, "counts">, what: string, times = 1): void {
  counts[what] = (counts[what] ?? 0) + times;
}

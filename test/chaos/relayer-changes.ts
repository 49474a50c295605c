import { leftRaised, settleFaults } from "./invariants/cap.ts";
import { unrecorded } from "./invariants/journal.ts";
import {
  changedSeveral,
  idOf,
  isEffective,
  isKnown,
  isRecorded,
  patchFaults,
  requestsOf,
  undoFaults,
  undoneBy,
  unknownFaults,
} from "./invariants/undo.ts";
import { faultsOf } from "./invariants/write.ts";
import type { Patch } from "./model/fleet.ts";
import { GWEI } from "./model/world.ts";
import { type Ran, runProgram } from "./program.ts";
import { count, type Scene, wait } from "./scene.ts";

interface Typed {
  argv: string[];
  ids: string[];
  body: Patch;
  /** The flags without which it is not sent. */
  consent: string[];
}

const BOTH = ["evm-1", "evm-2"];

function typed({ chance }: Scene): Typed {
  const ids = chance.once(3) ? BOTH : ["evm-1"];
  const diff = chance.once(2) ? ["--diff"] : [];
  const consent = ids.length > 1 ? ["--yes"] : [];
  const cap = 20 + chance.below(40);
  const update = (flags: string[], body: Patch): Typed => ({
    argv: ["relayers", "update", ...ids, ...flags, ...diff],
    ids,
    body,
    consent,
  });
  switch (chance.below(6)) {
    case 0:
      return { ...update([], { paused: true }), argv: ["relayers", "pause", ...ids, ...diff] };
    case 1:
      return { ...update([], { paused: false }), argv: ["relayers", "resume", ...ids, ...diff] };
    case 2:
      return update(["--name", `name-${cap}`], { name: `name-${cap}` });
    case 3:
      return update(["--unset-policy", "gas_price_cap", "--policy", "private_transactions=true"], {
        policies: { gas_price_cap: null, private_transactions: true },
      });
    case 4: {
      const reset = update(["--reset-policies"], { policies: null });
      return { ...reset, consent: ["--confirm", ids.length > 1 ? `${ids.length} relayers` : "evm-1"] };
    }
    default:
      return update(["--policy", `gas_price_cap=${cap}gwei`, "--name", `name-${cap}`], {
        name: `name-${cap}`,
        policies: { gas_price_cap: cap * Number(GWEI) },
      });
  }
}

async function run(
  scene: Scene,
  argv: readonly string[],
  { consent, isNeeded }: { consent: readonly string[]; isNeeded: boolean },
): Promise<Ran> {
  const { world, network, chance, setting, ownNode } = scene;
  const isAgreed = !chance.once(12);
  const kill = chance.once(6) ? chance.below(chance.pick([300, 1_000, 2_000])) : undefined;
  const interrupt = chance.once(20) ? chance.below(2_000) : undefined;
  const line = [...argv, ...(isAgreed ? consent : [])];
  const ran = await runProgram(world, network, line, { kill, interrupt, setting, ownNode });
  const mayWrite = isAgreed || !isNeeded;
  scene.findings.push(...faultsOf(world, ran, { mayWrite }), ...unrecorded(ran));
  count(scene, "runs");
  count(scene, `${argv.slice(0, argv[0] === "undo" ? 1 : 2).join(" ")} exit ${ran.exitCode ?? "by a kill"}`);
  if (ran.entries.length > 0) count(scene, "recorded runs");
  scene.runs.push(ran);
  return ran;
}

async function update(scene: Scene): Promise<void> {
  const { argv, ids, body, consent } = typed(scene);
  const ran = await run(scene, argv, { consent, isNeeded: consent.length > 0 });
  scene.findings.push(...patchFaults(scene.world.fleet, ran, ids, body));
}

function updateElsewhere({ world: { fleet }, chance }: Scene): void {
  const cap = (20 + chance.below(40)) * Number(GWEI);
  const body = chance.pick<Patch>([
    { paused: true },
    { paused: false },
    { name: `name-${chance.below(3)}` },
    { policies: { gas_price_cap: chance.pick([cap, null]) } },
    { policies: { min_balance: chance.pick([null, 2]) } },
  ]);
  fleet.change(chance.pick(BOTH), body);
}

async function undo(scene: Scene): Promise<void> {
  const { chance, runs } = scene;
  const recorded = runs.filter((ran) => idOf(ran) !== undefined);
  const typed = recorded.length > 0 && !chance.once(3) ? chance.pick([...recorded, ...recorded.slice(-1)]) : undefined;
  await undoRun(scene, typed);
}

/** @param meant (default: the newest run) */
export async function undoRun(scene: Scene, meant: Ran | undefined): Promise<void> {
  const { world, chance } = scene;
  const id = meant && idOf(meant);
  if (meant && id === undefined) return;
  const partly = chance.once(4) ? ["--partly"] : [];
  const before = [...scene.runs];
  const { entries } = world.disk;
  const from = entries.length;
  // A user who types the run has seen what is undone. relayctl always asks about several changed relayers.
  const isNeeded = meant === undefined || changedSeveral(world.fleet, meant);
  const argv = ["undo", ...(id === undefined ? [] : [id]), ...partly];
  const ran = await run(scene, argv, { consent: ["--yes"], isNeeded });
  const chosen = chosenBy(ran);
  const of = meant ?? before.find((each) => isUndoneBy(ran, each) || (chosen && idOf(each) === chosen));
  if (of) scene.findings.push(...undoFaults(world.fleet, ran, of), ...unknownFaults(entries, from, ran, of));
  if (!meant) scene.findings.push(...chosenWrongly(before, ran));
}

function isUndoneBy(undo: Ran, ran: Ran): boolean {
  const id = undoneBy(undo);
  return id !== undefined && idOf(ran) === id;
}

/** The run that an undo names, whether or not it undid it. */
function chosenBy({ stderr }: Ran): string | undefined {
  return /\brun (\S+) (?:of \d|cannot be undone)/.exec(stderr)?.[1];
}

function beganAfter({ entries }: Ran, other: Ran): boolean {
  const timesOf = (all: Ran["entries"]) =>
    all.flatMap(({ entry }) => (entry.type === "intent" ? [Date.parse(entry.time)] : []));
  return Math.min(...timesOf(entries)) > Math.max(...timesOf(other.entries));
}

/** Returns what an undo without a run chose wrongly: not the newest run that is in effect. */
function chosenWrongly(runs: readonly Ran[], ran: Ran): string[] {
  const chosen = chosenBy(ran);
  if (chosen === undefined) return [];
  const undos = runs.filter((each) => undoneBy(each) !== undefined);
  const leavesNothing = undos.some(
    (each) =>
      undoneBy(each) === chosen &&
      each.exitCode === 0 &&
      isRecorded(each) &&
      // What may not have been applied, or was as before already, stays in effect by the journal.
      runs.some((of) => isUndoneBy(each, of) && isKnown(of) && requestsOf(each).size === requestsOf(of).size) &&
      !undos.some((other) => isUndoneBy(other, each)),
  );
  const at = runs.findIndex((each) => idOf(each) === chosen);
  // A run that isn't among them began after the undo. Of two runs at once, the later intent decides, not the later end.
  const newer = at < 0 ? [] : runs.slice(at + 1).filter((each) => beganAfter(each, runs[at] as Ran));
  const left = newer.find(
    (each) =>
      undoneBy(each) === undefined &&
      !undos.some((undo) => isUndoneBy(undo, each)) &&
      isEffective(each) &&
      isRecorded(each),
  );
  return [
    ...(leavesNothing ? ["an undo chooses a run that is undone"] : []),
    ...(left && idOf(left) !== undefined ? [`an undo skips a newer run: ${left.argv.join(" ")}`] : []),
  ];
}

/** Changes relayers and undoes it, while others change them too. */
export async function changeRelayers(scene: Scene): Promise<void> {
  const { chance } = scene;
  await update(scene);
  for (let steps = chance.below(4); steps > 0; steps--) {
    const pause = chance.pick([0, 0, 300, 5_000]);
    const others = chance.once(3) ? wait(scene, chance.below(800)).then(() => updateElsewhere(scene)) : undefined;
    await wait(scene, pause);
    if (chance.once(4)) await update(scene);
    else if (chance.once(6)) await Promise.all([undo(scene), chance.once(2) ? undo(scene) : update(scene)]);
    else await undo(scene);
    await others;
  }
}

/** Finds out what became of the writes whose outcome is unknown, and restores caps that were left raised. */
export async function settle(scene: Scene): Promise<Ran> {
  const { world, network, setting, ownNode, runs } = scene;
  const ran = await runProgram(world, network, ["history", "settle", "-o", "json"], { setting, ownNode });
  count(scene, "runs");
  count(scene, `history settle exit ${ran.exitCode}`);
  scene.findings.push(...faultsOf(world, ran, { mayWrite: true }), ...unrecorded(ran));
  // A run in progress may have raised it.
  if (world.running.size === 0) scene.findings.push(...settleFaults(world, ran, runs));
  return ran;
}

/** How often settling may find a fault of the disk that it reports. */
const MOST_SETTLED = 3;

/** At the end of a life, settling restores what killed runs left raised, or prints the command that does. */
export async function settleCaps(scene: Scene): Promise<void> {
  const { world, runs } = scene;
  if (!runs.some((ran) => ran.isKilled && ran.argv.includes("--raise-cap"))) return;
  await wait(scene, 300_000);
  for (let times = 1; times <= MOST_SETTLED; times++) {
    const { stdout, stderr } = await settle(scene);
    const left = leftRaised(world, runs);
    const isReported = times < MOST_SETTLED && `${stdout}${stderr}`.includes("--policy gas_price_cap=");
    if (!isReported) return void scene.findings.push(...left);
    if (left.length === 0) return;
  }
}

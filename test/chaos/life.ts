import { type Chance, createChance } from "../safety/fuzz/chance.ts";
import { bump, freeze, unstick } from "./clearing.ts";
import { elsewhere } from "./elsewhere.ts";
import { examineTransaction, type Found, libraryClient, type Memory } from "./examined.ts";
import { falseOutcomes } from "./invariants/journal.ts";
import { falseClaims, leftOpen, momentOf, undone } from "./invariants/verdict.ts";
import { faultsOf, isConfirmedIn } from "./invariants/write.ts";
import { lastOnce, sendOnce, sendTwins } from "./keyed-sends.ts";
import { keepLog } from "./log.ts";
import { becomeCalm, disturb, hold } from "./model/disturbances.ts";
import { createNetwork } from "./model/network.ts";
import { OWN_NODES } from "./model/own-node.ts";
import type { Stored } from "./model/record.ts";
import { createWorld, GWEI, keepMining, type WorldOptions } from "./model/world.ts";
import { isExitOf, printedVerdict, waitedVerdicts } from "./printed.ts";
import { type Ran, runProgram, SETTINGS } from "./program.ts";
import { changeRelayers, settle, settleCaps } from "./relayer-changes.ts";
import { count, mishap, nodeFlag, priced, RECEIVER, remember, type Scene, wait, write } from "./scene.ts";
import { carryOut, LONGEST } from "./story.ts";

export interface Lived {
  seed: number;
  findings: string[];
  /** How many there were: runs of the program, writes that were applied, and verdicts by their word. */
  counts: Record<string, number>;
}

/** Milliseconds after which the last command has ended. */
const ACTIVE = 900_000;

/** By how much a wait may exceed its deadline, in milliseconds. */
const PATIENCE = 1_000;

function optionsFor(seed: number, chance: Chance): WorldOptions {
  const rarely = (thousandths: number, times = 3) => (chance.once(times) ? thousandths : 0);
  return {
    seed,
    blockTime: chance.pick([1_000, 2_000, 2_000, 12_000]),
    confirmations: chance.pick([1, 1, 2, 3, 6]),
    cap: chance.pick([undefined, undefined, 12n, 26n, 30n, 34n, 60n].map((gwei) => gwei && gwei * GWEI)),
    isTagged: chance.once(4),
    state: chance.pick([4, 32, 128, 100_000]),
    isIndexed: chance.once(2),
    retention: chance.pick([14_400_000, 14_400_000, 14_400_000, 30_000]),
    isDeceived: true,
    thousandths: {
      minesEarlier: rarely(400, 2),
      reverts: rarely(300, 4),
      losesReply: rarely(300),
      sendsTwice: rarely(300, 8),
    },
  };
}

/** Lives a seed's life: commands of the real program, and faults. @param print receives a line for each event */
export async function live(seed: number, print?: (line: string) => void): Promise<Lived> {
  const chance = createChance(Math.imul(seed + 1, 0x9e3779b1));
  const world = createWorld(optionsFor(seed, chance));
  if (print) keepLog(world, print);
  const network = createNetwork(world, chance.pick([0, 0, 60, 150]));
  const ownNode = chance.once(4) ? { kind: chance.pick(OWN_NODES), isInEnv: chance.once(2) } : undefined;
  const setting = chance.pick(SETTINGS);
  const scene: Scene = {
    world,
    network,
    chance,
    memories: [],
    keyed: [],
    runs: [],
    ownNode,
    setting,
    found: [],
    findings: [],
    counts: {},
  };
  keepMining(world, LONGEST);
  disturb(world, network, { chance, active: ACTIVE });
  scene.findings.push(...(await carryOut(world, play(scene))));
  if (ownNode) count(scene, `own node ${ownNode.kind}`);
  for (const { nonces } of world.worker.all) if (nonces.length > 1) count(scene, "records with two nonces");
  return {
    seed,
    findings: scene.findings,
    counts: { ...scene.counts, ...world.deceptions.counts, ...world.disk.counts },
  };
}

async function play(scene: Scene): Promise<void> {
  const { world, network, chance } = scene;
  await send(scene);
  for (let steps = 1 + chance.below(4); steps > 0; steps--) {
    await wait(scene, chance.pick([0, 500, 3_000, 10_000, 40_000, 200_000]));
    await act(scene);
  }
  await wait(scene, Math.max(0, ACTIVE - world.timeline.now));
  becomeCalm(world, network);
  await wait(scene, 60_000);
  await settleCaps(scene);
  for (const memory of scene.memories) await last(scene, memory);
  for (const { stored, found, at } of scene.found) scene.findings.push(...undone(world, stored, found, at));
  for (const keyed of scene.keyed) await lastOnce(scene, keyed);
  scene.findings.push(...falseOutcomes(world));
}

async function act(scene: Scene): Promise<void> {
  const { chance, memories } = scene;
  if (memories.length === 0) return await send(scene);
  const memory = chance.pick(memories);
  switch (chance.below(28)) {
    case 0:
      return await send(scene);
    case 1:
    case 2:
      return await change(scene, memory, "replace");
    case 3:
    case 4:
      return await change(scene, memory, "cancel");
    case 5:
      // Two users at once.
      return void (await Promise.all([
        change(scene, memory, "replace"),
        change(scene, memory, chance.pick(["replace", "cancel"])),
      ]));
    case 6:
      return await get(scene, memory);
    case 8:
    case 9:
      return await waitFor(scene, memory);
    case 7:
      return elsewhere(scene, memory);
    case 10:
      return void (await write(scene, ["tx", "cancel-pending", "evm-1"]));
    case 11:
      return await waitFor(scene);
    case 13:
      return await sendOnce(scene);
    case 12:
      return await watch(scene, memory);
    case 14:
    case 15:
    case 16:
      return await changeRelayers(scene);
    case 17:
      return void (await settle(scene));
    case 18:
      return await sendTwins(scene);
    case 19:
    case 20:
      return await bumpStuck(scene, memory);
    case 21:
      return void (await Promise.all([
        bump(scene, memory),
        chance.once(2) ? bump(scene, memory) : change(scene, memory, chance.pick(["replace", "cancel"])),
      ]));
    case 22:
      return await unstick(scene);
    case 23:
      return await freeze(scene);
    default:
      return void (await ask(scene, memory));
  }
}

async function bumpStuck(scene: Scene, memory: Memory): Promise<void> {
  const { chance, world } = scene;
  if (!chance.once(4)) {
    hold(world, chance, 1);
    await send(scene);
  }
  await wait(scene, chance.pick([3_000, 6_000, 12_000]));
  await bump(scene, memory);
}

async function send(scene: Scene): Promise<void> {
  const ran = await write(scene, ["tx", "send", "evm-1", "--to", RECEIVER, "--gas-limit", "21000", ...priced(scene)]);
  remember(scene, ran);
}

async function change(scene: Scene, memory: Memory, verb: "replace" | "cancel"): Promise<void> {
  const body = [
    "--to",
    scene.chance.pick([RECEIVER, `0x${"4d".repeat(20)}`]),
    "--gas-limit",
    "21000",
    ...priced(scene),
  ];
  const ran = await write(scene, ["tx", verb, "evm-1", memory.id, ...(verb === "replace" ? body : [])]);
  const hashes = [...ran.stderr.matchAll(/(?:before|now): (0x[0-9a-f]{64})/g)].map(([, hash]) => String(hash));
  memory.hashes.unshift(...hashes.reverse());
  if (scene.chance.once(2)) return;
  await wait(scene, scene.chance.pick([0, 3_000, 20_000]));
  await ask(scene, memory);
}

async function get(scene: Scene, memory: Memory): Promise<void> {
  const { world, network, chance } = scene;
  const was = chance.once(2) ? memory.hashes.slice(0, 1).flatMap((hash) => ["--was", hash]) : [];
  const flags = chance.once(3) ? [] : ["--on-chain", ...was, ...nodeFlag(scene)];
  const { ownNode, setting } = scene;
  const ran = await runProgram(world, network, ["tx", "get", "evm-1", memory.id, ...flags], { ownNode, setting });
  count(scene, "runs");
  scene.findings.push(...faultsOf(world, ran, { mayWrite: false }));
  const found = printedVerdict(ran, world.relayer.id);
  const stored = storedOf(scene, memory);
  if (!found) return;
  count(scene, "printed");
  keep(scene, stored, found);
}

async function waiting(scene: Scene, argv: readonly string[]): Promise<Ran & { interrupt: number | undefined }> {
  const { world, network, chance } = scene;
  const deadline = chance.pick([30, 120, 600]);
  const began = world.timeline.now;
  const { kill, interrupt, ownNode, setting } = mishap(scene);
  const line = [...argv, ...nodeFlag(scene), "--deadline", `${deadline}s`];
  const ran = await runProgram(world, network, line, { kill, interrupt, ownNode, setting });
  count(scene, "waits");
  count(scene, `tx ${argv[1]} ${argv[3] === "--pending" ? "--pending" : "waiting"}`);
  scene.findings.push(...faultsOf(world, ran, { mayWrite: false }));
  const isLate = world.timeline.now - began > deadline * 1_000 + PATIENCE;
  if (isLate) scene.findings.push(`waits ${world.timeline.now - began} ms: ${line.join(" ")}`);
  return { ...ran, interrupt };
}

async function waitFor(scene: Scene, memory?: Memory): Promise<void> {
  const { world } = scene;
  const ran = await waiting(scene, ["tx", "wait", "evm-1", memory ? memory.id : "--pending", "-o", "json"]);
  if (ran.isKilled) return;
  for (const [id, found] of waitedVerdicts(ran, world.relayer.id)) {
    const isOdd = memory && ran.interrupt === undefined && !isExitOf(found, ran.exitCode);
    if (isOdd) scene.findings.push(`exit ${ran.exitCode} for ${found.verdict.verdict}: ${ran.argv.join(" ")}`);
    keep(scene, storedOf(scene, { id }), found);
  }
}

/** Watches a transaction until the chain shows its outcome. */
async function watch(scene: Scene, { id }: Memory): Promise<void> {
  const ran = await waiting(scene, ["tx", "get", "evm-1", id, "--watch"]);
  // What only the record shows was true when the service saw it: a reorganization may have undone it since.
  const from = /"by_record":true/.test(ran.stdout) ? 0 : ran.from;
  const isConfirmed = ran.exitCode !== 0 || isConfirmedIn(scene.world, storedOf(scene, { id }), { ...ran, from });
  if (!isConfirmed) scene.findings.push(`exit 0, but the chain does not confirm it: ${ran.argv.join(" ")}`);
}

function keep(scene: Scene, stored: Stored, found: Found): void {
  scene.findings.push(...falseClaims(scene.world, stored, found));
  scene.found.push({ stored, found, at: momentOf(scene.world, stored) });
}

function storedOf({ world }: Scene, memory: Pick<Memory, "id">): Stored {
  return world.worker.all.find(({ id }) => id === memory.id) as Stored;
}

/** Works out what became of a transaction. */
async function ask(scene: Scene, memory: Memory): Promise<Found | undefined> {
  const { world, network, chance } = scene;
  const stored = storedOf(scene, memory);
  const isStrict = chance.once(3);
  const knows = chance.once(2) ? memory : { ...memory, records: memory.records.slice(0, 0), hashes: [] };
  const uses = { waits: 0 };
  // Blocks that are reorganized while the chain is read.
  if (chance.once(8)) world.timeline.after(chance.below(2_000), () => world.chain.reorganize(1 + chance.below(2)));
  const client = libraryClient(world, network, uses);
  world.running.add(uses);
  const found = await examineTransaction(world, client, knows, { isStrict });
  world.running.delete(uses);
  if (!found) return undefined;
  count(scene, found.verdict.verdict);
  keep(scene, stored, found);
  return found;
}

/** The last word: nothing is broken any more, so that nothing which the chain settles may stay open. */
async function last(scene: Scene, memory: Memory): Promise<void> {
  const stored = storedOf(scene, memory);
  const found = await ask(scene, memory);
  if (found) scene.findings.push(...leftOpen(scene.world, stored, found));
}

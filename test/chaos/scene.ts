import type { Chance } from "../safety/fuzz/chance.ts";
import type { Found, Memory } from "./examined.ts";
import { unrecorded } from "./invariants/journal.ts";
import type { Keyed } from "./invariants/once.ts";
import type { Moment } from "./invariants/verdict.ts";
import { basisOf, faultsOf, isBroadcast } from "./invariants/write.ts";
import type { Network } from "./model/network.ts";
import { OWN_NODE_URL, type OwnNode } from "./model/own-node.ts";
import type { Stored } from "./model/record.ts";
import type { ModelWorld } from "./model/world.ts";
import { type Ran, type RunOptions, runProgram, type Setting } from "./program.ts";

export const RECEIVER = `0x${"3c".repeat(20)}`;

/** One life in progress: the world, and everything that was seen of it. */
export interface Scene {
  world: ModelWorld;
  network: Network;
  chance: Chance;
  memories: Memory[];
  keyed: Keyed[];
  /** The runs that write, oldest first. */
  runs: Ran[];
  ownNode: { kind: OwnNode; isInEnv: boolean } | undefined;
  setting: Setting;
  found: { stored: Stored; found: Found; at: Moment }[];
  findings: string[];
  counts: Record<string, number>;
}

export async function wait({ world }: Scene, milliseconds: number): Promise<void> {
  await world.timeline.clock.sleep(milliseconds);
}

/** How a command ends before it is over, or is not agreed to. */
export function mishap({ chance, ownNode, setting }: Scene): RunOptions & { isAgreed: boolean; setting: Setting } {
  return {
    ...{ ownNode, setting },
    kill: chance.once(12) ? chance.below(2_000) : undefined,
    interrupt: chance.once(20) ? chance.below(2_000) : undefined,
    isAgreed: !chance.once(12),
    ...(chance.once(3) && { answer: false }),
  };
}

/** Runs a command that changes a transaction, and checks it. @param kill milliseconds until SIGKILL (default: random) */
export async function write(scene: Scene, argv: readonly string[], kill?: number): Promise<Ran> {
  const { isAgreed, answer, ...mishaps } = mishap(scene);
  const options = { ...mishaps, kill: kill ?? mishaps.kill };
  const asks = isAgreed || answer === undefined ? {} : { answer };
  const waits = scene.chance.once(4) ? ["--wait", "--deadline", scene.chance.pick(["30s", "5m"])] : [];
  const basis = basisOf(scene.world, argv);
  let wasBroadcast = isBroadcast(scene.world, argv);
  const ran = await runProgram(scene.world, scene.network, [...argv, ...waits, ...(isAgreed ? ["--yes"] : [])], {
    ...options,
    ...asks,
    watch: () => {
      wasBroadcast &&= basisOf(scene.world, argv) === basis;
    },
  });
  scene.findings.push(...faultsOf(scene.world, ran, { mayWrite: isAgreed, wasBroadcast }), ...unrecorded(ran));
  count(scene, "runs");
  count(scene, `tx ${argv[1]}`);
  scene.runs.push(ran);
  for (const { applied } of ran.attempts) if (applied) count(scene, "writes");
  if (ran.entries.length > 0) count(scene, "recorded runs");
  return ran;
}

export function count({ counts }: Scene, what: string): void {
  counts[what] = (counts[what] ?? 0) + 1;
}

export function priced({ chance }: Scene): string[] {
  return ["--value", `${1_000 + chance.below(3)}wei`, "--speed", chance.pick(["safeLow", "fast", "fastest"])];
}

/** Keeps what a run sent, for later commands. */
export function remember(scene: Scene, { attempts }: Ran): void {
  for (const { applied } of attempts)
    if (applied) scene.memories.push({ id: applied.stored.id, records: [], hashes: [] });
}

/** The flag of a life in which no variable specifies the user's own node. */
export function nodeFlag({ ownNode }: Scene): string[] {
  return ownNode && !ownNode.isInEnv ? ["--node", OWN_NODE_URL] : [];
}

import { postElsewhere } from "./elsewhere.ts";
import type { Memory } from "./examined.ts";
import { raisedBy, raiseFaults } from "./invariants/cap.ts";
import { bumpFaults, falselySent, freezeFaults, isOpen, unstickFaults, versionsOf } from "./invariants/clearing.ts";
import { unrecorded } from "./invariants/journal.ts";
import { faultsOf } from "./invariants/write.ts";
import { hold } from "./model/disturbances.ts";
import { GWEI } from "./model/world.ts";
import { type Ran, type RunOptions, runProgram } from "./program.ts";
import { undoRun } from "./relayer-changes.ts";
import { count, mishap, nodeFlag, type Scene, wait, write } from "./scene.ts";

/** Milliseconds by which a command may exceed its deadline. */
const PATIENCE = 1_000;

/** Prefers a transaction that can be bumped. */
function openMemory({ world, chance, memories }: Scene, memory: Memory): Memory {
  const open = memories.filter(({ id }) => {
    const stored = world.worker.records.get(id);
    return stored?.price !== undefined && isOpen(stored);
  });
  return open.length > 0 && !chance.once(6) ? chance.pick(open) : memory;
}

export async function bump(scene: Scene, memory: Memory): Promise<void> {
  const { world, chance } = scene;
  const { id } = openMemory(scene, memory);
  const speed = chance.once(3) ? ["--speed", chance.pick(["safeLow", "average", "fast"])] : [];
  const until = ["--until", "mined", "--every", chance.pick(["10s", "60s"]), "--times", "3"];
  const repeated = chance.once(4) ? until : [];
  const most = chance.once(6) ? ["--max-fee", chance.pick(["20gwei", "40gwei", "100gwei"])] : [];
  const forced = chance.once(8) ? ["--force"] : [];
  const raising = chance.once(2) ? ["--raise-cap", ...(chance.once(5) ? ["--keep-raised"] : [])] : [];
  const kill = raising.length > 0 && chance.once(3) ? chance.below(chance.pick([2_000, 6_000])) : undefined;
  if (raising.length > 0 && chance.once(3)) {
    const cap = (20 + chance.below(40)) * Number(GWEI);
    world.timeline.after(
      chance.below(12_000),
      () => void world.fleet.change("evm-1", { policies: { gas_price_cap: cap } }),
    );
  }
  const versions = versionsOf(world);
  const flags = [...speed, ...repeated, ...most, ...forced, ...raising];
  const ran = await write(scene, ["tx", "bump", "evm-1", id, ...flags], kill);
  if (raisedBy(world, ran)) count(scene, "caps raised");
  const limit = most[1] === undefined ? undefined : Number.parseInt(most[1], 10) * Number(GWEI);
  scene.findings.push(...raiseFaults(world, ran, limit));
  count(scene, `bump exit ${ran.exitCode ?? "by a kill"}`);
  if (/on its way as/.test(ran.stderr)) count(scene, "on its way");
  scene.findings.push(...falselySent(world, ran, versions), ...bumpFaults(world, ran, versions));
}

async function run(scene: Scene, argv: readonly string[], options: RunOptions, mayWrite: boolean): Promise<Ran> {
  const { world, network, setting, ownNode } = scene;
  const versions = versionsOf(world);
  const ran = await runProgram(world, network, argv, { setting, ownNode, ...options });
  scene.findings.push(...faultsOf(world, ran, { mayWrite }), ...unrecorded(ran), ...falselySent(world, ran, versions));
  count(scene, "runs");
  count(scene, `${argv[1]} exit ${ran.exitCode ?? "by a kill"}`);
  if (ran.entries.length > 0) count(scene, "recorded runs");
  for (const { applied } of ran.attempts) if (applied) count(scene, `${argv[1]} writes`);
  scene.runs.push(ran);
  return ran;
}

/** Stops the queue at times: with a cap that only a cancellation helps, or with what can never be signed. */
async function jamQueue(scene: Scene): Promise<void> {
  const { world, chance } = scene;
  if (chance.once(3)) {
    // A cap below what a bump needs: only a cancellation helps.
    const { settings } = world.relayer;
    if (chance.once(2)) world.fleet.change("evm-1", { policies: { gas_price_cap: 15 * Number(GWEI) } });
    hold(world, chance, 1);
    postElsewhere(scene, false);
    await wait(scene, chance.pick([30_000, 60_000]));
    if (chance.once(4))
      world.fleet.change("evm-1", { policies: { gas_price_cap: settings.policies.gas_price_cap ?? null } });
  } else if (chance.once(2)) {
    for (let times = 1 + chance.below(3); times > 0; times--) postElsewhere(scene, chance.once(2));
    await wait(scene, chance.pick([5_000, 20_000, 60_000]));
  }
}

/** Frees the queue of a relayer, at times after something that can never be signed was sent. */
export async function unstick(scene: Scene): Promise<void> {
  const { world, chance } = scene;
  await jamQueue(scene);
  const { isAgreed, kill, interrupt, answer } = mishap(scene);
  const isAsked = chance.once(4);
  const cancel = chance.once(3) ? ["--cancel"] : [];
  const deadline = chance.pick([20, 120, 600]);
  const consent = isAgreed && !isAsked ? ["--yes"] : [];
  const line = ["relayers", "unstick", "evm-1", ...cancel, ...consent, ...nodeFlag(scene)];
  const asks = isAsked || answer === false ? { answer: isAgreed } : {};
  const versions = versionsOf(world);
  const began = world.timeline.now;
  const ran = await run(scene, [...line, "--deadline", `${deadline}s`], { kill, interrupt, ...asks }, isAgreed);
  const cancels = cancel.length > 0 || (isAsked && isAgreed);
  scene.findings.push(...unstickFaults(world, ran, versions, cancels));
  const time = world.timeline.now - began;
  // A step that was sent is followed until it is known to be on its way.
  if (time > deadline * 1_000 + PATIENCE + FOLLOWED) scene.findings.push(`takes ${time} ms: ${ran.argv.join(" ")}`);
}

/** Milliseconds for which the last step may be sent and followed. */
const FOLLOWED = 60_000;

export async function freeze(scene: Scene): Promise<void> {
  const { world, chance } = scene;
  const ids = chance.once(2) ? ["evm-1", "evm-2"] : ["evm-1"];
  const { isAgreed, kill, interrupt } = mishap(scene);
  const consent = ids.length > 1 ? ["--confirm", "2 relayers"] : ["--yes"];
  const line = ["relayers", "freeze", ...ids, ...(isAgreed ? consent : []), "-o", "json"];
  const open = world.worker.all.filter(isOpen);
  const ran = await run(scene, line, { kill, interrupt }, isAgreed);
  if (!ran.isKilled) scene.findings.push(...freezeFaults(world, ran, ids, open));
  if (chance.once(4)) return;
  await wait(scene, chance.pick([0, 2_000, 20_000]));
  await undoRun(scene, ran);
}

import { unrecorded } from "./invariants/journal.ts";
import { isSilent, type Keyed, keyFaults } from "./invariants/once.ts";
import { faultsOf } from "./invariants/write.ts";
import { type Ran, runProgram } from "./program.ts";
import { settle } from "./relayer-changes.ts";
import { count, RECEIVER, remember, type Scene, wait, write } from "./scene.ts";

/** Keys of a life, and runs of one key in a row. */
const MOST = { keys: 3, runs: 4 };

/** Adds a key. Amounts differ from those without a key, which could not be distinguished. */
function addKey({ chance, keyed, setting }: Scene, twin?: Keyed): Keyed {
  const key = `key-${keyed.length}`;
  const amount = `${2_000 + chance.below(2)}wei`;
  const body = twin?.body ?? ["--to", RECEIVER, "--gas-limit", "21000", "--value", amount, "--speed", "fast"];
  const state = setting === "variables" ? ["--state", "state"] : [];
  const added = { key, body, argv: ["tx", "send", "evm-1", ...body, "--once", key, ...state], runs: [] };
  keyed.push(added);
  return added;
}

/** Checks runs with a key once all of those that ran at once have ended. */
function check(scene: Scene, keyed: Keyed, rans: readonly Ran[]): void {
  keyed.runs.push(...rans);
  for (const ran of rans) addOnce(scene, keyed, ran);
}

/** Sends a transaction with a key, again and again, or twice at once. */
export async function sendOnce(scene: Scene): Promise<void> {
  const { chance, keyed } = scene;
  const isNew = keyed.length === 0 || (keyed.length < MOST.keys && chance.once(3));
  const chosen = isNew ? addKey(scene) : chance.pick(keyed);
  for (let runs = 1 + chance.below(MOST.runs); runs > 0; runs--) {
    const together = chance.once(3) ? 2 : 1;
    check(scene, chosen, await Promise.all(Array.from({ length: together }, () => write(scene, chosen.argv))));
    await wait(scene, chance.pick([0, 0, 2_000, 30_000]));
  }
}

/** Sends the same transaction with two keys, the first of which is killed, so that the record of one could be taken for the other's. */
export async function sendTwins(scene: Scene): Promise<void> {
  const { chance } = scene;
  const first = addKey(scene);
  const second = addKey(scene, first);
  check(scene, first, [await write(scene, first.argv, chance.below(400))]);
  await wait(scene, chance.pick([0, 0, 2_000]));
  const kill = chance.once(2) ? chance.below(600) : undefined;
  const later = write(scene, second.argv, kill);
  await wait(scene, chance.pick([100, 300, 1_000]));
  const third = chance.once(4) ? second : first;
  const [rans] = await Promise.all([
    Promise.all([later, write(scene, third.argv)]),
    ...(chance.once(3) ? [wait(scene, chance.below(600)).then(() => settle(scene))] : []),
  ]);
  check(scene, second, third === second ? rans : rans.slice(0, 1));
  if (third === first) check(scene, first, rans.slice(1));
}

function addOnce(scene: Scene, keyed: Keyed, ran: Ran): void {
  remember(scene, ran);
  count(scene, `once exit ${ran.exitCode ?? "by a kill"}`);
  scene.findings.push(...keyFaults(scene.world, keyed, ran));
}

export async function lastOnce(scene: Scene, keyed: Keyed): Promise<void> {
  const { world, network, ownNode, setting } = scene;
  const ran = await runProgram(world, network, [...keyed.argv, "--yes"], { ownNode, setting });
  keyed.runs.push(ran);
  count(scene, `once at last ${ran.exitCode}`);
  scene.findings.push(...faultsOf(world, ran, { mayWrite: true }), ...unrecorded(ran), ...keyFaults(world, keyed, ran));
  if (isSilent(world, keyed, ran)) scene.findings.push(`exit ${ran.exitCode}, but it could be read: ${keyed.key}`);
}

import type { Memory } from "./examined.ts";
import { RECEIVER, type Scene } from "./scene.ts";

/** What another client of the service does, of which this one sees nothing. */
export function elsewhere(scene: Scene, { id }: Memory): void {
  const { chance, world } = scene;
  const { worker } = world;
  const stored = worker.records.get(id);
  if (!stored || chance.once(2)) {
    postElsewhere(scene, chance.once(2));
    return;
  }
  const isReplaced = chance.below(2) === 0;
  if (isReplaced) worker.replace(stored, wishOf(scene));
  else worker.cancel(stored);
}

/** @param isMalformed whether its receiver is: then it is accepted, and blocks those that follow (facts 13.3) */
export function postElsewhere(scene: Scene, isMalformed: boolean): void {
  const { memories, world } = scene;
  const { worker, relayer } = world;
  const from = { relayer: relayer.id, address: relayer.address };
  const to = isMalformed ? "0xnonsense" : RECEIVER;
  const posted = worker.post(`else-${memories.length}`, from, { ...wishOf(scene), to });
  memories.push({ id: posted.id, records: [], hashes: [] });
}

function wishOf({ chance }: Scene) {
  return { to: RECEIVER, value: BigInt(1_000 + chance.below(3)), data: null, gas: 21_000, speed: "fast" };
}

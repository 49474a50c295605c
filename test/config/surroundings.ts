import { randomUUID } from "node:crypto";
import { setImmediate, setTimeout } from "node:timers/promises";
import type { LockWorld } from "../../src/config/files/lock.ts";

/** The real world: waits take their time. */
export function realSurroundings(): LockWorld {
  return {
    clock: { elapsed: () => performance.now(), sleep: (milliseconds) => setTimeout(milliseconds) },
    random: { uuid: randomUUID, fraction: () => 0.5 },
    interrupt: new AbortController().signal,
  };
}

/** A world in which waiting takes no time at all, but its clock advances. */
export function hastySurroundings(interrupt = new AbortController().signal): LockWorld {
  let now = 0;
  const sleep = async (milliseconds: number) => {
    now += milliseconds;
    await setImmediate();
  };
  return { clock: { elapsed: () => now, sleep }, random: { uuid: randomUUID, fraction: () => 0.5 }, interrupt };
}

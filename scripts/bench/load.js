import { readFileSync } from "node:fs";
import { loadavg } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";

const SAMPLES = 8;
/** Milliseconds between two samples. */
const PAUSE = 25;

/** Returns how many other processes want a processor while the bench rests, or without /proc, the last minute's load average. */
export async function restLoad() {
  let sum = 0;
  for (let sample = 0; sample < SAMPLES; sample++) {
    await sleep(PAUSE);
    sum += runnable() ?? loadavg()[0];
  }
  return sum / SAMPLES;
}

/** `0.42 0.36 0.30 3/512 4711`: three want a processor now, this process among them. */
function runnable() {
  try {
    return Number(/ ([0-9]+)\/[0-9]+ /.exec(readFileSync("/proc/loadavg", "utf8"))[1]) - 1;
  } catch {
    return undefined;
  }
}

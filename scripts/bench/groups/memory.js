import { readFileSync } from "node:fs";
import { join } from "node:path";
import { attempted } from "../attempt.js";
import { serveFromMemory } from "../server.js";
import { timed } from "../shell.js";
import { count } from "../words.js";

const LINE = 'node --require "$PEAK" "$RELAYCTL_BIN" relayers list -o ndjson';
const ROUNDS = 3;

/** How much a list holds at its worst moment. */
export async function memory(world) {
  const { fleet, largeFleet } = world.plan;
  return {
    rows: [
      { ...(await peakRow(world, fleet)), atMost: 140, reach: 80 },
      { ...(await peakRow(world, largeFleet)), atMost: 150, reach: 80 },
    ],
  };
}

async function peakRow(world, size) {
  const what = `peak memory, ${count(size)} as NDJSON`;
  return { what, unit: "MB", ...(await attempted(world, () => highestPeak(world, size))) };
}

/** In MB. */
async function highestPeak(world, size) {
  const server = await serveFromMemory(world, size);
  const PEAK_FILE = join(world.folder, "peak");
  const env = { ...server.env, PEAK: join(import.meta.dirname, "../peak.cjs"), PEAK_FILE };
  const peaks = [];
  for (let round = 1; round <= ROUNDS; round++) {
    world.say(`round ${round} of ${ROUNDS}, ${count(size)}: ${LINE}`);
    await timed(world, LINE, env);
    peaks.push(Number(readFileSync(PEAK_FILE, "utf8")));
  }
  await server.stop();
  return Math.max(...peaks) / 1e6;
}

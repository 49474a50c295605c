import { readFileSync } from "node:fs";
import { join } from "node:path";
import { attempted } from "../attempt.js";
import { serveFromMemory } from "../server.js";
import { timed } from "../shell.js";
import { count } from "../words.js";
import { FORMATS } from "./formats.js";

const ROUNDS = 3;
const NDJSON = { atMost: 100, reach: 70 };
const TABLE = { atMost: 120, reach: 85 };

/** How much a list holds at its worst moment; the load of the machine does not count. */
export async function memory(world) {
  const { fleet, largeFleet } = world.plan;
  const peaks = {};
  const peakRow = async (what, seed, flags, budget) => {
    peaks[flags] = await attempted(world, () => highestPeak(world, seed, flags));
    return { what: `peak memory, ${what}`, unit: "MB", ...budget, ...peaks[flags] };
  };
  const [two, many] = [`fleet:${fleet}`, `varied:${fleet}`];
  const rows = [
    await peakRow(`${count(fleet)} as NDJSON, two shapes`, two, "-o ndjson", NDJSON),
    await peakRow(`${count(fleet)} as NDJSON, 800 shapes`, many, "-o ndjson", NDJSON),
    await peakRow(`${count(fleet)} as a table, two shapes`, two, "-o table", TABLE),
    await peakRow(`${count(fleet)} as a table, 800 shapes`, many, "-o table", TABLE),
    await peakRow(`${count(largeFleet)} as NDJSON`, `fleet:${largeFleet}`, "-o ndjson", { atMost: 130, reach: 105 }),
    await peakRow(`${count(fleet)}, \`${FORMATS.json}\``, two, FORMATS.json),
    await peakRow(`${count(fleet)}, \`${FORMATS.yaml}\``, two, FORMATS.yaml),
  ];
  for (const flags of [FORMATS.csv, FORMATS.sort, FORMATS.where, FORMATS.query]) {
    const twice = { atMost: Math.round(2 * (peaks[FORMATS.json].value ?? 0)) };
    rows.push(await peakRow(`${count(fleet)}, \`${flags}\`, at most twice the peak of json`, two, flags, twice));
  }
  return { rows };
}

/** In MB. */
async function highestPeak(world, seed, flags) {
  const server = await serveFromMemory(world, seed);
  const PEAK_FILE = join(world.folder, "peak");
  const env = { ...server.env, PEAK: join(import.meta.dirname, "../peak.cjs"), PEAK_FILE };
  const line = `node --require "$PEAK" "$PROGRAM" relayers list ${flags}`;
  const peaks = [];
  for (let round = 1; round <= ROUNDS; round++) {
    world.say(`round ${round} of ${ROUNDS}, ${seed}: ${line}`);
    await timed(world, line, { env });
    peaks.push(Number(readFileSync(PEAK_FILE, "utf8")));
  }
  await server.stop();
  return Math.max(...peaks) / 1e6;
}

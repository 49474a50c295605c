import { interleaved } from "../rounds.js";
import { serveFromMemory } from "../server.js";
import { costRatio } from "../statistics.js";
import { count } from "../words.js";

/** Whether a list that is ten times as long costs ten times as much. */
export async function largeList(world) {
  const { fleet, largeFleet, longRounds } = world.plan;
  const server = await serveFromMemory(world, `fleet:${fleet}`);
  const large = await serveFromMemory(world, `fleet:${largeFleet}`);
  const line = "relayctl relayers list -o ndjson";
  const lines = {
    ndjson: { line, items: fleet, prints: fleet },
    large: { line: `RELAYCTL_SERVER="$LARGE" ${line}`, items: largeFleet, prints: largeFleet },
  };
  const env = { ...server.env, LARGE: large.env.RELAYCTL_SERVER };
  const runs = await interleaved(world, lines, { rounds: longRounds, env });
  await Promise.all([server.stop(), large.stop()]);
  const what = `cost of one item, of ${count(largeFleet)} / of ${count(fleet)}`;
  return { runs, rows: [{ what, atMost: 1.2, reach: 1, ...costRatio(runs.large, runs.ndjson) }] };
}

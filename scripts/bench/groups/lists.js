import { asLines, curlAll, sdkList } from "../peers.js";
import { interleaved } from "../rounds.js";
import { serveFromMemory } from "../server.js";
import { speedRatio, timeRatio } from "../statistics.js";
import { count } from "../words.js";

/** How fast a whole fleet is read, checked and written. */
export async function lists(world) {
  const { fleet, largeFleet, longRounds } = world.plan;
  const server = await serveFromMemory(world, fleet);
  const large = await serveFromMemory(world, largeFleet);
  const lines = {
    ndjson: { line: "relayctl relayers list -o ndjson", items: fleet, prints: fleet },
    table: { line: "relayctl relayers list -o table", items: fleet, prints: fleet + 1 },
    sdk: { line: sdkList(1000, fleet), items: fleet, prints: fleet, needs: "sdk" },
    jq: { line: asLines(curlAll(fleet)), items: fleet, prints: fleet, needs: "jq" },
    curl: { line: curlAll(fleet), items: fleet, needs: "curl" },
    large: { line: 'relayctl --server "$LARGE" relayers list -o ndjson', items: largeFleet, prints: largeFleet },
  };
  const env = { ...server.env, LARGE: large.env.RELAYCTL_SERVER };
  const runs = await interleaved(world, lines, { rounds: longRounds, env });
  await Promise.all([server.stop(), large.stop()]);
  const { ndjson, table, sdk, jq } = runs;
  const asNdjson = `${count(fleet)} relayers as NDJSON, items/s`;
  return {
    runs,
    rows: [
      { what: `${asNdjson} / the SDK script`, atLeast: 2, reach: 4, ...speedRatio(ndjson, sdk) },
      { what: `${asNdjson} / \`curl\` and \`jq -c '.data[]'\``, atLeast: 2, reach: 4, ...speedRatio(ndjson, jq) },
      {
        what: `${count(fleet)} as a table, items/s / the SDK script`,
        atLeast: 1.6,
        reach: 3,
        ...speedRatio(table, sdk),
      },
      {
        what: `time of one item, of ${count(largeFleet)} / of ${count(fleet)}`,
        atMost: 1.2,
        reach: 1,
        ...timeRatio(runs.large, ndjson),
      },
    ],
  };
}

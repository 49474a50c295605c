import { asLines, curlAll, sdkList } from "../peers.js";
import { interleaved } from "../rounds.js";
import { addSdk } from "../sdk.js";
import { serveFromMemory } from "../server.js";
import { costRatio, speedRatio } from "../statistics.js";
import { count } from "../words.js";

/** What it costs to read, check, and write a whole fleet: one with two shapes of relayers, and one with as many as real ones have. */
export async function lists(world) {
  const { fleet, longRounds } = world.plan;
  await addSdk(world);
  const [uniform, varied] = await Promise.all([
    serveFromMemory(world, `fleet:${fleet}`),
    serveFromMemory(world, `varied:${fleet}`),
  ]);
  const env = { ...uniform.env, VARIED: varied.env.RELAYCTL_SERVER };
  const runs = await interleaved(world, linesOf(fleet), { rounds: longRounds, env });
  await Promise.all([uniform.stop(), varied.stop()]);
  return { runs, rows: rowsOf(fleet, runs) };
}

function linesOf(fleet) {
  const all = { items: fleet, prints: fleet };
  const table = { items: fleet, prints: fleet + 1 };
  const onVaried = 'RELAYCTL_SERVER="$VARIED"';
  return {
    ndjson: { line: "relayctl relayers list -o ndjson", ...all },
    ndjsonVaried: { line: `${onVaried} relayctl relayers list -o ndjson`, ...all },
    table: { line: "relayctl relayers list -o table", ...table },
    tableVaried: { line: `${onVaried} relayctl relayers list -o table`, ...table },
    sdk: { line: sdkList(1000, fleet), ...all, needs: "sdk" },
    sdkVaried: { line: `${onVaried} ${sdkList(1000, fleet)}`, ...all, needs: "sdk" },
    jq: { line: asLines(curlAll(fleet)), ...all, needs: "jq" },
    curl: { line: curlAll(fleet), items: fleet, needs: "curl" },
  };
}

function rowsOf(fleet, { ndjson, ndjsonVaried, table, tableVaried, sdk, sdkVaried, jq }) {
  const asNdjson = `${count(fleet)} relayers as NDJSON`;
  const asTable = `${count(fleet)} as a table, items/s / the SDK script`;
  return [
    { what: `${asNdjson}, items/s / the SDK script, two shapes`, atLeast: 3.5, reach: 5, ...speedRatio(ndjson, sdk) },
    { what: "the same, 800 shapes", atLeast: 2, reach: 4, ...speedRatio(ndjsonVaried, sdkVaried) },
    { what: `${asNdjson}: 800 shapes / two shapes`, atMost: 1.5, reach: 1.2, ...costRatio(ndjsonVaried, ndjson) },
    { what: `${asTable}, two shapes`, atLeast: 2, reach: 2.7, ...speedRatio(table, sdk) },
    { what: "the same, 800 shapes", atLeast: 2, reach: 2.7, ...speedRatio(tableVaried, sdkVaried) },
    {
      what: `${asNdjson}, items/s / \`curl\` and \`jq -c '.data[]'\``,
      atLeast: 2,
      reach: 4,
      ...speedRatio(ndjson, jq),
    },
  ];
}

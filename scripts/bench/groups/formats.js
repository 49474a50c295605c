import { interleaved } from "../rounds.js";
import { serveFromMemory } from "../server.js";
import { costRatio } from "../statistics.js";
import { count } from "../words.js";

/** The flags of each way to print a fleet; the memory they take is measured too. */
export const FORMATS = {
  json: "-o json",
  yaml: "-o yaml",
  csv: "-o csv",
  sort: "-o ndjson --sort=-name",
  where: "-o ndjson --where paused",
  query: "-o json --query '[].{id: id, network: network}'",
};

/** What the other formats cost, and what selects and orders the items. */
export async function formats(world) {
  const { fleet, longRounds } = world.plan;
  const server = await serveFromMemory(world, `fleet:${fleet}`);
  const lines = Object.entries(FORMATS).map(([name, flags]) => [
    name,
    { line: `relayctl relayers list ${flags}`, items: fleet },
  ]);
  const runs = await interleaved(world, Object.fromEntries(lines), { rounds: longRounds, env: server.env });
  await server.stop();
  const { json, yaml, csv, sort, where, query } = runs;
  const what = (flags) => `${count(fleet)} with \`${flags}\` / with \`${FORMATS.json}\``;
  return {
    runs,
    rows: [
      { what: what(FORMATS.yaml), atMost: 3, reach: 2, ...costRatio(yaml, json) },
      { what: what(FORMATS.csv), ...costRatio(csv, json) },
      { what: what(FORMATS.sort), ...costRatio(sort, json) },
      { what: what(FORMATS.where), ...costRatio(where, json) },
      { what: what(FORMATS.query), ...costRatio(query, json) },
    ],
  };
}

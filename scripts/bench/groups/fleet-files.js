import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { curlAll } from "../peers.js";
import { interleaved } from "../rounds.js";
import { serve } from "../server.js";
import { timed } from "../shell.js";
import { costRatio } from "../statistics.js";
import { count } from "../words.js";

const RELAYERS = 1_000;
const CHANGED = 40;
const LIST = "relayctl relayers list -o name";

/** Prints the relayers whose name differs from the file, as a script without relayctl would. */
const COMPARE_NAMES =
  `jq -r --slurpfile file "$CONFIG" '($file[0].relayers | map({(.id): .name}) | add) as $wanted | ` +
  ".data[] | select(.name != $wanted[.id]) | .id'";

/** Compares a whole fleet with a file. The peer is a script that compares one field of each relayer. */
export async function fleetFiles(world) {
  const server = await serve(world, "--quiet", "--seed", `fleet:${RELAYERS}`);
  const config = join(world.folder, "config.json");
  const env = { ...server.env, CONFIG: config };
  await timed(world, 'relayctl export -o json > "$CONFIG"', { env });
  writeFileSync(config, withNewNames(readFileSync(config, "utf8")));
  const lines = {
    plan: { line: 'relayctl plan -f "$CONFIG" -o name || [ $? -eq 20 ]', items: RELAYERS, prints: CHANGED },
    list: { line: LIST, items: RELAYERS, prints: RELAYERS },
    jq: { line: `${curlAll(RELAYERS)} | ${COMPARE_NAMES}`, items: RELAYERS, prints: CHANGED, needs: "jq" },
  };
  const runs = await interleaved(world, lines, { rounds: world.plan.shortRounds, env });
  await server.stop();
  const what = `\`plan\` of ${count(RELAYERS)} relayers, ${CHANGED} of which differ`;
  return {
    runs,
    rows: [
      {
        what: `${what} / \`curl\` and a jq script that compares one field`,
        atMost: 10,
        ...costRatio(runs.plan, runs.jq),
      },
      { what: `${what} / \`relayers list\``, atMost: 5, ...costRatio(runs.plan, runs.list) },
    ],
  };
}

/** Leaves out everything but relayers, whose signers are not in this fleet. JSON.parse would round their amounts. */
function withNewNames(text) {
  let changed = 0;
  const relayers = text.slice(text.indexOf('  "relayers": ['));
  return `{\n${relayers.replace(/"name": "/g, (start) => (changed++ < CHANGED ? `${start}New ` : start))}`;
}

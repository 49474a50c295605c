import { asLines, curlTen, sdkList } from "../peers.js";
import { interleaved } from "../rounds.js";
import { serve } from "../server.js";
import { timeRatio } from "../statistics.js";

/** What the script for bash calls at a TAB after `relayctl relayers get relayer-`. */
const TAB = `relayctl __complete bash 9 80 $' \\t\\n"\\'><=;|&(:' -- 'relayctl relayers get relayer-'`;

/** How long it takes until something is there: the program's start, one request, one TAB. */
export async function startUp(world) {
  const server = await serve(world, "--quiet", "--seed", "fleet:10");
  const lines = {
    node: { line: "node -e 0" },
    version: { line: "relayctl --version", prints: 1 },
    help: { line: "relayctl --help" },
    // As the first run after an install, and every run where nothing can be kept.
    cold: { line: "NODE_DISABLE_COMPILE_CACHE=1 relayctl relayers list -o table", prints: 11 },
    list: { line: "relayctl relayers list -o table", prints: 11 },
    // The ids of the last look are kept for a minute: the TAB before this one has looked.
    completion: { line: TAB, prints: 11, before: TAB },
    sdk: { line: sdkList(10, 10), prints: 10, needs: "sdk" },
    curl: { line: curlTen, needs: "curl" },
    jq: { line: asLines(curlTen), prints: 10, needs: "jq" },
    gh: { line: "gh --version", needs: "gh" },
  };
  const runs = await interleaved(world, lines, { rounds: world.plan.shortRounds, env: server.env });
  await server.stop();
  const { node, version, help, list, completion, sdk } = runs;
  return {
    runs,
    rows: [
      { what: "`--version` / `node -e 0`", atMost: 1.3, reach: 1.1, ...timeRatio(version, node) },
      { what: "`--help` / `node -e 0`", atMost: 1.3, reach: 1.1, ...timeRatio(help, node) },
      { what: "`relayers list` (10 rows) / `node -e 0`", atMost: 2.6, reach: 1.8, ...timeRatio(list, node) },
      { what: "`relayers list` / the SDK script", atMost: 0.55, reach: 0.3, ...timeRatio(list, sdk) },
      {
        what: "completion of a live id from the cache / `node -e 0`",
        atMost: 1.6,
        reach: 1.3,
        ...timeRatio(completion, node),
      },
    ],
  };
}

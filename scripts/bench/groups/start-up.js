import { makeCertificate } from "../certificate.js";
import { addNode24 } from "../node24.js";
import { asLines, curlTen, sdkList } from "../peers.js";
import { interleaved } from "../rounds.js";
import { addSdk } from "../sdk.js";
import { serveFromMemory } from "../server.js";
import { costRatio } from "../statistics.js";

/** What the script for bash calls at a TAB after `relayctl relayers get relayer-`. */
const TAB = `relayctl __complete bash 9 80 $' \\t\\n"\\'><=;|&(:' -- 'relayctl relayers get relayer-'`;
/** The IDs are kept for a minute. The first TAB may be too slow to show them, and keeps them nevertheless. */
const WARM = `until [ "$(${TAB} | wc -l)" -gt 1 ]; do sleep 0.1; done`;
const LIST = "relayers list -o table";
const MAJOR = Number(process.versions.node.split(".")[0]);

/** What it costs until something is there: the program's start, one request, one TAB. */
export async function startUp(world) {
  await addSdk(world);
  addNode24(world);
  const server = await serveFromMemory(world, "fleet:10");
  const files = makeCertificate(world);
  const secure = files && (await serveFromMemory(world, "fleet:10", files));
  const env = { ...server.env, ...(files && { TLS: secure.env.RELAYCTL_SERVER, CA: files.certificate }) };
  const { shortRounds: rounds, repeat } = world.plan;
  const runs = await interleaved(world, LINES, { rounds, repeat, env });
  await Promise.all([server.stop(), secure?.stop()]);
  return { runs, rows: rowsOf(runs) };
}

const LINES = {
  node: { line: "node -e 0" },
  version: { line: "relayctl --version", prints: 1 },
  help: { line: "relayctl --help" },
  commandHelp: { line: "relayctl relayers list --help" },
  typo: { line: "relayctl relayers lst 2>/dev/null || [ $? -eq 2 ]", prints: 0 },
  list: { line: `relayctl ${LIST}`, prints: 11 },
  https: { line: `relayctl --server "$TLS" --ca-file "$CA" ${LIST}`, prints: 11, needs: "openssl" },
  // As the first run after an install, and every run where nothing can be kept.
  cold: { line: `NODE_DISABLE_COMPILE_CACHE=1 relayctl ${LIST}`, prints: 11 },
  bare24: { line: '"$NODE24" -e 0', needs: "node24" },
  list24: { line: `"$NODE24" "$PROGRAM" ${LIST}`, prints: 11, needs: "node24" },
  completion: { line: TAB, prints: 11, before: WARM },
  sdk: { line: sdkList(10, 10), prints: 10, needs: "sdk" },
  curl: { line: curlTen, needs: "curl" },
  jq: { line: asLines(curlTen), prints: 10, needs: "jq" },
  gh: { line: "gh --version", needs: "gh" },
};

function rowsOf({ node, version, help, list, https, bare24, list24, commandHelp, typo, completion, sdk }) {
  const secure = MAJOR === 20 ? { atMost: 3.6, reach: 3.2 } : {};
  return [
    { what: "`--version` / `node -e 0`", atMost: 1.2, reach: 1.1, ...costRatio(version, node) },
    { what: "`--help` / `node -e 0`", atMost: 1.25, reach: 1.15, ...costRatio(help, node) },
    { what: "`relayers list` (10 rows, http) / `node -e 0`", atMost: 2.1, reach: 1.75, ...costRatio(list, node) },
    { what: `the same, https with \`--ca-file\`, Node ${MAJOR}`, ...secure, ...costRatio(https, node) },
    { what: "the same, http, Node 24 / its own `node -e 0`", atMost: 2.2, reach: 1.9, ...costRatio(list24, bare24) },
    { what: "`relayers list --help` / `node -e 0`", atMost: 1.8, reach: 1.4, ...costRatio(commandHelp, node) },
    { what: "a typo, `relayers lst` / `node -e 0`", atMost: 1.8, reach: 1.4, ...costRatio(typo, node) },
    { what: "completion of a live ID, warm / `node -e 0`", atMost: 1.4, reach: 1.3, ...costRatio(completion, node) },
    { what: "`relayers list` / the SDK script", atMost: 0.55, reach: 0.3, ...costRatio(list, sdk) },
  ];
}

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { buildExecutable } from "../../release/executables.js";
import { thisPlatform } from "../../release/platforms.js";
import { attempted } from "../attempt.js";
import { makeCertificate } from "../certificate.js";
import { interleaved } from "../rounds.js";
import { serveFromMemory } from "../server.js";
import { timed } from "../shell.js";
import { costRatio } from "../statistics.js";
import { count } from "../words.js";

const LIST = "relayers list -o table";
const ROUNDS = 3;

const LINES = {
  node: { line: "node -e 0" },
  version: { line: '"$EXECUTABLE" --version', prints: 1 },
  list: { line: `"$EXECUTABLE" ${LIST}`, prints: 11 },
  https: { line: `"$EXECUTABLE" --server "$TLS" --ca-file "$CA" ${LIST}`, prints: 11, needs: "openssl" },
  many: { line: '"$EXECUTABLE" --server "$MANY" relayers list -o ndjson' },
  package: { line: 'relayctl --server "$MANY" relayers list -o ndjson' },
};

/** Measures the executable of this machine: its start, one request, and a large list, compared with the package. */
export async function executable(world) {
  const EXECUTABLE = await buildExecutable(thisPlatform(), world.folder);
  const { shortRounds: rounds, repeat, fleet } = world.plan;
  const [server, many] = [await serveFromMemory(world, "fleet:10"), await serveFromMemory(world, `fleet:${fleet}`)];
  const files = makeCertificate(world);
  const secure = files && (await serveFromMemory(world, "fleet:10", files));
  const tls = files && { TLS: secure.env.RELAYCTL_SERVER, CA: files.certificate };
  const env = { ...server.env, ...tls, EXECUTABLE, MANY: many.env.RELAYCTL_SERVER };
  const {
    node,
    version,
    list,
    https,
    many: large,
    package: same,
  } = await interleaved(world, LINES, { rounds, repeat, env });
  const own = await attempted(world, () => highestPeak(world, env, "BUN_OPTIONS", "--preload", LINES.many.line));
  const usual = await attempted(world, () => highestPeak(world, env, "NODE_OPTIONS", "--require", LINES.package.line));
  await Promise.all([server.stop(), many.stop(), secure?.stop()]);
  const what = `${count(fleet)} as NDJSON`;
  const twice = { atMost: Math.round(2 * (usual.value ?? 0)) };
  return {
    runs: { version, list, https, large, same },
    rows: [
      { what: "executable: `--version` / `node -e 0`", atMost: 0.6, ...costRatio(version, node) },
      { what: "executable: `relayers list` (10 rows, http) / `node -e 0`", atMost: 1.5, ...costRatio(list, node) },
      { what: "the same, https with `--ca-file`", atMost: 2, ...costRatio(https, node) },
      { what: `executable: ${what} / the package`, ...costRatio(large, same) },
      { what: `executable: peak memory, ${what}, at most twice the package's`, unit: "MB", ...twice, ...own },
    ],
  };
}

/** In MB. */
async function highestPeak(world, env, variable, flag, line) {
  const PEAK_FILE = join(world.folder, "peak");
  const preload = `${flag} ${join(import.meta.dirname, "../peak.cjs")}`;
  const peaks = [];
  for (let round = 0; round < ROUNDS; round++) {
    await timed(world, line, { env: { ...env, PEAK_FILE, [variable]: preload } });
    peaks.push(Number(readFileSync(PEAK_FILE, "utf8")));
  }
  return Math.max(...peaks) / 1e6;
}

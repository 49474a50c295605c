import { xargsPatch } from "../peers.js";
import { interleaved } from "../rounds.js";
import { serve } from "../server.js";
import { timed } from "../shell.js";
import { speedRatio } from "../statistics.js";
import { count } from "../words.js";

const CONCURRENCY = 16;
const LATENCY = { time: "20ms", concurrency: 64 };

/** Measures many changes, next to a script that only sends the PATCHes, and to a process for each. */
export async function writes(world) {
  const { patches, peerPatches } = world.plan;
  const bare = { line: `node "$SCRIPTS/patch-all.js" ${CONCURRENCY}`, items: patches };
  const runs = await race(world, "0ms", { relayctl: patched(CONCURRENCY, patches), bare, xargs: xargs(peerPatches) });
  const { relayctl } = runs;
  const what = `${count(patches)} PATCHes, concurrency ${CONCURRENCY}, items/s`;
  return {
    runs,
    rows: [
      { what: `${what} / a bare node:http loop`, atLeast: 0.7, reach: 1, ...speedRatio(relayctl, runs.bare) },
      { what: `${what} / \`xargs -P16 curl\``, atLeast: 15, reach: 40, ...speedRatio(relayctl, runs.xargs) },
    ],
  };
}

/** Measures the same with slow responses, where only concurrency counts. */
export async function writesWithLatency(world) {
  const { patches, peerPatches } = world.plan;
  const { time, concurrency } = LATENCY;
  const runs = await race(world, time, { relayctl: patched(concurrency, patches), xargs: xargs(peerPatches) });
  const what = `${count(patches)} PATCHes, ${time} latency, concurrency ${concurrency}, items/s / \`xargs -P16 curl\``;
  return { runs, rows: [{ what, atLeast: 10, reach: 12, ...speedRatio(runs.relayctl, runs.xargs, "wall") }] };
}

async function race(world, latency, lines) {
  const { patches, longRounds } = world.plan;
  const server = await serve(world, "--quiet", "--seed", `fleet:${patches}`, "--latency", latency);
  const env = await withIds(world, server.env, patches);
  const runs = await interleaved(world, lines, { rounds: longRounds, env });
  await server.stop();
  return runs;
}

function patched(concurrency, items) {
  return { line: patchLine(concurrency), items, prints: items };
}

function xargs(items) {
  return { line: xargsPatch(items), items, prints: items, needs: "xargs" };
}

/** A change to every relayer whose id stands in the file IDS. */
export function patchLine(concurrency) {
  return `relayctl relayers update - --name bench --concurrency ${concurrency} --yes < "$IDS"`;
}

/** Writes the first ids into the file IDS. */
export async function withIds(world, serverEnv, size) {
  const env = { ...serverEnv, IDS: `${world.folder}/ids` };
  await timed(world, `relayctl relayers list -o name --limit ${size} > "$IDS"`, { env });
  return env;
}

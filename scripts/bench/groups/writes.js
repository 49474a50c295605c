import { xargsPatch } from "../peers.js";
import { interleaved } from "../rounds.js";
import { serve } from "../server.js";
import { timed } from "../shell.js";
import { speedRatio } from "../statistics.js";
import { count } from "../words.js";

/** How fast many relayers are changed, against a process for each. */
export function writes(world) {
  return race(world, { concurrency: 16, what: "", atLeast: 15, reach: 40 });
}

/** The same where every answer takes its time. */
export function writesWithLatency(world) {
  const latency = "20ms";
  return race(world, { concurrency: 64, latency, what: `, ${latency} latency`, atLeast: 10, reach: 12 });
}

async function race(world, { concurrency, latency = "0ms", what, ...budget }) {
  const { patches, peerPatches, longRounds } = world.plan;
  const server = await serve(world, "--quiet", "--seed", `fleet:${patches}`, "--latency", latency);
  const env = await withIds(world, server.env, patches);
  const lines = {
    relayctl: { line: patchLine(concurrency), items: patches, prints: patches },
    xargs: { line: xargsPatch(peerPatches), items: peerPatches, prints: peerPatches, needs: "xargs" },
  };
  const runs = await interleaved(world, lines, { rounds: longRounds, env });
  await server.stop();
  const title = `${count(patches)} PATCHes${what}, concurrency ${concurrency}, items/s / \`xargs -P16 curl\``;
  return { runs, rows: [{ what: title, ...budget, ...speedRatio(runs.relayctl, runs.xargs) }] };
}

/** A change to every relayer whose id stands in the file IDS. */
export function patchLine(concurrency) {
  return `relayctl relayers update - --name bench --concurrency ${concurrency} --yes < "$IDS"`;
}

/** Writes the first ids into the file IDS. */
export async function withIds(world, serverEnv, size) {
  const env = { ...serverEnv, IDS: `${world.folder}/ids` };
  await timed(world, `relayctl relayers list -o name --limit ${size} > "$IDS"`, env);
  return env;
}

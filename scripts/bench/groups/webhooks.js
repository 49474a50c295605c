import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { interleaved } from "../rounds.js";
import { listen, receiveBare } from "../server.js";
import { speedRatio } from "../statistics.js";

/** Measures how fast deliveries are received, compared to node:http. The sender uses the same cores. */
export async function webhooks(world) {
  const { longRounds } = world.plan;
  // The sender signs all of them first, which both times include: the more there are, the less of the time that is.
  const deliveries = 2 * world.plan.deliveries;
  const key = join(world.folder, "signing.key");
  writeFileSync(key, "k".repeat(32), { mode: 0o600 });
  const receiver = await listen(world, "--signing-key-file", key, "-o", "ndjson");
  const bare = await receiveBare(world);
  const env = { ...world.env, KEY_FILE: key, RECEIVER: receiver.env.RELAYCTL_SERVER, BARE: bare.env.RELAYCTL_SERVER };
  const posted = `node "$SCRIPTS/post-deliveries.js" ${deliveries}`;
  const lines = {
    received: { line: posted, items: deliveries, server: receiver.pid },
    most: { line: `RECEIVER=$BARE ${posted}`, items: deliveries, server: bare.pid },
  };
  const runs = await interleaved(world, lines, { rounds: longRounds, env });
  await Promise.all([receiver.stop(), bare.stop()]);
  const { received, most } = runs;
  const what = "`webhooks listen`: signed deliveries, 16 connections / a bare node:http server that reads them";
  return {
    runs,
    rows: [
      { what, atLeast: 0.5, ...speedRatio(received, most, "wall") },
      { what: "the same by the CPU of the receivers", ...speedRatio(received, most, "served") },
    ],
  };
}

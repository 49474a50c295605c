import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { root } from "../bundle.js";
import { writeSection } from "../section.js";
import { attempted } from "./attempt.js";
import { embeddedServer } from "./groups/embedded-server.js";
import { executable } from "./groups/executable.js";
import { fleetFiles } from "./groups/fleet-files.js";
import { formats } from "./groups/formats.js";
import { install } from "./groups/install.js";
import { journal } from "./groups/journal.js";
import { largeList } from "./groups/large-list.js";
import { lists } from "./groups/lists.js";
import { memory } from "./groups/memory.js";
import { payouts } from "./groups/payouts.js";
import { rateLimit } from "./groups/rate-limit.js";
import { reads } from "./groups/reads.js";
import { requests } from "./groups/requests.js";
import { startUp } from "./groups/start-up.js";
import { webhooks } from "./groups/webhooks.js";
import { writes, writesWithLatency } from "./groups/writes.js";
import { machineText } from "./machine.js";
import { FULL, QUICK } from "./plan.js";
import { budgetTable, runTable } from "./tables.js";
import { inWorld } from "./world.js";

/**
 * npm run bench -- [--quick] [--only GROUP] [--bin FILE]: measures the built program next to common tools, and writes the
 * results into docs/project/performance.md. With any of these flags, it only prints them.
 */
const groups = {
  "start-up": startUp,
  lists,
  "large-list": largeList,
  formats,
  memory,
  requests,
  reads,
  journal,
  writes,
  "writes-with-latency": writesWithLatency,
  "rate-limit": rateLimit,
  payouts,
  "fleet-files": fleetFiles,
  "embedded-server": embeddedServer,
  webhooks,
  install,
  executable,
};

const { values } = parseArgs({
  options: { quick: { type: "boolean" }, only: { type: "string" }, bin: { type: "string" } },
});
const bin = resolve(values.bin ?? join(root, "bin/relayctl.js"));
const chosen = Object.entries(groups).filter(([name]) => values.only === undefined || values.only === name);
if (chosen.length === 0) throw new Error(`--only takes one of ${Object.keys(groups).join(", ")}`);

const report = await inWorld({ plan: values.quick ? QUICK : FULL, bin }, async (world) => {
  const results = [];
  for (const [name, measure] of chosen) {
    world.say(name);
    const { value, failure } = await attempted(world, () => measure(world));
    results.push(value ?? { rows: [{ what: name, failure }] });
  }
  const rows = results.flatMap(({ rows }) => rows);
  const runs = results.flatMap(({ runs = {} }) => Object.values(runs));
  return [machineText(world.tools, runs), budgetTable(rows), runTable(runs)].join("\n\n");
});

console.log(report);
if (Object.keys(values).length === 0) writeSection("docs/project/performance.md", "bench", report);

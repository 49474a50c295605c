import { attempted } from "../attempt.js";
import { serve } from "../server.js";
import { timed } from "../shell.js";
import { count } from "../words.js";

const CONCURRENCY = [1, 8, 16, 64];

/** Counts the requests that a whole fleet takes, at several concurrencies. */
export async function requests(world) {
  const { fleet } = world.plan;
  const pages = fleet / 1000;
  const what = `requests for ${count(fleet)} relayers, concurrency ${CONCURRENCY.join(", ")}`;
  const most = () => mostRequests(world, fleet);
  return { rows: [{ what, unit: "requests", atMost: pages + 2, reach: pages + 1, ...(await attempted(world, most)) }] };
}

async function mostRequests(world, fleet) {
  const counts = [];
  for (const concurrency of CONCURRENCY) {
    const server = await serve(world, "--seed", `fleet:${fleet}`);
    const line = `relayctl relayers list -o ndjson --concurrency ${concurrency}`;
    world.say(line);
    await timed(world, line, { env: server.env });
    await server.stop();
    counts.push(server.requests().length);
  }
  return Math.max(...counts);
}

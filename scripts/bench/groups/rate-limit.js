import { attempted } from "../attempt.js";
import { restLoad } from "../load.js";
import { serve } from "../server.js";
import { timed } from "../shell.js";
import { median } from "../statistics.js";
import { count } from "../words.js";
import { patchLine, withIds } from "./writes.js";

const PER_SECOND = 200;
const BURST = 300;
const TOO_MANY_REQUESTS = 429;

const LINE = patchLine(16);

/** How close many writes come to what a service allows, and how many of them it has to refuse. */
export async function rateLimit(world) {
  const { limitedPatches } = world.plan;
  const ideal = (limitedPatches - BURST) / PER_SECOND;
  const { value: times = [], failure } = await attempted(world, () => limitedTimes(world, limitedPatches));
  const figure = (of) => (failure ? { failure } : { value: median(times.map(of)) });
  const what = `${count(limitedPatches)} PATCHes where ${PER_SECOND}/s with a burst of ${BURST} are allowed`;
  return {
    runs: { limited: { line: LINE, times, failure } },
    rows: [
      {
        what: `${what}: time / the ideal ${ideal} s`,
        atMost: 1.15,
        reach: 1.05,
        ...figure(({ wall }) => wall / ideal),
        load: median(times.map(({ load }) => load)),
      },
      { what: "share of these requests refused", unit: "%", atMost: 5, reach: 2, ...figure(refusedShare) },
    ],
  };
}

/** Returns the time of each round, and the status of every request. Each round starts a server with a full allowance. */
async function limitedTimes(world, size) {
  const times = [];
  for (let round = 1; round <= world.plan.limitedRounds; round++) {
    const server = await serve(world, "--seed", `fleet:${size}`, "--rate-limit", `${PER_SECOND}/s:${BURST}`);
    const env = await withIds(world, server.env, size);
    world.say(`round ${round} of ${world.plan.limitedRounds}: ${LINE}`);
    const load = await restLoad();
    const time = await timed(world, LINE, { env });
    await server.stop();
    times.push({ ...time, load, statuses: server.requests() });
  }
  return times;
}

/** Per cent. */
function refusedShare({ statuses }) {
  return (100 * statuses.filter((status) => status === TOO_MANY_REQUESTS).length) / statuses.length;
}

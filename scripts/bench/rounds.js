import { restLoad } from "./load.js";
import { cpuOf } from "./process-cpu.js";
import { counted, timed } from "./shell.js";
import { median } from "./statistics.js";

/**
 * Runs every line once in each round, in random order, so that a machine that slows down slows all of them. First, each
 * line has to succeed and print the expected number of lines, or it is left out and its run has the reason. Before each
 * round, nothing of the bench runs for a moment, and the load of others is read.
 * @param lines by name: `line` for bash, and optionally the number of `items` it handles, of lines it `prints`, the tool it
 *   `needs`, a line to run `before` it each time, which is not measured, and the process of a `server` whose CPU counts too
 * @param options.repeat how often each line runs in a round: a clock of milliseconds is coarse for short lines
 * @returns the line by name, with its `times` and the `load` of others, or with the `failure`
 */
export async function interleaved(world, lines, { rounds, repeat = 1, env = world.env }) {
  const runs = {};
  for (const [name, given] of Object.entries(lines)) {
    world.say(`try: ${given.line}`);
    runs[name] = { ...given, times: [], failure: await failureOf(world, given, env) };
  }
  const running = Object.values(runs).filter(({ failure }) => failure === undefined);
  const loads = [];
  for (let round = 1; round <= rounds; round++) {
    loads.push(await restLoad());
    world.say(`round ${round} of ${rounds}, load ${loads.at(-1).toFixed(1)}`);
    for (const { before: prepare, line, server, times } of shuffled(running)) {
      if (prepare) await timed(world, prepare, { env });
      const before = server && cpuOf(server);
      const time = await timed(world, line, { env, repeat });
      times.push(server ? { ...time, served: (cpuOf(server) - before) / repeat } : time);
    }
  }
  for (const run of running) run.load = median(loads);
  return runs;
}

async function failureOf(world, { before, line, prints, needs }, env) {
  if (needs && world.tools[needs] === undefined) return `${needs} is not there`;
  try {
    if (before) await timed(world, before, { env });
    const printed = await counted(world, line, env);
    return prints === undefined || printed === prints ? undefined : `printed ${printed} lines and not ${prints}`;
  } catch (error) {
    world.signal.throwIfAborted();
    return error.message;
  }
}

function shuffled(things) {
  const drawn = things.map((thing) => ({ thing, lot: Math.random() }));
  return drawn.sort((one, other) => one.lot - other.lot).map(({ thing }) => thing);
}

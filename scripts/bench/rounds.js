import { counted, timed } from "./shell.js";

/**
 * Runs every line once in each round, in an order that chance gives, so that a machine that slows down slows all of them.
 * Each is tried once before: it must succeed and print as many lines as it is said to. One that does not is left out, and
 * its run tells why.
 * @param lines by name: `line` for bash, and perhaps the number of `items` it handles, of lines it `prints`, the tool it
 *   `needs`, and a line to run `before` it each time, which is not measured
 * @returns for each name what was given, with its `times`, or with the `failure`
 */
export async function interleaved(world, lines, { rounds, env = world.env }) {
  const runs = {};
  for (const [name, given] of Object.entries(lines)) {
    world.say(`try: ${given.line}`);
    runs[name] = { ...given, times: [], failure: await failureOf(world, given, env) };
  }
  const running = Object.values(runs).filter(({ failure }) => failure === undefined);
  for (let round = 1; round <= rounds; round++) {
    world.say(`round ${round} of ${rounds}`);
    for (const { before, line, times } of shuffled(running)) {
      if (before) await timed(world, before, env);
      times.push(await timed(world, line, env));
    }
  }
  return runs;
}

async function failureOf(world, { line, prints, needs }, env) {
  if (needs && world.tools[needs] === undefined) return `${needs} is not there`;
  try {
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

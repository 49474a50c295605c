import type { ModelWorld } from "./model/world.ts";

/** Milliseconds after which nothing happens any more. */
export const LONGEST = 4_000_000;
/** Turns of the event loop in which a program that waits for nothing has to find something to wait for. */
const MOST_TURNS = 1_000_000;

/** Lets time pass until a story is over. @returns what is wrong: a bug, or a program that hangs */
export async function carryOut(world: ModelWorld, story: Promise<void>, longest = LONGEST): Promise<string[]> {
  const findings: string[] = [];
  let isOver = false;
  const ending = story.then(
    () => {
      isOver = true;
    },
    (error: unknown) => {
      isOver = true;
      findings.push(`a bug: ${error instanceof Error ? error.stack : String(error)}`);
    },
  );
  while (!isOver) {
    await atRest(world);
    if (isOver) break;
    if (world.timeline.passUntilWoken(longest)) continue;
    findings.push("hangs: nothing is left that could wake the program");
    break;
  }
  if (isOver) await ending;
  return findings;
}

/** Resolves once nothing more can happen without time passing. */
async function atRest({ running }: ModelWorld): Promise<void> {
  // A tick comes once no promise is left to continue, which is all that a program does whose code is loaded.
  await new Promise<void>((resolve) => process.nextTick(resolve));
  for (let turns = 0; turns < MOST_TURNS && isComputing(running); turns++) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function isComputing(running: ModelWorld["running"]): boolean {
  for (const { waits } of running) if (waits === 0) return true;
  return false;
}

import { expect, test } from "vitest";
import { DEEP } from "../../helpers/deep.ts";
import { figure } from "../../helpers/figure.ts";
import { falseStatements } from "./claims.ts";
import { WRITING, type Writing } from "./commands.ts";
import type { Fault } from "./faulty-disk.ts";
import { beginLife } from "./real-files.ts";

/** Every so many calls one fails; in a deep run, every one. */
const STEP = DEEP ? 1 : 23;
/** More calls than any of these commands makes. */
const MOST_CALLS = 1_000;

const CODES: readonly Fault["code"][] = DEEP ? ["ENOSPC", "EDQUOT", "EIO", "EROFS", "EACCES"] : ["ENOSPC", "EIO"];
const KINDS: readonly Omit<Fault, "at">[] = [
  ...CODES.flatMap((code) => [false, true].map((isLasting) => ({ code, isLasting }))),
  { code: "ENOSPC", isLasting: false, isShort: true },
  { code: "ENOSPC", isLasting: true, isShort: true },
];

/** Runs a command once with a fault, and once more when there is room again. */
async function live({ line, files = {}, journal, after }: Writing, fault: Fault) {
  const life = beginLife(files);
  try {
    const ended = await life.run(line, fault);
    const wrong = await falseStatements(life, ended, journal);
    wrong.push(...((await after?.(life, ended)) ?? []));
    const { fault: damage } = await life.journal(journal).verify();
    if (damage && after) wrong.push(`damage: ${damage.words}`);
    return { wrong, isMet: ended.failed.length > 0 };
  } finally {
    life.end();
  }
}

test.each(WRITING)("whatever call to the disk fails, what is said is true: $line", async (writing) => {
  const wrong: string[] = [];
  let lives = 0;
  for (const kind of KINDS) {
    let isMet = true;
    for (let at = 1; isMet && at < MOST_CALLS; at += kind.isShort ? 1 : STEP) {
      const lived = await live(writing, { ...kind, at });
      ({ isMet } = lived);
      lives++;
      const name = `${kind.code} ${kind.isLasting ? "from" : "at"} ${at}${kind.isShort ? " short" : ""}`;
      wrong.push(...lived.wrong.map((what) => `${name}: ${what}`));
    }
  }
  figure("runs in which a call to the disk fails", lives);
  expect(wrong).toEqual([]);
});

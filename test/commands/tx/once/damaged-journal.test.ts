import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Journal } from "../../../../src/journal/journal.ts";
import { DEEP } from "../../../helpers/deep.ts";
import { figure } from "../../../helpers/figure.ts";
import type { MemoryJournal } from "../../../helpers/memory/journal.ts";
import { lost } from "../../../helpers/service/scripted-service.ts";
import { AT_LINES, withLines } from "../../../journal/damage/kinds.ts";
import { type Opened, opened } from "../../../journal/opened.ts";
import { LINE, payingWorld } from "../send-many/paying-world.ts";
import { isSend, KEYED, keyedWorld, PAY } from "./keyed-world.ts";

const MONTH = 31 * 24 * 3_600_000;
const KEYS = ["a", "b", "c"];
/** The quick test tries a part of the damages. */
const EVERY = 5;

/** A journal on the disk, as the worlds of these tests take one. */
const worldJournal = (journal: Journal): MemoryJournal => ({ ...journal, entries: [], synced: [], running: new Set() });

interface Damage {
  name: string;
  apply(): void;
}

/** Each damage of lines of a month or of the head, alone and together with each file beside it that is gone. */
function damagesOf({ path, file }: Opened): Damage[] {
  const names = readdirSync(path);
  const damages = names
    .filter((name) => /ndjson$|^head/.test(name))
    .flatMap((name) => {
      const before = readFileSync(file(name));
      const changes = name.endsWith("ndjson") ? Object.entries(AT_LINES) : [["cut", () => []] as const];
      const count = before.toString().trimEnd().split("\n").length;
      return changes.flatMap(([kind, change]) =>
        Array.from({ length: count }, (_, at) => ({
          name: `${kind} at line ${at} of ${name}`,
          apply: () =>
            writeFileSync(
              file(name),
              withLines(before, (lines) => change(lines, at)),
            ),
        })),
      );
    });
  const beside = ["nothing", ...names].map((gone) => ({
    name: `without ${gone}`,
    apply: () => rmSync(file(gone), { recursive: true, force: true }),
  }));
  return damages.flatMap((damage, index) =>
    beside
      .filter((_, place) => DEEP || (place === index % beside.length && index % EVERY === 0))
      .map(({ name, apply }) => ({
        name: `${damage.name}, ${name}`,
        apply() {
          damage.apply();
          apply();
        },
      })),
  );
}

/** Runs something after each damage, on a journal that is as it was before each time. */
async function afterEach(disk: Opened, use: (name: string) => Promise<void>): Promise<number> {
  const pristine = `${disk.path}-before`;
  cpSync(disk.path, pristine, { recursive: true });
  const damages = damagesOf(disk);
  for (const { name, apply } of damages) {
    apply();
    await use(name);
    rmSync(disk.path, { recursive: true });
    cpSync(pristine, disk.path, { recursive: true });
  }
  return damages.length;
}

/** Returns whether verification says as well that something is missing. */
async function isReported(disk: Opened): Promise<boolean> {
  const { fault } = await disk.journal.verify();
  return fault !== undefined && !fault.isTorn;
}

test("whatever lines of a journal of several months are damaged, no key is paid twice, and nothing is settled or undone", async () => {
  const disk = opened();
  const world = keyedWorld(worldJournal(disk.journal));
  for (const key of KEYS) {
    await world.run(KEYED.replace("payout-7", key));
    await world.run("relayers update base-hot --gas-price-cap 90gwei");
    await world.run(PAY.replace("21000", "30000"), {}, async (request, answer) => {
      if (isSend(request)) throw lost();
      return await answer();
    });
    await world.pass(MONTH);
  }
  const paid = world.accepted.length;
  let refused = 0;
  const count = await afterEach(disk, async (damage) => {
    const isDamaged = await isReported(disk);
    for (const line of [...KEYS.map((key) => KEYED.replace("payout-7", key)), "history settle", "undo --dry-run"]) {
      const { exitCode, writes } = await world.run(line);
      const where = `${damage}: ${line}`;
      expect(writes, where).toEqual([]);
      expect(exitCode === 74 ? isDamaged : true, where).toBe(true);
      if (isDamaged && !line.includes("--once")) expect(exitCode, where).toBe(74);
      refused += exitCode === 74 ? 1 : 0;
    }
  });
  expect(world.accepted).toHaveLength(paid);
  expect(refused).toBeGreaterThan(count);
  figure("commands with a damaged journal, none of which paid twice", count * 5);
});

test("whatever lines of a journal are damaged, no row is paid twice by --resume", async () => {
  const disk = opened();
  const world = payingWorld(3, worldJournal(disk.journal));
  await world.run(LINE, async (request, answer) => {
    const reply = await answer();
    if (isSend(request) && world.paid.length === 2) throw lost();
    return reply;
  });
  const before = [...world.paid];
  const count = await afterEach(disk, async (damage) => {
    const isDamaged = await isReported(disk);
    const { exitCode, writes } = await world.run(`${LINE} --resume`);
    expect(writes, damage).toEqual([]);
    expect(exitCode === 74, damage).toBe(isDamaged);
  });
  expect(world.paid).toEqual(before);
  figure("commands with a damaged journal, none of which paid twice", count);
});

test("pays without the lost lines if the context's name is typed", async () => {
  const disk = opened();
  const world = keyedWorld(worldJournal(disk.journal));
  await world.run(KEYED);
  rmSync(disk.file(readdirSync(disk.path).find((name) => name.endsWith("ndjson"))));
  const refused = await world.run(KEYED);
  expect(refused).toMatchObject({ exitCode: 74, writes: [] });
  expect(refused.stderr).toContain("the file is missing");
  expect(refused.stderr).toContain("hint: relayctl -c prod history verify");
  const accepted = `${KEYED} --even-if-journal-lost-lines`;
  const unsure = await world.run(accepted);
  expect(unsure).toMatchObject({ exitCode: 3, writes: [] });
  expect(unsure.stderr).toContain("--confirm prod");
  expect(await world.run(`${accepted} --confirm prod`)).toMatchObject({ exitCode: 0 });
  expect(world.accepted).toHaveLength(2);
});

import { cpSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Entry } from "../../../src/journal/journal.ts";
import { DEEP } from "../../helpers/deep.ts";
import { figure } from "../../helpers/figure.ts";
import { intent, outcome } from "../entries.ts";
import { type Opened, opened } from "../opened.ts";
import { AT_BYTES, AT_LINES, withLines } from "./kinds.ts";

const MONTHS = ["2026-09", "2026-10", "2026-11"];
/** The quick test damages every byte at a distance of a prime number. */
const STEP = DEEP ? 1 : 701;

/** A journal of several months, and the entries of each write. */
async function journalOf(payload: string): Promise<{ world: Opened; known: Map<string, readonly Entry[]> }> {
  const world = opened();
  const known = new Map<string, readonly Entry[]>();
  for (const month of MONTHS)
    for (const number of [1, 2]) {
      const id = `${month}-${number}`;
      const time = `${month}-05T00:00:0${number}.000Z`;
      const entries = [intent(id, { time, once: `key ${id}`, body: { payload } }), outcome(id, { time })];
      for (const entry of entries) await world.journal.append(entry);
      known.set(`key ${id}`, entries);
    }
  await world.journal.fingerprint("a secret");
  await world.journal.requireComplete();
  return { world, known };
}

/** Returns what is untrue of a journal after damage: it passes for complete and hides a payment, or it is refused without reason. */
async function lieOf({ reopen }: Opened, known: ReadonlyMap<string, readonly Entry[]>): Promise<string | undefined> {
  const journal = reopen();
  const refusal: unknown = await journal.requireComplete({ isReadOnly: true }).catch((error: unknown) => error);
  if (refusal) {
    const reported = await journal.verify().then(
      ({ fault }) => fault && !fault.isTorn,
      () => true,
    );
    return reported ? undefined : `refused, but verified: ${refusal}`;
  }
  for (const [key, entries] of known)
    if (namesOf(await journal.find(key)) !== namesOf(entries)) return `does not find ${key}`;
  return undefined;
}

const namesOf = (entries: readonly Entry[]) => entries.map(({ type, id, run }) => `${type} ${id} ${run}`).join();

function* damagesOf(world: Opened): Generator<{ name: string; file: string; bytes: Buffer }> {
  for (const file of ["head.json", "salt", ...MONTHS.map((month) => `${month}.ndjson`)]) {
    const bytes = readFileSync(world.file(file));
    const step = file === "head.json" ? Math.min(STEP, 17) : STEP;
    for (const [name, damage] of Object.entries(AT_BYTES))
      for (let at = name.length % step; at < bytes.length; at += step)
        yield { name: `${name} at byte ${at} of ${file}`, file, bytes: damage(bytes, at) };
    if (!file.endsWith("ndjson")) continue;
    for (const [name, damage] of Object.entries(AT_LINES))
      for (let at = 0; at < 4; at++)
        yield { name: `${name} at line ${at} of ${file}`, file, bytes: withLines(bytes, (lines) => damage(lines, at)) };
  }
}

test("whatever byte or line of a journal is damaged, nothing is hidden, and each refusal is true", async () => {
  const { world, known } = await journalOf("x");
  const lies: string[] = [];
  let count = 0;
  for (const { name, file, bytes } of damagesOf(world)) {
    const before = readFileSync(world.file(file));
    writeFileSync(world.file(file), bytes);
    const lie = await lieOf(world, known);
    if (lie) lies.push(`${name}: ${lie}`);
    writeFileSync(world.file(file), before);
    count++;
  }
  figure("damages of a journal, byte by byte and line by line", count);
  expect(lies).toEqual([]);
});

test("a file that is gone hides nothing that another damage took, whichever it is", async () => {
  const { world, known } = await journalOf("x");
  const pristine = `${world.path}-before`;
  cpSync(world.path, pristine, { recursive: true });
  const lies: string[] = [];
  for (const gone of ["nothing", ...readdirSync(world.path)])
    for (const file of [...MONTHS.map((month) => `${month}.ndjson`), "head.json"])
      for (const damage of [
        () => Buffer.alloc(0),
        (bytes: Buffer) => withLines(bytes, (lines) => lines.slice(0, -2)),
      ]) {
        writeFileSync(world.file(file), damage(readFileSync(world.file(file))));
        rmSync(world.file(gone), { recursive: true, force: true });
        const lie = await lieOf(world, known);
        if (lie) lies.push(`${file} without ${gone}: ${lie}`);
        rmSync(world.path, { recursive: true });
        cpSync(pristine, world.path, { recursive: true });
      }
  expect(lies).toEqual([]);
});

test("no damage of the lookup files or of their sizes hides a line", async () => {
  const { world, known } = await journalOf("x".repeat(180_000));
  const lookup = readdirSync(world.file("lookup"));
  expect(lookup.length).toBeGreaterThan(10);
  expect(world.head().files["2026-09.ndjson"].indexed).toBeGreaterThan(0);
  const lies: string[] = [];
  const files = [
    ...lookup.filter((_, index) => DEEP || index % 60 === 0).map((name) => join("lookup", name)),
    "head.json",
  ];
  for (const file of files) {
    const before = readFileSync(world.file(file));
    const places = Array.from({ length: DEEP ? 40 : 2 }, (_, index) => (index * 97 + 5) % before.length);
    for (const [name, damage] of Object.entries(AT_BYTES))
      for (const at of places) {
        writeFileSync(world.file(file), damage(before, at));
        const lie = await lieOf(world, known);
        if (lie) lies.push(`${name} at ${at} of ${file}: ${lie}`);
        writeFileSync(world.file(file), before);
      }
    rmSync(world.file(file));
    const lie = await lieOf(world, known);
    if (lie) lies.push(`without ${file}: ${lie}`);
    writeFileSync(world.file(file), before);
  }
  expect(lies).toEqual([]);
});

test("a change right after an entry shows, although the clock of the disk has not moved", async () => {
  const world = opened();
  for (let number = 0; number < 40; number++) {
    await world.journal.append(intent(`w${number}`));
    const [bytes, { mtime }] = [readFileSync(world.file()), statSync(world.file())];
    const damaged = Buffer.from(bytes);
    damaged[200] = (damaged[200] ?? 0) ^ 1;
    writeFileSync(world.file(), damaged);
    await expect(world.reopen().requireComplete({ isReadOnly: true })).rejects.toMatchObject({ failure: "io" });
    writeFileSync(world.file(), bytes);
    expect(mtime.getMilliseconds()).toBe(500);
    await world.reopen().requireComplete();
  }
});

test("a journal of version 0.1 is read once, and then known to be complete; a torn line of an earlier month hides nothing", async () => {
  const { world } = await journalOf("x");
  const { files, ...rest } = world.head();
  const old = Object.fromEntries(
    Object.entries<Record<string, unknown>>(files).map(([name, { seal: _, ...each }]) => [name, each]),
  );
  rmSync(world.file("waiting"), { recursive: true });
  const legacy = JSON.stringify({ version: 1, files: old, ...rest });
  world.write([legacy], "head.json");
  await world.reopen().requireComplete();
  expect(world.read("head.json")).toMatch(/^\{"format":2,/);
  world.add('{"v":1,"prev":"0', "2026-09.ndjson");
  await world.reopen().requireComplete({ isReadOnly: true });
  rmSync(world.file());
  await expect(world.reopen().requireComplete()).rejects.toMatchObject({ failure: "io" });
  world.write([legacy], "head.json");
  await expect(world.reopen().requireComplete()).rejects.toMatchObject({ failure: "io" });
});

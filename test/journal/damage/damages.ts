import { cpSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import type { Journal } from "../../../src/journal/journal.ts";
import { DEEP } from "../../helpers/deep.ts";
import type { MemoryJournal } from "../../helpers/memory/journal.ts";
import type { Opened } from "../opened.ts";
import { AT_LINES, withLines } from "./kinds.ts";

/** The quick tests try a part of the damages. */
const EVERY = 5;
const EVERY_BETWEEN = 47;

/** A journal on the disk, as the worlds of these tests take one. */
export const worldJournal = (journal: Journal): MemoryJournal => ({
  ...journal,
  entries: [],
  synced: [],
  running: new Set(),
});

export interface Damage {
  name: string;
  apply(): void;
}

/** Each damage of lines of a month or of the head, without and with the loss of each other file. */
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
export async function afterEach(
  disk: Opened,
  use: (name: string) => Promise<void>,
  of: (disk: Opened) => readonly Damage[] = damagesOf,
): Promise<number> {
  const pristine = `${disk.path}-before`;
  cpSync(disk.path, pristine, { recursive: true });
  const damages = of(disk);
  for (const { name, apply } of damages) {
    apply();
    await use(name);
    rmSync(disk.path, { recursive: true });
    cpSync(pristine, disk.path, { recursive: true });
  }
  return damages.length;
}

/** Returns whether verification says as well that something is missing. */
export async function isReported(disk: Opened): Promise<boolean> {
  return await disk.journal.verify().then(
    ({ fault }) => fault !== undefined && !fault.isTorn,
    () => true,
  );
}

/** Damages that several months take part in: lines and files that are in another month, and keys that were changed. */
export function damagesBetweenMonths({ path, file }: Opened): Damage[] {
  const months = readdirSync(path).filter((name) => name.endsWith("ndjson"));
  const linesOf = (name: string) => readFileSync(file(name), "utf8").trimEnd().split("\n");
  const write = (name: string, lines: readonly string[]) =>
    writeFileSync(file(name), lines.map((line) => `${line}\n`).join(""));
  const damages: Damage[] = [];
  for (const from of months) {
    const lines = linesOf(from);
    damages.push({ name: `without ${from}`, apply: () => rmSync(file(from)) });
    damages.push({ name: `${from} as another month`, apply: () => renameSync(file(from), file("2020-01.ndjson")) });
    for (const [at, line] of lines.entries()) {
      const changed = line.replace(
        /"(once|id|run|relayer_id|sha256)":"(.)/,
        (_, name, first) => `"${name}":"${first === "z" ? "y" : "z"}`,
      );
      damages.push({ name: `another key in line ${at} of ${from}`, apply: () => write(from, lines.with(at, changed)) });
      for (const to of months.filter((name) => name !== from)) {
        const others = linesOf(to);
        const place = at % (others.length + 1);
        damages.push({
          name: `line ${at} of ${from} moved to ${to}`,
          apply() {
            write(from, lines.toSpliced(at, 1));
            write(to, others.toSpliced(place, 0, line));
          },
        });
        damages.push({ name: `line ${at} of ${from} also in ${to}`, apply: () => write(to, [...others, line]) });
        damages.push({
          name: `line ${at} of ${from} exchanged with one of ${to}`,
          apply() {
            const other = others[place % others.length] ?? "";
            write(from, lines.with(at, other));
            write(to, others.with(place % others.length, line));
          },
        });
      }
    }
    for (const to of months.filter((name) => name > from)) {
      const others = linesOf(to);
      damages.push({
        name: `${from} exchanged with ${to}`,
        apply() {
          write(from, others);
          write(to, lines);
        },
      });
      damages.push({
        name: `${from} added to ${to}`,
        apply() {
          rmSync(file(from));
          write(to, [...lines, ...others]);
        },
      });
    }
  }
  return damages.filter((_, index) => DEEP || index % EVERY_BETWEEN === 0);
}

/** The head with each of its digits changed, and forms of it that other versions wrote. */
export function damagesOfHead({ file }: Opened): Damage[] {
  const text = readFileSync(file("head.json"), "utf8");
  const digits = [...text.matchAll(/[0-9]/g)].map(({ index, 0: digit }) => ({
    name: `the digit at ${index} of the head`,
    apply: () =>
      writeFileSync(file("head.json"), `${text.slice(0, index)}${(Number(digit) + 1) % 10}${text.slice(index + 1)}`),
  }));
  return digits.filter((_, index) => DEEP || index % EVERY_BETWEEN === 0);
}

/** Writes the head as version 0.1 did, which protected nothing, and removes what keeps that version out. */
export function asOldHead({ head, file, write }: Opened): void {
  const { files, lookup, sums } = head();
  const old = Object.entries<Record<string, unknown>>(files).map(([name, { seal: _, ...each }]) => [name, each]);
  rmSync(file("waiting"), { recursive: true, force: true });
  write([JSON.stringify({ version: 1, files: Object.fromEntries(old), lookup, sums })], "head.json");
}

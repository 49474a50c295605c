import { DEEP } from "../../helpers/deep.ts";
import { figure } from "../../helpers/figure.ts";
import { falseStatements } from "./claims.ts";
import type { Fault } from "./faulty-disk.ts";
import { beginLife, type Ended, type Life } from "./real-files.ts";
import type { Row } from "./row.ts";

/** More calls than any of these commands makes. */
const MOST_CALLS = 2_000;
/** The second failure makes a command clean up. */
const CUT_SHORT: Fault = { at: 1, isLasting: false, code: "ENOSPC", isShort: true };

/**
 * The program only asks whether a code is the disk's fault or the user's (`fileError`): EDQUOT is like ENOSPC, and a single ENOSPC or
 * EROFS like the EIO or EACCES of the same call. Those that last differ in what can still be read.
 */
const KINDS: readonly Omit<Fault, "at">[] = [
  { code: "ENOSPC", isLasting: false, isShort: true },
  { code: "ENOSPC", isLasting: true, isShort: true },
  ...(["EIO", "EACCES"] as const).map((code) => ({ code, isLasting: false })),
  ...(["EIO", "EACCES", "ENOSPC", "EROFS"] as const).map((code) => ({ code, isLasting: true })),
];

/** The places of the sources that changed a file, and those that asked for one. */
interface Reached {
  places: Set<string>;
  doors: Set<string>;
}

/** Tries every row with every fault, or in a short run, each command's first row with one. Returns what the rows reach. */
export function tryRows(rows: readonly Row[]): Reached {
  const reached: Reached = { places: new Set(), doors: new Set() };
  const commandOf = ({ line }: Row) => line.split(" ", 2).join(" ");
  const isFirst = (row: Row) => rows.find((each) => commandOf(each) === commandOf(row)) === row;
  test.each((DEEP ? rows : rows.filter(isFirst)).map((row, index) => [row.line, row, index] as const))(
    "whatever call to the disk fails, what is said is true: %s",
    async (_, row, index) => {
      const clean = await liveWithoutFault(row);
      add(clean.ended, reached);
      const faults = DEEP ? KINDS.map(everyCall) : [[sampleFault(clean.ended, index)]];
      const lived = { runs: 0, wrong: [] as string[] };
      for (const each of faults) await liveWith(row, clean, each, { lived, reached });
      figure("runs in which a call to the disk fails", lived.runs);
      figure("false statements, lost entries, and payments made twice in them", lived.wrong.length);
      expect(lived.wrong).toEqual([]);
    },
  );
  return reached;
}

function add({ places, doors }: Ended, reached: Reached): void {
  for (const place of places) reached.places.add(place);
  for (const door of doors) reached.doors.add(door);
}

interface Tried {
  lived: { runs: number; wrong: string[] };
  reached: Reached;
}

/** Lives once with each fault. In a deep run, the first fault that is not met is the last. */
async function liveWith(row: Row, clean: Clean, faults: Iterable<Fault>, { lived, reached }: Tried) {
  for (const fault of faults) {
    const { wrong, ended } = await live(row, clean, fault);
    add(ended, reached);
    lived.runs++;
    const name = `${fault.code} ${fault.isLasting ? "from" : "at"} ${fault.at}${fault.isShort ? " short" : ""}`;
    lived.wrong.push(...wrong.map((what) => `${name}: ${what}`));
    if (DEEP && ended.failed.length === 0) break;
  }
}

/** A run ends without its failure once it makes fewer calls. */
function* everyCall(kind: Omit<Fault, "at">): Generator<Fault> {
  for (let at = 1; at < MOST_CALLS; at++) yield { ...kind, at };
}

/** Returns a fault for a row: a short write, or for each other row another kind. */
function sampleFault(ended: Ended, number: number): Fault {
  return number % 2 === 0 ? someFault(ended, number / 2) : CUT_SHORT;
}

/** Returns one fault, with other rows of another kind, at another one of the calls that can meet it. */
function someFault({ calls, changing, writing }: Ended, index: number): Fault {
  const kind = KINDS[index % KINDS.length] as Omit<Fault, "at">;
  const most = kind.isShort ? writing : kind.code === "EIO" || kind.code === "EACCES" ? calls : changing;
  return { ...kind, at: 1 + Math.floor((((index * 7) % 19) / 19) * most) };
}

interface Clean {
  ended: Ended;
  /** The texts of the files of the row, before and afterwards. */
  before: Texts;
  after: Texts;
}

type Texts = Readonly<Record<string, string | undefined>>;

/** Lives without a fault. @throws if the row doesn't work */
async function liveWithoutFault(row: Row): Promise<Clean> {
  const life = await begin(row);
  try {
    const before = textsOf(row, life);
    const ended = await life.run(row.line);
    const wrong = await falseStatements(life, ended, row.journal);
    expect(wrong, `${row.line}: ${ended.stderr}`).toEqual([]);
    expect(ended.exitCode, `${row.line}: ${ended.stderr}`).toBe(row.ends ?? 0);
    return { ended, before, after: textsOf(row, life) };
  } finally {
    life.end();
  }
}

async function begin(row: Row): Promise<Life> {
  const life = beginLife(row);
  for (const line of row.before ?? []) {
    if (typeof line !== "string") await line(life);
    else await runBefore(life, line);
  }
  return life;
}

async function runBefore(life: Life, line: string): Promise<void> {
  const { exitCode, stderr } = await life.run(line);
  if (![0, 11, 12, 20].includes(exitCode)) throw new Error(`${line}: exit ${exitCode}: ${stderr}`);
}

async function live(row: Row, clean: Clean, fault: Fault): Promise<{ wrong: string[]; ended: Ended }> {
  const life = await begin(row);
  try {
    const ended = await life.run(row.line, fault, fault.at === 1);
    const wrong = await falseStatements(life, ended, row.journal);
    wrong.push(...wrongFiles(row, clean, textsOf(row, life), ended));
    const afterwards = row.after ? await row.after(life, ended) : await again(row, clean, life, ended);
    wrong.push(...afterwards);
    const { fault: damage } = await life.journal(row.journal).verify();
    // A line that was cut off, and counts as not written, may stay until the next entry.
    if (damage && !/the next write moves it/.test(damage.words)) wrong.push(`damage: ${damage.words}`);
    return { wrong, ended };
  } finally {
    life.end();
  }
}

/** The same line must do it, unless it is done. */
async function again(row: Row, clean: Clean, life: Life, ended: Ended): Promise<string[]> {
  const { replaces = [] } = row;
  const texts = textsOf(row, life);
  const isDone =
    ended.accepted.length > 0 || (replaces.length > 0 && replaces.every((name) => isNew(name, texts, clean)));
  const next = await life.run(row.line);
  const allowed = isDone ? (row.again ?? [clean.ended.exitCode]) : [clean.ended.exitCode];
  if (!allowed.includes(next.exitCode)) return [`again: exit ${next.exitCode}: ${next.stderr}`];
  if (isDone || next.exitCode !== clean.ended.exitCode) return [];
  const written = textsOf(row, life);
  return replaces.filter((name) => !isNew(name, written, clean)).map((name) => `again: ${name} is ${written[name]}`);
}

function isNew(name: string, texts: Texts, { after }: Clean): boolean {
  return alike(texts[name]) === alike(after[name]);
}

function wrongFiles(row: Row, { ended, before, after }: Clean, texts: Texts, ran: Ended): string[] {
  const { exitCode, stdout, stderr } = ran;
  const said = stdout + stderr;
  const isWell = exitCode === ended.exitCode;
  const replaced = (row.replaces ?? []).flatMap((name) => {
    const [text, old, fresh] = [texts[name], before[name], after[name]].map(alike);
    if (text !== old && text !== fresh) return [`${name} is neither: ${different(String(text), String(fresh))}`];
    if (isWell && text !== fresh) return [`exit ${exitCode}, and ${name} is the old one: ${said}`];
    const isSaid = new RegExp(`^(?:updated|created|applied in) .*${name}`, "m").test(said);
    return isWell || isSaid || text === old ? [] : [`exit ${exitCode}, and ${name} is new: ${said}`];
  });
  const extended = Object.entries(row.extends ?? {}).flatMap(([name, cutOff]) => {
    const [lines = [], whole = []] = [texts[name], after[name]].map(linesOf);
    const cut = lines.filter(
      (line, index) => !whole.includes(line) && !(index === lines.length - 1 && said.includes(cutOff)),
    );
    if (cut.length > 0) return [`${name} has ${cut}, exit ${exitCode}: ${said}`];
    const isSaid = !isWell || /^(?:warning|note): /m.test(stderr);
    return lines.length < whole.length && !isSaid ? [`${name} lacks lines, without a word`] : [];
  });
  return [...replaced, ...extended];
}

function linesOf(text: string | undefined): readonly string[] {
  return alike(text)?.match(/[^\n]*\n|[^\n]+/g) ?? [];
}

function different(text: string, other: string): string {
  let at = 0;
  while (at < text.length && text[at] === other[at]) at++;
  return JSON.stringify([text.slice(at - 40, at + 80), other.slice(at - 40, at + 80)]);
}

function textsOf({ replaces = [], extends: grown = {} }: Row, life: Life): Texts {
  return Object.fromEntries([...replaces, ...Object.keys(grown)].map((name) => [name, life.read(name)]));
}

/** What differs from run to run: folders, times, IDs, and digests. */
const CHANCE = /relayctl-disk-\w+|\d{4}-\d\d-\d\dT[\d:.]+Z|[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{32,}|\b[\w+/-]{43}=?/g;

function alike(text: string | undefined): string | undefined {
  return text?.replaceAll(CHANCE, "<chance>");
}

import { join } from "node:path";
import { type JournalFolder, withFolderFile } from "../folder.ts";
import { type FileHead, HEAD, type Head, hasHeadTraces, headFacts, readJournalHead } from "../head.ts";
import type { Verification } from "../journal.ts";
import { lineEntry, NO_DIGEST, previousLineDigest } from "../line.ts";
import { type FileLine, readLines } from "../read-lines.ts";

type Fault = NonNullable<Verification["fault"]>;

interface Seen {
  number: number;
  digest: string;
  /** The previous line's digest, as the line states it; undefined if another program wrote the line. */
  prev: string | undefined;
}

interface Break {
  line: Seen;
  before: Seen;
  beforeThat: Seen | undefined;
  next: Seen | undefined;
}

interface Chain {
  lines: number;
  /** The number of the line with the head's digest. */
  headAt: number | undefined;
  broken: Break | undefined;
  isTorn: boolean;
  /** Absent if the file was changed while it was read. */
  facts?: string;
}

/** Compares every line with the digest in the next line, and the last line with the head. Reads line by line. */
export async function verifyJournal(folder: JournalFolder) {
  const head = (await readJournalHead(folder))?.head;
  const months = await folder.months();
  let [files, lines] = [0, 0];
  const faults: Fault[] = [];
  const facts = new Map<string, string>();
  const known = Object.keys(head?.files ?? {}).filter((name) => (head?.files[name]?.lines ?? 0) > 0);
  for (const name of [...new Set([...months, ...known])].sort()) {
    const path = join(folder.path, name);
    const chain = await readChain(folder, name, head?.files[name]);
    if (!chain) {
      faults.push({ file: path, line: 1, what: "removed", words: "the file is missing" });
      continue;
    }
    files++;
    lines += chain.lines;
    const fault = chainFault(path, chain, head?.files[name]);
    if (fault) faults.push(fault);
    else if (chain.facts !== undefined) facts.set(name, chain.facts);
  }
  faults.push(...headFaults(folder, head));
  // An incomplete line of a killed process is not a loss, and must not hide one.
  const fault = faults.find(({ isTorn }) => !isTorn) ?? faults[0];
  return {
    found: { files, lines, ...(fault && { fault }) },
    facts,
  };
}

async function readChain(folder: JournalFolder, name: string, known: FileHead | undefined): Promise<Chain | undefined> {
  return await withFolderFile(folder, name, "read", (file) => {
    const facts = headFacts(file);
    const chain = followChain(readLines(file.descriptor, 0, file.size), known?.digest, file.path);
    return headFacts(file) === facts ? { ...chain, facts } : chain;
  });
}

function followChain(lines: Iterable<FileLine>, headDigest: string | undefined, path: string): Chain {
  const chain: Chain = { lines: 0, headAt: undefined, broken: undefined, isTorn: false };
  let before: Seen = { number: 0, digest: NO_DIGEST, prev: undefined };
  let beforeThat: Seen | undefined;
  for (const { bytes, isTooLong, isComplete, digest } of lines) {
    if (!isComplete) return { ...chain, isTorn: true };
    const prev = isTooLong ? undefined : previousLineDigest(bytes);
    if (prev === undefined && !isTooLong) lineEntry(bytes, path);
    const line = { number: ++chain.lines, digest: digest(), prev };
    if (chain.broken) chain.broken.next ??= line;
    else if (line.prev !== before.digest) chain.broken = { line, before, beforeThat, next: undefined };
    if (line.digest === headDigest) chain.headAt = line.number;
    [beforeThat, before] = [before, line];
  }
  return chain;
}

function chainFault(file: string, chain: Chain, known: FileHead | undefined): Fault | undefined {
  const { lines, headAt, broken, isTorn } = chain;
  const fault = (line: number, what: Fault["what"], words: string) => ({ file, line, what, words });
  if (broken) {
    const { number, what } = nameBreak(broken, chain, known);
    return fault(number, what, `line ${number} was ${what}`);
  }
  if (known && known.lines > lines)
    return fault(lines + 1, "removed", `${known.lines - lines} lines are missing at the end`);
  if (known && known.lines > 0 && headAt !== known.lines)
    return fault(known.lines, "changed", `line ${known.lines} was changed`);
  if (isTorn)
    return {
      ...fault(lines + 1, "added", `line ${lines + 1} is incomplete; the next write moves it to a separate file`),
      isTorn: true,
    };
  return undefined;
}

function nameBreak(
  { line, before, beforeThat, next }: Break,
  { lines, headAt }: Chain,
  known: FileHead | undefined,
): { number: number; what: Fault["what"] } {
  const { number } = line;
  // Two lines were swapped.
  if (next && line.prev === next.digest) return { number, what: "changed" };
  const isBeyondHead = known !== undefined && headAt === known.lines && number > known.lines;
  if (isBeyondHead || next?.prev === before.digest) return { number, what: "added" };
  if (line.prev === undefined) return { number, what: "changed" };
  if (beforeThat && line.prev === beforeThat.digest) return { number: number - 1, what: "added" };
  if (known && (headAt ?? lines) < known.lines) return { number, what: "removed" };
  return { number: Math.max(1, number - 1), what: "changed" };
}

function headFaults(folder: JournalFolder, head: Head | undefined): Fault[] {
  if (head ? !head.lost : !hasHeadTraces(folder)) return [];
  const words = head
    ? "was missing or damaged for a time, so lines that were removed at the end of a file cannot be found"
    : "is missing or damaged, so lines that were removed at the end of a file cannot be found";
  return [{ file: join(folder.path, HEAD), line: 0, what: "removed", words }];
}

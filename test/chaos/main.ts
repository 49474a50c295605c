import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { type Lived, live } from "./life.ts";
import { livePayouts } from "./payouts/life.ts";

/** Consecutive seeds, and findings after which a run ends. */
interface Seeds {
  first: number;
  count: number;
  mostFindings: number;
  /** Whether the lives are payments in bulk. */
  payouts: boolean;
}

interface Summary {
  lives: number;
  counts: Record<string, number>;
  /** Those with findings. */
  bad: Lived[];
}

/** Lives of one thread: few enough that all threads end together, and many enough that their code is optimized: the first thousand take twice as long as later ones. */
const CHUNK = { least: 1_000, most: 10_000, payouts: 10 };

/** So many lives are lived without threads. */
const SMALL = 250;

async function liveAll(
  { first, count, mostFindings, payouts }: Seeds,
  printLine?: (line: string) => void,
): Promise<Summary> {
  const summary: Summary = { lives: 0, counts: {}, bad: [] };
  for (let seed = first; seed < first + count && summary.bad.length < mostFindings; seed++)
    add(summary, await (payouts ? livePayouts : live)(seed, printLine));
  return summary;
}

function add(summary: Summary, lived: Lived): void {
  summary.lives++;
  addCounts(summary.counts, lived.counts);
  if (lived.findings.length > 0) summary.bad.push(lived);
}

function addCounts(counts: Record<string, number>, more: Record<string, number>): void {
  for (const [what, times] of Object.entries(more)) counts[what] = (counts[what] ?? 0) + times;
}

/** Lets threads live all lives, chunk by chunk, until too many have findings. */
async function liveInThreads(
  { first, count, mostFindings, payouts }: Seeds,
  threads: number,
  file: URL,
): Promise<Summary> {
  const total: Summary = { lives: 0, counts: {}, bad: [] };
  let next = first;
  const least = payouts ? CHUNK.payouts : CHUNK.least;
  const size = Math.min(CHUNK.most, Math.ceil(count / threads), Math.max(least, Math.ceil(count / threads / 4)));
  const chunk = (): Seeds | undefined => {
    const left = first + count - next;
    if (left <= 0 || total.bad.length >= mostFindings) return undefined;
    const seeds = { first: next, count: Math.min(size, left), mostFindings, payouts };
    next += seeds.count;
    return seeds;
  };
  const worker = async () => {
    for (let seeds = chunk(); seeds; seeds = chunk()) {
      const { lives, counts, bad } = await liveInThread(seeds, file);
      total.lives += lives;
      addCounts(total.counts, counts);
      total.bad.push(...bad);
      printFindings(bad, payouts);
    }
  };
  await Promise.all(Array.from({ length: threads }, worker));
  return total;
}

/** Lives one chunk in a thread that ends with it: programs that were killed in a life stay in its memory. */
function liveInThread(seeds: Seeds, file: URL): Promise<Summary> {
  const thread = new Worker(file, { workerData: seeds });
  return new Promise<Summary>((resolve, reject) => {
    thread.on("error", reject);
    thread.on("message", (summary: Summary) => resolve(thread.terminate().then(() => summary)));
  });
}

/** Prints findings as soon as they are known: a run can take hours. */
function printFindings(bad: readonly Lived[], payouts: boolean): void {
  for (const { seed, findings } of bad) {
    const lines = findings.map((each) => `  ${each}\n`);
    const flag = payouts ? "--payouts " : "";
    process.stdout.write(`npm run chaos -- ${flag}--seed ${seed} --runs 1\n${lines.join("")}`);
  }
}

function print({ lives, counts, bad }: Summary, { first, count, mostFindings }: Seeds): void {
  const summary = Object.entries(counts)
    .sort()
    .map(([what, times]) => `${what} ${times}`);
  const left = count - lives;
  const lines = [
    `seeds ${first} to ${first + count - 1}: ${lives} lives, ${bad.length} with findings`,
    ...(left > 0
      ? [
          `${left} lives were not lived: ${bad.length} findings are enough (--findings ${mostFindings} ends a run early)`,
        ]
      : []),
    summary.join(", "),
  ];
  process.stdout.write(`${lines.join("\n")}\n`);
  process.exitCode = left > 0 ? 3 : bad.length === 0 ? 0 : 1;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seed: { type: "string", default: "1" },
      runs: { type: "string", default: "2000" },
      threads: { type: "string", default: String(availableParallelism()) },
      findings: { type: "string", default: "10" },
      log: { type: "boolean", default: false },
      payouts: { type: "boolean", default: false },
    },
  });
  const numbers = [values.seed, values.runs, values.threads, values.findings].map(Number);
  if (!numbers.every(Number.isSafeInteger)) throw new Error("the values of options are whole numbers");
  const [first, count, threads, mostFindings] = numbers as [number, number, number, number];
  const { payouts } = values;
  const seeds = { first, count, mostFindings, payouts };
  const isSmall = count <= (payouts ? CHUNK.payouts : SMALL) || values.log;
  if (!isSmall) return print(await liveInThreads(seeds, threads, new URL(import.meta.url)), seeds);
  const summary = await liveAll(seeds, values.log ? (line) => process.stdout.write(`${line}\n`) : undefined);
  printFindings(summary.bad, payouts);
  print(summary, seeds);
}

if (isMainThread) await main();
else parentPort?.postMessage(await liveAll(workerData as Seeds));

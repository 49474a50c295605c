import { DAILY, nounOfAlias } from "../../completion/aliases.ts";
import { addToGroup } from "../../contract/group-by.ts";
import {
  appliedOf,
  type Journal,
  type RecordedWrite,
  runPrefixes,
  shortRuns,
  walkWrites,
} from "../../journal/journal.ts";
import { messageText } from "../../message.ts";
import { undoneBy } from "../../recovery/unknown-writes.ts";
import { createRestoredCheck } from "../../session/journaling/raised-caps.ts";
import { escapeText } from "../../terminal/escape.ts";
import { type Cell, type TableColumn, toCell } from "../../terminal/view.ts";
import { alignWidths } from "../../terminal/width.ts";
import { changesPaymentCoin, changesText } from "../../views/history/changes.ts";
import { historyItem } from "../../views/history/item.ts";
import { type Drawing, writeAppliedCell, writeTarget, writeWhenCell } from "../../views/history/write.ts";
import { type Filter, matchesFilter } from "./filter.ts";

interface FoundRun {
  /** Newest first. */
  writes: RecordedWrite[];
  coin: string | undefined;
  isLeft: boolean;
  undoneBy: readonly string[];
}

export async function findRuns(journal: Journal, reading: AsyncIterable<RecordedWrite>, chosen: Filter, limit: number) {
  const [runs, undos] = [new Map<string, RecordedWrite[]>(), [] as RecordedWrite[]];
  const [left, restoredOf] = [new Set<string>(), createRestoredCheck()];
  const add = (write: RecordedWrite): boolean => {
    const { run, undoes } = write.intent;
    if (restoredOf(write) === false) left.add(run);
    if (undoes !== undefined) undos.push(write);
    if (!matchesFilter(write, chosen)) return true;
    if (!runs.has(run) && runs.size === limit) return false;
    addToGroup(runs, run, write);
    return true;
  };
  let hasMore = false;
  for await (const write of reading) {
    hasMore = !add(write);
    if (hasMore) break;
  }
  if (hasMore) {
    // The rest of a run may be older than another run's first write.
    const known = new Set([...runs.values()].flat().map(({ intent }) => intent.id));
    for await (const write of walkWrites(journal, chosen.since, { runs: runPrefixes(runs.keys()) }))
      if (runs.has(write.intent.run) && !known.has(write.intent.id)) add(write);
  }
  const found = [...runs].map(async ([run, writes]) => ({
    writes,
    coin: writes[0] && (await changesPaymentCoin(journal, writes[0])),
    isLeft: left.has(run),
    undoneBy: writes.flatMap((write) => undoneBy(write, undos)?.intent.run ?? []),
  }));
  return { runs: await Promise.all(found), hasMore };
}

type ShortRun = (run: string) => string;

export async function historyRunTable(journal: Journal, runs: readonly FoundRun[], drawing: Drawing) {
  const items = runs.map(runItem);
  const short = await shortRuns(journal, [...items.map(({ run }) => run), ...runs.flatMap((each) => each.undoneBy)]);
  const applied = new Map(runs.map((each, index) => [items[index]?.run, appliedTo(each, drawing, short)]));
  const rows = items.map(({ command, target, what }) => [command, target, what].map(escapeText));
  const [header = "", ...texts] = alignWidths([["command", "target", "what"], ...rows], "").map(messageText);
  const changes = new Map(items.map(({ run }, index) => [run, { text: texts[index] ?? "" }]));
  const table: TableColumn<ReturnType<typeof runItem>>[] = [
    { header: "when", cell: ({ time }) => writeWhenCell(time, drawing), whole: true },
    { header: "run", cell: ({ run }) => ({ text: short(run) }), whole: true, worth: "always" },
    { header: "who", cell: ({ user }) => toCell(user), most: 20, worth: 1 },
    { header, cell: ({ run }) => changes.get(run) ?? toCell(null), whole: true, isBelow: true },
    { header: "applied", cell: ({ run }) => applied.get(run) ?? toCell(null), whole: true, worth: "always" },
  ];
  return { items, table };
}

function runItem({ writes, coin }: FoundRun) {
  const oldest = [...writes].reverse();
  const items = oldest.map((write) => historyItem(write));
  const { run = "", time = "", context = null, user = null, command = "", operation = "" } = items[0] ?? {};
  const targets = [...new Set(items.map(writeTarget))];
  const nouns = items.map((item) => (item.relayer_id === null ? item.operation.split(".")[0] : "relayers"));
  const [noun = "", ...others] = new Set(nouns);
  const many = `${targets.length} ${others.length === 0 ? noun : "resources"}`;
  return {
    time,
    run,
    context,
    user,
    command: verbTyped(String(command), operation),
    target: targets.length === 1 ? (targets[0] ?? "") : many,
    what: changesText(oldest, coin),
  };
}

const NOUNS = ["relayers", "tx", "notifications", "networks", "plugins", "signers", "history"];
const ALONE = ["apply", "undo", "api", ...DAILY.keys()];

function verbTyped(command: string, operation: string): string {
  const typed = command.split(" ").slice(1);
  const words = typed.filter((word, index) => !word.startsWith("-") && !VALUED.test(typed[index - 1] ?? ""));
  const start = words.findIndex((word) => NOUNS.includes(nounOfAlias(word)) || ALONE.includes(word));
  const [first, second = ""] = words.slice(start);
  if (start < 0 || first === undefined) return operation.replace(".", " ");
  return ALONE.includes(first) || !/^[a-z-]+$/.test(second) ? first : `${first} ${second}`;
}

const VALUED = /^-(?:c|o|-context|-server|-output|-token-file)$/;

/** Returns the outcome of a run: `✓ 20`, `✓ 4, 1 refused`, `✓ undone by fe163d90`. */
function appliedTo({ writes, isLeft, undoneBy: undone }: FoundRun, drawing: Drawing, short: ShortRun): Cell {
  const count = { yes: 0, no: 0, unknown: 0 };
  for (const write of writes) count[appliedOf(write)]++;
  const worst = count.unknown > 0 ? "unknown" : count.yes > 0 ? "yes" : "no";
  const drawn = writeAppliedCell({ applied: worst, restored: isLeft ? false : null }, drawing);
  const sign = drawn.text.slice(0, drawn.text.indexOf(" ") + 1);
  const [undo, ...others] = new Set(undone);
  const isAll = others.length === 0 && undone.length === count.yes + count.unknown;
  if (undo !== undefined && isAll) return { ...drawn, text: `${sign}undone by ${short(undo)}` };
  if (writes.length === 1 || isLeft) return drawn;
  const isRefused = writes.every(({ outcome }) => outcome?.applied !== "no" || outcome.status !== undefined);
  const parts = [
    [count.yes, ""],
    [count.no, isRefused ? " refused" : " not applied"],
    [count.unknown, " unknown"],
    [undone.length, " undone"],
  ] as const;
  const texts = parts.flatMap(([number, word]) => (number > 0 ? [`${number}${word}`] : []));
  return { ...drawn, text: sign + texts.join(", ") };
}

import { type JsonObject, writeJson } from "../../contract/json.ts";
import { type Journal, shortRuns, walkWrites, writesOf } from "../../journal/journal.ts";
import { createRestoredCheck } from "../../session/journaling/raised-caps.ts";
import { onePageView, type Page, type ResourceView, type View, viewContextColumn } from "../../terminal/view.ts";
import { type HistoryItem, historyItem } from "../../views/history/item.ts";
import { historyView, historyWriteView } from "../../views/history/write.ts";
import { type Call, type CommandSyntax, commandNumberFlag, createCommand, type ParsedFlags } from "../command.ts";
import { defineHistoryFilter, type Filter, historyFilter, matchesFilter } from "./filter.ts";
import { type OpenHistory, openContextHistory, openWholeHistory } from "./open.ts";

type Flags = ParsedFlags<typeof defineHistoryList>;

interface Typed {
  filter: Omit<Filter, "servers">;
  limit: number;
}

/** The default of `--limit` for a table. */
const SHOWN = 50;
const PAGE = 200;

export const historyList = createCommand({
  summary: "List the recorded writes, newest first",
  sends: "journal",
  variables: ["RELAYCTL_JOURNAL"],
  examples: [
    "relayctl history list --since 24h",
    "relayctl history list --relayer eth-main-1 --operation relayers.update",
    "relayctl history list --applied unknown -o json",
  ],
  resource: historyView,
  contexts: { itself: true, oneOnly: ["allContexts"] },
  description:
    "List the writes that were made with relayctl from this machine, from the journal: newest first, and only those to the selected context's service. Sends nothing and needs no token.",
  define: defineHistoryList,
  async prepare(call, problems) {
    const { flags, common } = call;
    if (flags.allContexts && common.context !== undefined)
      problems.add("--all-contexts", "cannot be combined with --context");
    const limit = commandNumberFlag(problems, "--limit", flags.limit, 1);
    const filter = historyFilter(flags, problems, call.app.clock.now());
    return { filter, limit: limit ?? (isTable(call) ? SHOWN : Number.POSITIVE_INFINITY) };
  },
  run: runHistoryList,
});

function defineHistoryList(command: CommandSyntax) {
  return command
    .include(defineHistoryFilter)
    .option("--all-contexts", "Show the writes of every context in the journal")
    .option("--limit <n>", `Show at most this many (default: ${SHOWN} in a table, all in other formats)`);
}

function isTable({ app, output: { format, query } }: Call): boolean {
  return format === "table" || (format === undefined && query === undefined && app.stdout.isTerminal);
}

async function runHistoryList(call: Call<Flags>, { filter, limit }: Typed): Promise<View> {
  const { app, flags, common, output } = call;
  const { journal, servers, name } = await openHistoryToList(call);
  let shortened = (run: string) => run;
  const drawing = { now: app.clock.now(), isTerminal: app.stdout.isTerminal };
  const chosen = { ...filter, servers };
  const isChosen = Object.values(filter).some((value) => value !== undefined) || flags.tx !== undefined;
  const shared = {
    kind: "list" as const,
    where: name,
    inOrder: true as const,
    nothing: `no writes${isChosen ? " match" : ""} in the journal${servers === undefined && !common.demo ? "" : ` of ${name}`}`,
  };
  const ending = async (hasMore: boolean, many: string) =>
    hasMore && flags.limit === undefined
      ? { notes: [`only the newest ${SHOWN} ${many} are shown; --limit shows more`] }
      : {};
  const inContexts = <T extends JsonObject>(resource: ResourceView<T>) =>
    call.contexts ? { ...resource, table: [viewContextColumn<T>(), ...resource.table] } : resource;
  const isPlain = output.fields === undefined && !output.where?.length && output.sort === undefined;
  if (drawing.isTerminal && output.format === undefined && output.query === undefined && isPlain) {
    const { findRuns, historyRunTable } = await import("./runs.ts");
    const { runs, hasMore } = await findRuns(journal, writesIn(journal, flags.tx, filter.since), chosen, limit);
    const { items, table } = await historyRunTable(journal, runs, drawing);
    const resource = { one: "run", many: "runs", id: "run", table, flat: [], fields: [], block: () => [] };
    return {
      ...shared,
      resource: inContexts(resource),
      pages: onePageView(items),
      ending: () => ending(hasMore, "runs"),
    };
  }
  const runs = new Set<string>();
  let hasMore = false;
  const pages = async function* (): AsyncGenerator<Page> {
    let items: HistoryItem[] = [];
    let count = 0;
    const restoredOf = createRestoredCheck();
    for await (const write of writesIn(journal, flags.tx, filter.since)) {
      const restored = restoredOf(write);
      if (!matchesFilter(write, chosen)) continue;
      hasMore = count === limit;
      if (hasMore) break;
      count++;
      items.push(historyItem(write, restored));
      runs.add(write.intent.run);
      if (items.length < PAGE) continue;
      yield buildPage(items);
      items = [];
    }
    if (drawing.isTerminal) shortened = await shortRuns(journal, runs);
    yield buildPage(items);
  };
  return {
    ...shared,
    resource: inContexts(historyWriteView(drawing, (run) => shortened(run))),
    pages: pages(),
    ending: () => ending(hasMore, "writes"),
  };
}

async function openHistoryToList(call: Call<Flags>): Promise<Omit<OpenHistory, "server"> & Pick<Filter, "servers">> {
  if (call.flags.allContexts)
    return { journal: await openWholeHistory(call), servers: undefined, name: "all contexts" };
  const [name, ...others] = call.contexts ?? [];
  const among = { said: new Set<string>() };
  const { server, ...first } = await openContextHistory(name === undefined ? call : call.inContext(name, among));
  const more = [];
  for (const other of others) more.push((await openContextHistory(call.inContext(other, among))).server);
  const servers = [server, ...more].filter((each) => each !== undefined);
  return { ...first, name: [first.name, ...others].join(", "), servers: server === undefined ? undefined : servers };
}

async function* writesIn(journal: Journal, transaction: string | undefined, since: number | undefined) {
  if (transaction === undefined) yield* walkWrites(journal, since);
  else yield* writesOf(await journal.find(transaction)).reverse();
}

function buildPage(items: readonly HistoryItem[]): Page {
  return { items, total: undefined, body: new TextEncoder().encode(writeJson([...items])) };
}

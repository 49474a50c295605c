import { type BulkCounts, runAll } from "../../client/bulk/run-all.ts";
import type { AskedInContext, Call, ConcurrentContexts } from "../../command-support/call.ts";
import { messageWriter } from "../../command-support/printing.ts";
import { whyNoPrompt } from "../../command-support/prompting/prompts.ts";
import { withoutConsent } from "../../command-support/repeated-command.ts";
import { groupDigits } from "../../contract/decimal.ts";
import { isJsonObject, type JsonObject, type JsonValue, withLastJsonMember } from "../../contract/json.ts";
import { cancelError, type RelayctlError, rescue, unconfirmedError, unsentError } from "../../errors.ts";
import { userShell } from "../../shell/shell-words.ts";
import {
  type BlockLine,
  type Ending,
  type FactsView,
  type ListView,
  type OneView,
  onePageView,
  type Page,
  type View,
} from "../../terminal/view.ts";
import { promText } from "../../views/relayer-status/prom-text.ts";
import { nextCommand } from "../next-command.ts";
import { loadViewLinks } from "../print.ts";
import { requestSendsWrites } from "../request-flags.ts";
import { withRunUndo } from "../run-undo.ts";
import { type ContextRun, createEndings, type Endings, type InContext } from "./endings.ts";
import { resourceOfContexts } from "./resource.ts";

const AT_ONCE = 4;

export async function runInContexts(run: Omit<ContextRun, "atOnce">): Promise<View> {
  const { call, names, file, prepared, explain } = run;
  if (file.contexts?.itself) return await file.run({ ...call, contexts: names }, prepared);
  const { interrupt } = call.app;
  const writes = requestSendsWrites(file.sends);
  const atOnce = writes ? names.length : AT_ONCE;
  const consent = writes ? createConsent(call, names) : undefined;
  const among: ConcurrentContexts = { said: new Set(), ...(consent && { agree: consent.agree }) };
  const counting = countInContexts(call);
  const calls = new Map(names.map((name) => [name, { ...callIn(call, name, among, writes), count: counting() }]));
  if (writes) await openInTurn(calls);
  const jobs = [...calls].map(([name, own]) => ({
    id: name,
    run: async () => {
      const ended = await viewOrError(async () =>
        withRunUndo(await loadViewLinks(await file.run(own, prepared), own, file), own),
      );
      consent?.ended(name, "error" in ended ? ended.error : undefined);
      return ended;
    },
  }));
  const completed = await runAll(jobs, { concurrency: atOnce, interrupt }).done;
  const errors = completed.flatMap(({ value }) => (value && "error" in value ? [value.error] : []));
  // Ctrl-C at the question ends the command, not the signal.
  const refusals = interrupt.aborted ? ["declined"] : ["declined", "interrupted"];
  const refusal = errors.find(({ failure }) => refusals.includes(failure));
  if (refusal) throw refusal;
  const views = completed.flatMap(({ id, value }) =>
    value && "view" in value ? [{ name: id, view: value.view }] : [],
  );
  const explained = async (name: string, error: RelayctlError) => {
    const own = calls.get(name) ?? call;
    const known = await explain(own, error);
    return known.with({ hint: await nextCommand(known, own.argv, own.common, userShell(own.app.env)) });
  };
  const endings = createEndings({ names, views, interrupt, writes, explain: explained });
  for (const { id, value } of completed) if (value && "error" in value) endings.failed(id, value.error);
  return await joinViews(views, { ...run, atOnce }, endings);
}

/** Opens the sessions of writes in turn, since each may prompt for a reason. */
async function openInTurn(calls: ReadonlyMap<string, Call>): Promise<void> {
  for (const call of calls.values()) {
    const ended = await viewOrError(async () => {
      await call.session();
      return { kind: "nothing" };
    });
    if ("error" in ended && ["usage", "declined", "interrupted"].includes(ended.error.failure)) throw ended.error;
  }
}

async function viewOrError(act: () => Promise<View>): Promise<{ view: View } | { error: RelayctlError }> {
  const viewing = async () => ({ view: await act() });
  return await rescue(viewing(), (error) => ({ error }));
}

function callIn(call: Call, name: string, among: ConcurrentContexts, writes: boolean): Call {
  const own = call.inContext(name, among);
  if (writes) return own;
  const { where, fields, sort, ...output } = own.output;
  const others = fields?.split(",").filter((field) => field.trim() !== "context");
  return {
    ...own,
    output: {
      ...output,
      where: where?.filter((condition) => !/^\s*!?\s*context(?![\w.-])/.test(condition)),
      fields: others?.join(",") || undefined,
      sort: sort?.replace(/^-/, "") === "context" ? undefined : sort,
    },
  };
}

type Views = readonly InContext<View>[];

async function joinViews(views: Views, run: ContextRun, endings: ReturnType<typeof createEndings>): Promise<View> {
  const lists = views.filter((each): each is InContext<ListView | OneView> => ["list", "one"].includes(each.view.kind));
  const [first, ...more] = lists;
  if (first) return joinLists([first, ...more], run, endings);
  const facts = views.filter((each): each is InContext<FactsView> => each.view.kind === "facts");
  const ending = await endings.all();
  if (facts.length > 0) return joinFacts(facts, ending);
  if (ending.failure && views.every(({ view }) => view.kind === "nothing")) throw ending.failure;
  return joinTexts(views, run, ending);
}

function joinFacts(sources: readonly InContext<FactsView>[], ending: Ending): FactsView {
  const [first] = sources;
  const lists = first?.view.lists;
  return {
    kind: "facts",
    lines: sources.flatMap(({ name, view }): BlockLine[] => [
      { label: "context", value: { text: name } },
      ...view.lines,
    ]),
    ...(first?.view.screen && {
      screen: sources.flatMap(({ name, view: { screen = [] } }) => [{ heading: name }, ...screen]),
    }),
    value: lists
      ? Object.fromEntries(lists.map((list) => [list, sources.flatMap((source) => listItems(source, list))]))
      : sources.flatMap(({ name, view }) => itemsIn(view.value, name)),
    ...ending,
  };
}

function listItems({ name, view: { value } }: InContext<FactsView>, list: string): JsonObject[] {
  const items = isJsonObject(value) ? value[list] : [];
  return Array.isArray(items) ? items.flatMap((item) => itemsIn(item, name)) : [];
}

/** Returns each object with its context, and any other value as a member `value` next to it. */
function itemsIn(value: JsonValue, name: string): JsonObject[] {
  return (Array.isArray(value) ? value : [value]).map((item) =>
    withLastJsonMember(isJsonObject(item) ? item : { value: item }, "context", name),
  );
}

function joinTexts(views: readonly InContext<View>[], { call, names }: ContextRun, ending: Ending): View {
  const texts = views.flatMap(({ name, view }) => {
    if (view.kind === "text") return { name, text: view.text };
    return view.kind === "body" ? { name, text: new TextDecoder().decode(view.body) } : [];
  });
  if (texts.length === 0) return { kind: "nothing" };
  const text =
    call.output.format === "prom"
      ? mergeMetrics(
          names.map((name) => texts.find((each) => each.name === name)?.text ?? promText(undefined, { context: name })),
        )
      : texts.map((each) => `# ${each.name}\n${each.text.trimEnd()}\n`).join("\n");
  return { kind: "body", body: new TextEncoder().encode(text), ...ending };
}

/** Returns the samples of all texts' metrics: a name may only have one group of lines. */
function mergeMetrics(texts: readonly string[]): string {
  const families = new Map<string, { comments: Set<string>; samples: Set<string> }>();
  for (const line of texts.flatMap((text) => text.split("\n"))) {
    if (line === "") continue;
    const [, name = ""] = /^(?:# (?:HELP|TYPE) )?([a-z0-9_]+)/.exec(line) ?? [];
    const family = families.get(name) ?? { comments: new Set(), samples: new Set() };
    families.set(name, family);
    (line.startsWith("#") ? family.comments : family.samples).add(line);
  }
  return [...families.values()]
    .flatMap(({ comments, samples }) => [...comments, ...samples].map((line) => `${line}\n`))
    .join("");
}

/** Returns a function per context that counts its operations, and shows their sum. */
export function countInContexts({ count }: Pick<Call, "count">): () => Call["count"] {
  const all = new Set<BulkCounts>();
  const open = new Set<BulkCounts>();
  const addUp = (member: "of" | "done" | "failed") => [...all].reduce((sum, counts) => sum + counts[member], 0);
  return () => {
    let own: BulkCounts | undefined;
    return (counts) => {
      if (own) open.delete(own);
      own = counts;
      if (counts) {
        all.add(counts);
        open.add(counts);
      }
      const [first] = all;
      // The counts keep changing, so they are added up when they are drawn.
      const sum = first && {
        ...first,
        get of() {
          return addUp("of");
        },
        get done() {
          return addUp("done");
        },
        get failed() {
          return addUp("failed");
        },
      };
      count(open.size === 0 ? undefined : sum);
    };
  };
}

function joinLists(
  sources: readonly [InContext<ListView | OneView>, ...InContext<ListView | OneView>[]],
  { call, atOnce }: ContextRun,
  endings: Endings,
): ListView {
  const [{ view: first }] = sources;
  const bounds = {
    ...{ atOnce, interrupt: call.app.interrupt },
    failed: (...end: Parameters<typeof endings.failed>) => {
      endings.failed(...end);
      const left = sources.filter(({ name }) => !endings.hasFailed(name));
      view.where = left.map(({ name }) => name).join(", ");
      // If none could be read, the failure says so.
      if (left.length === 0) view.nothing = null;
    },
  };
  const lists = sources.map(({ name, view }) => ({
    name,
    pages: view.kind === "one" ? onePageView([view.value], view.body) : view.pages,
  }));
  const [resource, ...others] = sources.map(({ name, view }) => ({
    ...{ name, resource: view.resource },
    flags: (view.kind === "list" && view.flags) || ["-c", name],
  }));
  const empty = sources.flatMap(({ name, view }) =>
    view.kind === "list" && view.nothing !== undefined ? [{ name, text: view.nothing }] : [],
  );
  const view: ListView = {
    kind: "list",
    resource: resource ? resourceOfContexts([resource, ...others]) : first.resource,
    pages: isStreamed(call) ? pagesAsRead(lists, bounds) : pagesInOrder(lists, bounds, enoughOf(call)),
    where: sources.map(({ name }) => name).join(", "),
    flags: ["-c", call.common.context ?? ""],
    inContexts: true,
    ...((first.kind === "one" || first.inOrder) && { inOrder: true }),
    ...(first.kind === "list" && first.chosen && { chosen: true }),
    ...(sources.every((each) => each.view.isChange) && { isChange: true }),
    ...(empty.length > 0 && { nothing: nothingText(empty) }),
    ending: endings.all,
  };
  return view;
}

function nothingText(empty: readonly { name: string; text: string | null }[]): string | null {
  const texts = empty.flatMap(({ name, text }) => (text === null ? [] : `${name}: ${text}`));
  return texts.length === 0 ? null : texts.join("; ");
}

/** The consent to the writes of several contexts, requested once all of them know their targets. */
interface Consent {
  /** Resolves to whether the user was prompted. @throws RelayctlError declined; interrupted */
  agree(name: string, asked: AskedInContext): Promise<boolean>;
  ended(name: string, error: RelayctlError | undefined): void;
}

function createConsent(call: Call, names: readonly string[]): Consent {
  const asked = new Map<string, AskedInContext>();
  const unread = new Map<string, RelayctlError>();
  const arrived = new Set<string>();
  let decide: (decision: Promise<boolean>) => void = () => {};
  const decision = new Promise<boolean>((resolve) => {
    decide = resolve;
  });
  const arrive = (name: string) => {
    const isNew = !arrived.has(name);
    arrived.add(name);
    if (isNew && arrived.size === names.length) decide(askContexts(call, { asked, unread, names }));
  };
  // A context that ended before its question does not wait for it.
  decision.catch(() => {});
  return {
    async agree(name, question) {
      asked.set(name, question);
      arrive(name);
      return await question.session.pausing(decision);
    },
    ended(name, error) {
      if (error && !asked.has(name)) unread.set(name, error);
      arrive(name);
    },
  };
}

interface Asked {
  asked: ReadonlyMap<string, AskedInContext>;
  /** The contexts whose relayers could not be read. */
  unread: ReadonlyMap<string, RelayctlError>;
  names: readonly string[];
}

async function askContexts(call: Call, { asked, unread, names }: Asked): Promise<boolean> {
  const { app, common, argv } = call;
  if (app.interrupt.aborted) throw cancelError("interrupted");
  const contexts = names.flatMap((name) => asked.get(name) ?? []);
  if (!contexts.some(({ isNeeded }) => isNeeded)) return false;
  const count = contexts.reduce((sum, each) => sum + each.count, 0);
  const guarded = contexts.flatMap(({ session }) => (session.protected ? session.name : []));
  const relayers = count === 1 ? "1 relayer" : `${groupDigits(count)} relayers`;
  const [{ verb } = { verb: "change" }] = contexts;
  const targets = `${relayers} in ${names.filter((name) => asked.has(name)).join(", ")}`;
  const missing = [...unread].map(([name, error]) => `${name} could not be read, and stays as it is: ${error.message}`);
  if (isConfirmed(common.confirm, count, guarded)) return false;
  const why = common.confirm === undefined ? whyNoPrompt(app, common) : "--confirm does not match";
  if (why !== undefined) {
    throw unsentError("declined", `${verb.replace(/e$/, "ing")} ${targets} requires confirmation, and ${why}`, {
      because: missing,
      repeat: { argv: withoutConsent(argv), added: ["--confirm", [String(count), ...guarded].join(",")] },
    });
  }
  const say = messageWriter(app, { color: common.color }, () => guarded[0]);
  for (const line of [...contexts.flatMap(({ lines }) => lines), ...missing]) await say(line);
  const prompts = await app.prompts({ color: common.color });
  const questions = [
    [`${verb.charAt(0).toUpperCase()}${verb.slice(1)} ${targets}?`, String(count)],
    ...guarded.map((name) => [`Context ${name} is protected.`, name]),
  ];
  for (const [question = "", word = ""] of questions) {
    const typed = await prompts.text(`${question} Type "${word}" to confirm:`, { isConsent: true });
    if (typed !== word) throw unconfirmedError(typed, word);
  }
  return true;
}

function isConfirmed(given: string | undefined, count: number, guarded: readonly string[]): boolean {
  const [number = "", ...names] = given?.split(",").map((word) => word.trim()) ?? [];
  const isNumber = number === String(count) || number === (count === 1 ? "1 relayer" : `${count} relayers`);
  return isNumber && names.length === guarded.length && guarded.every((name) => names.includes(name));
}

interface PagesInContext {
  name: string;
  pages: AsyncIterable<Page>;
}

interface PageBounds {
  atOnce: number;
  interrupt: AbortSignal;
  failed(name: string, error: RelayctlError): void;
}

/** A page takes about this many times the bytes of its response. */
const BUILT = 3;

/** Reads in parallel, but yields by context, nothing of a failed list. @param enough items for no further page */
async function* pagesInOrder(
  sources: readonly PagesInContext[],
  { atOnce, interrupt, failed }: PageBounds,
  enough: number,
): AsyncGenerator<Page> {
  const read = async ({ name, pages }: PagesInContext): Promise<{ name: string; page: Page }[]> => {
    // All of the lists are held at the same time.
    const first = firstPages(pages, sources.length * BUILT, enough);
    return (await rescue(first, (error) => void failed(name, error)))?.map((page) => ({ name, page })) ?? [];
  };
  const jobs = sources.map((source) => ({ id: source.name, run: () => read(source) }));
  const lists = (await runAll(jobs, { concurrency: atOnce, interrupt }).done).map(({ value = [] }) => value);
  const totals = lists.map((pages) => pages.at(-1)?.page.total ?? countItems(pages.map(({ page }) => page)));
  const total = totals.reduce((sum, count) => sum + count, 0);
  for (const pages of lists)
    for (let next = pages.shift(); next; next = pages.shift()) yield inContext(next.name, next.page, total);
}

async function firstPages(pages: AsyncIterable<Page>, times: number, enough: number): Promise<Page[]> {
  const read: Page[] = [];
  let items = 0;
  for await (const page of pages) {
    read.push(page);
    items += countItems([page]);
    if (items >= enough) break;
    page.keep?.(times * page.body.length);
  }
  return read;
}

function countItems(pages: readonly Page[]): number {
  return pages.reduce((count, page) => count + (page.found ?? page.items).length, 0);
}

function inContext(name: string, page: Page, total?: number): Page {
  const { found, body } = page;
  return {
    get items() {
      return page.items;
    },
    ...(found && { found }),
    ...{ body, total, context: name },
  };
}

async function* pagesAsRead(sources: readonly PagesInContext[], { atOnce, failed }: PageBounds): AsyncGenerator<Page> {
  const waiting = sources.map(({ name, pages }) => ({ name, iterator: pages[Symbol.asyncIterator]() }));
  type Reader = (typeof waiting)[number];
  const reading = new Map<Reader, Promise<{ reader: Reader; page?: Page }>>();
  const next = (reader: Reader) =>
    reading.set(
      reader,
      rescue(reader.iterator.next(), (error) => void failed(reader.name, error)).then((next) =>
        next && !next.done ? { reader, page: next.value } : { reader },
      ),
    );
  try {
    for (;;) {
      for (const reader of waiting.splice(0, atOnce - reading.size)) next(reader);
      if (reading.size === 0) return;
      const { reader, page } = await Promise.race(reading.values());
      reading.delete(reader);
      if (!page) continue;
      next(reader);
      yield inContext(reader.name, page);
    }
  } finally {
    for (const { iterator } of [...reading.keys(), ...waiting]) iterator.return?.()?.catch(() => {});
  }
}

/** Returns how many items of each list are enough to print the first of all. */
function enoughOf({ output: { where = [], sort, limit } }: Pick<Call, "output">): number {
  return limit === undefined || where.length > 0 || sort !== undefined ? Number.POSITIVE_INFINITY : limit;
}

function isStreamed({ output: { format, query, sort, limit } }: Pick<Call, "output">): boolean {
  return format === "ndjson" && query === undefined && sort === undefined && limit === undefined;
}

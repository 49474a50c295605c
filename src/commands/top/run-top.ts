import type { App } from "../../app.ts";
import { loadLinks } from "../../command-support/links.ts";
import { endedByCtrlC } from "../../command-support/live.ts";
import { printerOf } from "../../command-support/printing.ts";
import { currencyOf, formatAmount } from "../../contract/amount.ts";
import { ifReadable, interruptedError, type RelayctlError } from "../../errors.ts";
import { messageText } from "../../message.ts";
import type { Session } from "../../session/session.ts";
import { commandLine } from "../../shell/shell-words.ts";
import { showsAscii } from "../../terminal/ascii.ts";
import { createFullScreen, type FullScreen } from "../../terminal/full-screen.ts";
import type { Keyboard } from "../../terminal/keyboard.ts";
import type { Output } from "../../terminal/streams/output.ts";
import { createStyle } from "../../terminal/style.ts";
import { textWithoutColors } from "../../terminal/text/cut.ts";
import type { View } from "../../terminal/view.ts";
import type { Call } from "../command.ts";
import { costPeriodsStart, countCosts, readCosts, transactionsWithCosts } from "../history/costs.ts";
import { readsStatus } from "../relayers/status/status-reads.ts";
import { drawTop, topRowsInView } from "./draw.ts";
import { createTopReader, emptyTopSource, type FleetReader } from "./read-details.ts";
import { reduceTop } from "./reduce.ts";
import {
  type Dispatch,
  readTopNewest,
  seenTopRelayer,
  type TopEffect,
  type TopEvent,
  type TopState,
  type TopTarget,
  topQueueFirst,
} from "./state.ts";

/** The newest transactions whose cost is read when a relayer opens, with several requests each. */
const MOST_COSTS = 50;

async function readSpentLines(
  call: Pick<Call, "app" | "say">,
  session: Session,
  { relayerId, symbol }: { relayerId: string; symbol: string | undefined },
): Promise<string[]> {
  const now = call.app.clock.now();
  const journal = await session.journal();
  if (!journal) return [];
  const { transactions } = await transactionsWithCosts(journal, session.origin, costPeriodsStart(now));
  const own = transactions.filter((sent) => sent.relayerId === relayerId);
  if (own.length === 0) return ["  no transactions sent from this machine today"];
  const quiet = { ...session, client: session.inBulk({ retries: 0 }) };
  const done = await readCosts({ call, session: quiet, journal }, own.slice(0, MOST_COSTS), 1);
  const [costs] = countCosts(own, done, { now }).costs;
  const rows = Object.entries({ "today (UTC)": costs?.today, "last hour": costs?.lastHour }).map(([name, spent]) => {
    const { sent = 0, transactions: counted = 0, value = 0n, fees = 0n } = spent ?? {};
    const [moved, paid] = [value, fees].map((sum) => formatAmount(sum, currencyOf("evm", symbol)));
    return `    ${name.padEnd(12)} ${moved}, fees ${paid}, ${sent} sent${sent > counted ? `, ${sent - counted} not counted` : ""}`;
  });
  return ["  spent, as this machine knows from its journal", ...rows];
}

interface Following {
  contexts: readonly Opened[];
  state(): TopState;
  dispatch: Dispatch;
  /** Milliseconds between two reads of the open relayer's transactions. */
  every: number;
  ended: AbortSignal;
}

/** The links that are kept: a page's links are learned again with each read. */
const MOST_WORDS = 2_000;

/** Reads open pages: transactions repeatedly, and the rest once, as its command prints it. */
export function followTopPages({ contexts, state, dispatch, every, ended }: Following) {
  const say = (text: string) => dispatch({ type: "said", text });
  const using = async <T>({ context }: TopTarget, read: (opened: Following["contexts"][number]) => Promise<T>) => {
    const found = contexts.find(({ session }) => session.name === context);
    return found && (await ifReadable(read(found), undefined, ({ message }) => say(`no response: ${message}`)));
  };
  const readTransactions = (target: TopTarget) =>
    using(target, async ({ own, session }) => {
      const transactions = topQueueFirst(await readTopNewest(session, target.relayerId));
      const { words } = own.app.links;
      if (words.size > MOST_WORDS) words.clear();
      await loadLinks(own, transactions, { mayRead: true });
      dispatch({ type: "transactions", target, transactions });
    });
  const readSpent = (target: TopTarget) =>
    using(target, ({ own: { app }, session }) =>
      readSpentLines({ app, say: async (line) => say(messageText(line)) }, session, {
        relayerId: target.relayerId,
        symbol: seenTopRelayer(state(), target).symbol,
      }),
    );
  const capture = async (target: TopTarget, words: readonly string[]) =>
    (await using(target, ({ own, session }) => captureLines(own, [...session.flags, ...words], state().columns))) ?? [];
  return {
    async open({ kind, target }: Extract<TopEffect, { kind: "open" }>["page"]): Promise<void> {
      const { relayerId, transactionId = "" } = target;
      if (kind === "transaction") {
        const lines = await capture(target, ["tx", "get", relayerId, transactionId, "--on-chain"]);
        return dispatch({ type: "lines", target, lines });
      }
      await readTransactions(target);
      const spent = (await readSpent(target)) ?? [];
      dispatch({ type: "details", target, lines: [...spent, "", "  reading…"] });
      dispatch({ type: "details", target, lines: [...spent, "", ...(await capture(target, ["doctor", relayerId]))] });
    },
    async run(): Promise<void> {
      const { clock } = contexts[0]?.own.app ?? {};
      while (clock && !ended.aborted) {
        await clock.sleep(every, ended);
        const page = state().pages.at(-1);
        if (page?.kind === "relayer" && !ended.aborted) await readTransactions(page.target);
      }
    },
  };
}

async function captureLines({ app, perform }: Pick<Call, "app" | "perform">, argv: readonly string[], columns: number) {
  const pieces: string[] = [];
  const output = (isTerminal: boolean): Output =>
    Object.create(app.stdout, {
      isTerminal: { value: isTerminal },
      columns: { value: columns },
      write: {
        value: async (text: string | Uint8Array) => void pieces.push(app.secrets.redact(Buffer.from(text).toString())),
      },
    });
  const world: App = Object.create(app, {
    stdin: { value: { ...app.stdin, isTerminal: false } },
    stdout: { value: output(true) },
    stderr: { value: output(false) },
  });
  await perform(argv, world);
  return pieces.join("").trimEnd().split("\n");
}

type Show = Awaited<ReturnType<typeof createTopShow>>;

export async function createTopShow(
  app: App,
  { state, draw, dispatch, ended }: { state(): TopState; draw(): string[]; dispatch: Dispatch; ended: AbortSignal },
) {
  const { clock, stdout } = app;
  const keyboard = await app.keyboard();
  const taken = takeTerminal(app, keyboard, dispatch);
  const changes = createChanges(ended);
  const pace = createPace(clock);
  let away: Promise<void> | undefined;
  const lend = async (use: () => Promise<void>) => {
    await taken.leave();
    await use();
    if (app.interrupt.aborted) return;
    await app.stderr.write("press any key to return to top\n");
    await nextKey(keyboard, ended);
    if (!ended.aborted) taken.enter();
  };
  taken.enter();
  return {
    /** Repaints soon, if the picture differs. */
    changed: changes.add,
    async run() {
      while (!ended.aborted) {
        await changes.next();
        await clock.sleep(pace.wait(), ended);
        await away;
        if (ended.aborted) return;
        changes.take();
        const [{ asking }, screen] = [state(), taken.screen()];
        if (await screen?.paint(draw())) pace.count();
        if (screen && asking && !asking.isShown) dispatch({ type: "painted", asking });
      }
    },
    /** Gives the terminal to a command, and reclaims it after a key. */
    async leaveFor(use: () => Promise<void>) {
      away = lend(use).finally(() => {
        away = undefined;
        changes.add();
      });
      await away;
    },
    whenShown: async () => await away,
    /** @param leavesPicture whether the last picture stays readable */
    async end(leavesPicture: boolean) {
      await away?.catch(() => {});
      const isShown = taken.screen() !== undefined;
      await taken.leave();
      const lines = draw().map((line) => textWithoutColors(line).trimEnd());
      if (leavesPicture && isShown) await stdout.write(`${lines.join("\n").trimEnd()}\n`);
    },
  };
}

function takeTerminal({ stdout }: App, keyboard: Keyboard, dispatch: Dispatch) {
  let screen: FullScreen | undefined;
  let stopKeys = () => {};
  const measure = () => dispatch({ type: "resize", columns: stdout.columns, rows: stdout.rows });
  return {
    screen: () => screen,
    enter() {
      screen = createFullScreen(stdout);
      screen.onLoss(measure);
      stopKeys = keyboard.listen((key) => dispatch({ type: "key", key }));
      measure();
    },
    async leave() {
      stopKeys();
      stopKeys = () => {};
      const left = screen;
      screen = undefined;
      await left?.end();
    },
  };
}

function createChanges(ended: AbortSignal) {
  let isChanged = true;
  let wake = () => {};
  ended.addEventListener("abort", () => wake());
  return {
    add() {
      isChanged = true;
      wake();
    },
    take() {
      isChanged = false;
    },
    next: () =>
      new Promise<void>((resolve) => {
        wake = resolve;
        if (isChanged || ended.aborted) resolve();
      }),
  };
}

/** The most pictures in a time in milliseconds. */
const [SPAN, MOST_PAINTS] = [1_000, 2];

function createPace(clock: App["clock"]) {
  const paints: number[] = [];
  return {
    wait: () => Math.max(0, (paints.at(-MOST_PAINTS) ?? Number.NEGATIVE_INFINITY) + SPAN - clock.elapsed()),
    count() {
      paints.push(clock.elapsed());
      if (paints.length > MOST_PAINTS) paints.shift();
    },
  };
}

async function nextKey(keyboard: Keyboard, ended: AbortSignal): Promise<void> {
  if (ended.aborted) return;
  await new Promise<void>((resolve) => {
    const stop = keyboard.listen(() => over());
    const over = () => {
      ended.removeEventListener("abort", over);
      stop();
      resolve();
    };
    ended.addEventListener("abort", over);
  });
}

export interface TopRequest {
  ids: readonly string[] | undefined;
  /** Milliseconds between two reads of the list. */
  every: number;
}

interface Opened {
  own: Call;
  session: Session;
}

export async function runTop(call: Call, request: TopRequest): Promise<View> {
  const { app } = call;
  const ended = new AbortController();
  const end = () => ended.abort();
  app.interrupt.addEventListener("abort", end);
  let fault: { error: unknown } | undefined;
  const fail = (error: unknown) => {
    fault ??= { error };
    end();
  };
  const machine = createMachine(call, await openContexts(call), request, { ended: ended.signal, end, fail });
  await readFirst(machine.readers);
  const { color, links } = printerOf(call);
  const isAscii = showsAscii(app.stdout, app.env);
  const look = { style: await createStyle(color), masked: app.secrets.masked, isAscii, links: links?.words };
  let show: Show | undefined;
  try {
    const { state, dispatch } = machine;
    show = await createTopShow(app, { state, draw: () => drawTop(state(), look), dispatch, ended: ended.signal });
    await machine.run(show);
  } finally {
    app.interrupt.removeEventListener("abort", end);
    await show?.end(fault !== undefined || app.interrupt.aborted);
  }
  if (fault && !endedByCtrlC(call, fault.error)) throw fault.error;
  if (app.interrupt.aborted && app.interrupt.reason !== "interrupted") throw interruptedError(" while top ran");
  return { kind: "nothing" };
}

async function openContexts(call: Call): Promise<Opened[]> {
  const calls = call.contexts?.map((name) => call.inContext(name)) ?? [call];
  return await Promise.all(calls.map(async (own) => ({ own, session: await own.session() })));
}

/** If one context can't be read, the others are still shown; a single context ends the command. */
async function readFirst(readers: readonly FleetReader[]): Promise<void> {
  const failures: RelayctlError[] = [];
  await Promise.all(readers.map(({ first }) => ifReadable(first(), undefined, (error) => failures.push(error))));
  const [first] = failures;
  if (first && failures.length === readers.length) throw first;
}

function createMachine(
  call: Call,
  contexts: readonly Opened[],
  { ids, every }: TopRequest,
  ends: { ended: AbortSignal; end(): void; fail(error: unknown): void },
) {
  const { ended, end, fail } = ends;
  let show: Show | undefined;
  let state = emptyState(call, contexts);
  const take = (effect: TopEffect) => {
    if (effect.kind === "quit") end();
    else if (effect.kind === "run") show?.leaveFor(() => runCommand(call, effect.argv)).catch(fail);
    else pages.open(effect.page).catch(fail);
  };
  const dispatch: Dispatch = (event) => {
    try {
      const step = reduceTop(state, { ...event, now: call.app.clock.now() } as TopEvent);
      state = step.state;
      show?.changed();
      if (step.effect) take(step.effect);
    } catch (error) {
      fail(error);
    }
  };
  const pages = followTopPages({ contexts, state: () => state, dispatch, every, ended });
  const readers = contexts.map(({ own, session }) =>
    createTopReader({
      ...{ call: own, session, ids, every, ended },
      inView: () => topRowsInView(state).rows.flatMap((row) => (row.context === session.name ? [row.relayer.id] : [])),
      read(source, events) {
        dispatch({ type: "read", source, events });
      },
      noted: (text) => dispatch({ type: "said", text }),
      whenShown: async () => await show?.whenShown(),
    }),
  );
  return {
    readers,
    state: () => state,
    dispatch,
    async run(shown: Show): Promise<void> {
      show = shown;
      // A read in progress doesn't hold up the end.
      for (const part of [pages, ...readers]) part.run().catch(fail);
      await shown.run().catch(fail);
    },
  };
}

/** The orders of the list, by field; undefined is worst first. */
const SORTS = [undefined, "relayer.id", "-status.pending_transactions_count", "-oldest", "runway"];

function emptyState({ app, output }: Call, contexts: readonly Opened[]): TopState {
  const { columns, rows } = app.stdout;
  const sorts = output.sort === undefined ? SORTS : [output.sort, ...SORTS];
  const where = output.where?.filter(readsStatus) ?? [];
  const sources = contexts.map(({ session }) => emptyTopSource(session));
  return { columns, rows, sorts, sources, now: 0, sort: 0, filter: "", where, pages: [], events: [] };
}

async function runCommand(call: Call, argv: readonly string[]): Promise<void> {
  await call.say(`$ ${commandLine(...argv)}`);
  await call.perform(argv);
}

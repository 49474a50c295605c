import type { App } from "../../app.ts";
import { learnLinks } from "../../command-support/links.ts";
import { formatAmount } from "../../contract/amount.ts";
import { currencyOf } from "../../contract/currency.ts";
import type { Session } from "../../session/session.ts";
import type { Output } from "../../terminal/streams/output.ts";
import type { Call } from "../command.ts";
import { countedCosts, readCosts, sentTransactions, startOfPeriods } from "../history/costs.ts";
import { queueFirst, readNewest, unlessPassing } from "./read-transactions.ts";
import { type Dispatch, type Effect, seenRelayer, type Target, type TopState } from "./state.ts";

/** The transactions whose cost is read when a relayer opens, the newest ones: each takes several requests. */
const MOST_COSTS = 50;

async function readSpentLines(
  call: Pick<Call, "app" | "say">,
  session: Session,
  { relayerId, symbol }: { relayerId: string; symbol: string | undefined },
): Promise<string[]> {
  const now = call.app.clock.now();
  const journal = await session.journal();
  if (!journal) return [];
  const { transactions } = await sentTransactions(journal, session.origin, startOfPeriods(now));
  const own = transactions.filter((sent) => sent.relayerId === relayerId);
  if (own.length === 0) return ["  no transactions sent from this machine today"];
  const quiet = { ...session, client: session.inBulk({ retries: 0 }) };
  const done = await readCosts({ call, session: quiet, journal }, own.slice(0, MOST_COSTS), 1);
  const [costs] = countedCosts(own, done, { now }).costs;
  const rows = Object.entries({ "today (UTC)": costs?.today, "last hour": costs?.lastHour }).map(([name, spent]) => {
    const { sent = 0, transactions: counted = 0, value = 0n, fees = 0n } = spent ?? {};
    const [moved, paid] = [value, fees].map((sum) => formatAmount(sum, currencyOf("evm", symbol)));
    return `    ${name.padEnd(12)} ${moved}, fees ${paid}, ${sent} sent${sent > counted ? `, ${sent - counted} not counted` : ""}`;
  });
  return ["  spent, as this machine knows from its journal", ...rows];
}

interface Following {
  contexts: readonly { own: Call; session: Session }[];
  state(): TopState;
  dispatch: Dispatch;
  /** Milliseconds between two reads of the open relayer's transactions. */
  every: number;
  ended: AbortSignal;
}

/** The links that are kept: those of a page are learned again with each read. */
const MOST_WORDS = 2_000;

/** Reads what open pages show: transactions again and again, and the rest once, as the commands print it. */
export function followPages({ contexts, state, dispatch, every, ended }: Following) {
  const say = (text: string) => dispatch({ type: "said", text });
  const using = async <T>({ context }: Target, read: (opened: Following["contexts"][number]) => Promise<T>) => {
    const found = contexts.find(({ session }) => session.name === context);
    return (
      found &&
      (await unlessPassing(
        () => read(found),
        ({ message }) => say(`no response: ${message}`),
      ))
    );
  };
  const readTransactions = (target: Target) =>
    using(target, async ({ own, session }) => {
      const transactions = queueFirst(await readNewest(session, target.relayerId));
      const { words } = own.app.links;
      if (words.size > MOST_WORDS) words.clear();
      await learnLinks(own, transactions, { mayRead: true });
      dispatch({ type: "transactions", target, transactions });
    });
  const readSpent = (target: Target) =>
    using(target, ({ own: { app }, session }) =>
      readSpentLines({ app, say: async (text) => say(text) }, session, {
        relayerId: target.relayerId,
        symbol: seenRelayer(state(), target).symbol,
      }),
    );
  const capture = async (target: Target, words: readonly string[]) =>
    (await using(target, ({ own, session }) => captureLines(own, [...session.flags, ...words], state().columns))) ?? [];
  return {
    async open({ kind, target }: Extract<Effect, { kind: "open" }>["page"]): Promise<void> {
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

/** Returns the lines that a command would print on a terminal of this width. It gets no keys, and can ask nothing. */
async function captureLines(
  { app, perform }: Pick<Call, "app" | "perform">,
  argv: readonly string[],
  columns: number,
): Promise<readonly string[]> {
  const pieces: string[] = [];
  const output = (isTerminal: boolean): Output =>
    Object.create(app.stdout, {
      isTerminal: { value: isTerminal },
      columns: { value: columns },
      write: {
        value: async (text: string | Uint8Array) => void pieces.push(app.secrets.redact(Buffer.from(text).toString())),
      },
    });
  const stdin = { ...app.stdin, isTerminal: false };
  const world: App = Object.create(app, {
    stdin: { value: stdin },
    stdout: { value: output(true) },
    stderr: { value: output(false) },
  });
  await perform(argv, world);
  return pieces.join("").trimEnd().split("\n");
}

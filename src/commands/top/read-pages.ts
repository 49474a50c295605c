import { learnLinks } from "../../command-support/links.ts";
import type { Session } from "../../session/session.ts";
import type { Call } from "../command.ts";
import { captureLines } from "./captured.ts";
import { unlessPassing } from "./fleet-reading.ts";
import { readSpentLines } from "./read-spent.ts";
import { queueFirst, readNewest } from "./read-transactions.ts";
import { type Dispatch, type Effect, seenRelayer, type Target, type TopState } from "./state.ts";

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

type Opened = Extract<Effect, { kind: "open" }>["page"];

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
    async open({ kind, target }: Opened): Promise<void> {
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

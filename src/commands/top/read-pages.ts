import { learnLinks } from "../../command-support/links.ts";
import type { Session } from "../../session/session.ts";
import type { Call } from "../command.ts";
import { captureLines } from "./captured.ts";
import { unlessPassing } from "./fleet-reading.ts";
import { queueFirst, readNewest } from "./read-transactions.ts";
import type { Dispatch, Effect, Target, TopState } from "./state.ts";

interface Following {
  contexts: readonly { own: Call; session: Session }[];
  state(): TopState;
  dispatch: Dispatch;
  /** Milliseconds between two reads of the open relayer's transactions. */
  every: number;
  ended: AbortSignal;
}

type Opened = Extract<Effect, { kind: "open" }>["page"];

/** Reads what open pages show: transactions again and again, and the rest once, as the commands print it. */
export function followPages({ contexts, state, dispatch, every, ended }: Following) {
  const readTransactions = async (target: Target) => {
    const found = contexts.find(({ session }) => session.name === target.context);
    if (!found) return;
    await unlessPassing(
      async () => {
        const transactions = queueFirst(await readNewest(found.session, target.relayerId));
        await learnLinks(found.own, transactions, { mayRead: true });
        dispatch({ type: "transactions", target, transactions });
      },
      ({ message }) => dispatch({ type: "said", text: `no response: ${message}` }),
    );
  };
  const capture = async (target: Target, words: readonly string[]) => {
    const found = contexts.find(({ session }) => session.name === target.context);
    return found ? await captureLines(found.own, [...found.session.flags, ...words], state().columns) : [];
  };
  return {
    async open({ kind, target }: Opened): Promise<void> {
      const { relayerId, transactionId = "" } = target;
      if (kind === "transaction") {
        const lines = await capture(target, ["tx", "get", relayerId, transactionId, "--on-chain"]);
        return dispatch({ type: "lines", target, lines });
      }
      await readTransactions(target);
      dispatch({ type: "findings", target, lines: await capture(target, ["doctor", relayerId]) });
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

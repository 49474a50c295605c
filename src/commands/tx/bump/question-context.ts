import type { ForeseenBump } from "../../../chain/bump/foresee-bump.ts";
import { isShownInCoin, wireAmount } from "../../../contract/amount.ts";
import { currencyOf } from "../../../contract/currency.ts";
import { isPending } from "../../../contract/transaction/transaction-state.ts";
import { symbolFor } from "../../coins/symbol-for.ts";
import type { Call } from "../../command.ts";
import { shownCall } from "../call/shown-call.ts";
import { newestTransactions } from "../record/newest.ts";
import { relayerOf } from "./planned-bump.ts";
import type { QuestionContext } from "./question.ts";

/** The newest transactions of a relayer among which those after a bump are counted. */
const COUNTED = 100;

/** Reads what only the question shows: the coins, and how many transactions wait for each bump. */
export async function questionContext(
  call: Call,
  bumps: readonly ForeseenBump[],
): Promise<Omit<QuestionContext, "outcomes">> {
  const { client } = await call.session();
  const symbols = new Map<string, string | undefined>();
  const pending = new Map<string, bigint[] | undefined>();
  for (const bump of bumps) {
    const { relayerId, record } = bump;
    const relayer = relayerOf(bump);
    if (relayer && isShownInCoin(record.value) && !symbols.has(relayerId))
      symbols.set(relayerId, await symbolFor(call, relayer));
    if (pending.has(relayerId)) continue;
    const newest = await newestTransactions(client, relayerId, COUNTED);
    pending.set(
      relayerId,
      newest?.filter(isPending).flatMap(({ nonce }) => wireAmount(nonce) ?? []),
    );
  }
  const [first] = bumps.length === 1 ? bumps : [];
  return {
    calls: await shownCall(call, first?.record ?? {}),
    coinOf: (relayerId) => currencyOf("evm", symbols.get(relayerId)),
    after({ relayerId, record }) {
      const nonce = wireAmount(record.nonce);
      return nonce === undefined ? undefined : pending.get(relayerId)?.filter((each) => each > nonce).length;
    },
    isOneRelayer: new Set(bumps.map(({ relayerId }) => relayerId)).size === 1,
  };
}

import { ifRouted, lacksRoute } from "../../../client/read-named.ts";
import { type NetworkKind, networkKind } from "../../../contract/network-kind.ts";
import type { Relayer } from "../../../contract/resources/relayer.ts";
import {
  PENDING_STATUSES,
  type Transaction,
  type TransactionState,
  txState,
} from "../../../contract/transaction/transaction.ts";
import { RelayctlError } from "../../../errors.ts";
import type { Session } from "../../../session/session.ts";
import { FUNDS_TIMEOUT } from "../../../timing.ts";
import { isCanceledAlready } from "../../../views/transaction/cancellation.ts";
import { transactionOutcome } from "../../../views/transaction/outcome.ts";
import type { Earlier, TxTarget } from "../transaction-write.ts";

interface ToChange extends TxTarget {
  verb: "replace" | "cancel";
}

/** Reads the hash that the new record lacks (facts 13.1). Undefined without the route; throws if missing or final. */
export async function transactionBefore(
  session: Session,
  { verb, ...target }: ToChange,
  readCommand: string,
): Promise<Earlier | undefined> {
  const read = await ifRouted(session.client.tx.get(target.relayerId, target.id), target.relayerId, target.id);
  if (!read) {
    await session.say({ note: "this service cannot return a single transaction; its current values are unknown" });
    return undefined;
  }
  const state = txState(read.data);
  const isSettled = verb === "cancel" && isCanceledAlready(read.data, state) !== undefined;
  if (!isSettled) refuseUnlessPending(read.data, state, { action: `${verb}_transaction`, readCommand });
  const relayer = await relayerBeforeReplacement(session, { verb, relayerId: target.relayerId });
  return { ...read, state, relayer, kind: networkKind(relayer) };
}

/** Returns undefined without a route or, for an urgent cancellation, without a response. */
export async function relayerBeforeReplacement(
  { client, briefly, placed, interrupt, say }: Session,
  { verb, relayerId }: Omit<ToChange, "id">,
): Promise<Relayer | undefined> {
  const { relayers } = verb === "cancel" ? briefly(FUNDS_TIMEOUT) : client;
  try {
    const { data } = await relayers.get(relayerId, { byRoute: true });
    placed.set(relayerId, data);
    for (const note of kindNote(verb, networkKind(data))) await say(note);
    return data;
  } catch (error) {
    const isPassable = error instanceof RelayctlError && (verb === "cancel" || lacksRoute(error, relayerId));
    if (!isPassable || interrupt.aborted) throw error;
    return undefined;
  }
}

/** Refuses in the service's words: nothing returns to an earlier state (facts 5.1, 5.4). @throws conflict */
function refuseUnlessPending(
  transaction: Transaction,
  state: TransactionState,
  { action, readCommand }: { action: "replace_transaction" | "cancel_transaction"; readCommand: string },
): void {
  if (!state.isOver) return;
  const expected = PENDING_STATUSES.map(capitalize).join(", ");
  const words = `Invalid transaction state for ${action}. Current: ${capitalize(state.status)}, Expected one of: [${expected}]`;
  const meaning = transactionOutcome(transaction, state)?.words;
  const because = [...(meaning === undefined ? [] : [meaning]), "nothing was sent"];
  throw new RelayctlError("conflict", words, { because, hint: readCommand, retryable: false });
}

function capitalize(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** Warns about behavior that the service has only on EVM (facts 5.4, 5.5, and 13). */
function kindNote(verb: "replace" | "cancel", kind: NetworkKind | undefined): { note: string }[] {
  if (kind === "stellar")
    return [
      { note: `services up to v1.8 do not ${verb} Stellar transactions: they report success and change nothing` },
    ];
  return kind === "solana"
    ? [{ note: `services up to v1.8 do not ${verb} Solana transactions: they reject the request` }]
    : [];
}

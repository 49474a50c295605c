import type { ChainNode, Reading } from "../chain/node/node.ts";
import { wireAmount } from "../contract/amount.ts";
import { textIn } from "../contract/json.ts";
import type { Transaction } from "../contract/transaction/transaction.ts";
import { showsCancellation, statusOf } from "../contract/transaction/transaction-state.ts";
import type { Claim } from "./claims.ts";
import { createClassifier, type Judged, recordsOf } from "./classify.ts";
import type { ListedTransaction, OpenHistory } from "./history.ts";
import type { JournaledSend } from "./journaled-sends.ts";
import { type Audit, type AuditRequest, readKnown } from "./open-audit.ts";
import { openSolanaHistory } from "./solana-history.ts";
import { openStellarHistory } from "./stellar-history.ts";

/** Returns what opens the transactions that a node lists. */
export function openHistoryOf(kind: "solana" | "stellar", node: ChainNode): OpenHistory {
  return (request) => (kind === "solana" ? openSolanaHistory : openStellarHistory)(node, request);
}

export interface ListedAuditRequest
  extends Pick<AuditRequest, "relayerId" | "account" | "server" | "client" | "journal"> {
  openHistory: OpenHistory;
  /** Milliseconds since 1970. */
  since: number;
}

/**
 * Opens an audit of an account on Stellar or Solana, by the transactions that its node lists. The history is opened
 * first, so that the records and the journal, which are read next, know each of them.
 */
export async function openListedAudit(request: ListedAuditRequest): Promise<Reading<Audit>> {
  const { account, since, openHistory } = request;
  const history = await openHistory({ account, since });
  if ("fault" in history) return history;
  const { records, sends } = await readKnown(request, since);
  const judge = createJudge(records, sends);
  return {
    value: {
      ...history.value,
      claims: { failed: records.filter((record) => ["failed", "expired"].includes(statusOf(record))) },
      rows: async function* () {
        const classify = createClassifier(judge);
        for await (const read of history.value.rows()) yield read.map(classify);
      },
    },
  };
}

/** Creates what judges a transaction by its hash, and on Stellar by its sequence number. */
function createJudge(records: readonly Transaction[], sends: readonly JournaledSend[]) {
  const byHash = new Map<string, Claim>();
  const bySequence = new Map<bigint, Claim>();
  const byId = new Map(sends.map((send) => [send.id ?? "", send]));
  const recorded = new Set(records.map(({ id }) => id));
  const others = sends.filter(({ id }) => !recorded.has(id ?? "")).map((send): Claim => ({ send }));
  for (const claim of [...records.map((record): Claim => ({ record, send: byId.get(record.id) })), ...others])
    for (const { hash, signature, sequence_number: sequence } of recordsOf(claim)) {
      const [name, number] = [textIn(hash ?? signature), wireAmount(sequence)];
      if (name !== "") byHash.set(name, claim);
      // The service shows 0 as long as it has not assigned one (facts 5.2).
      if (number !== undefined && number > 0n) bySequence.set(number, claim);
    }
  return ({ hash, inner = "", nonce }: ListedTransaction): Judged => {
    const claim = byHash.get(hash) ?? byHash.get(inner);
    if (claim) return { kind: claim.record && showsCancellation(claim.record) ? "cancel_lost" : "recorded", claim };
    const other = nonce === null ? undefined : bySequence.get(nonce);
    return other ? { kind: "other_version", claim: other, isPresumed: true } : { kind: "foreign" };
  };
}

import type { Client } from "../../../client/client.ts";
import { receivedTime } from "../../../contract/reply/received-time.ts";
import type { Transaction } from "../../../contract/transaction/transaction.ts";
import type { RecordedWrite } from "../../../journal/writes.ts";

/** The transactions that relayers created since the first write in question, read once for each relayer. */
export interface RecentTransactions {
  /** Returns undefined if there are too many. */
  of(relayerId: string): Promise<readonly Transaction[] | undefined>;
}

const PER_PAGE = 100;
const MOST = 10_000;

/** Reads lists, newest first, until a whole page is older than the relayer's oldest write of unknown outcome. */
export function recentTransactions({ tx }: Pick<Client, "tx">, open: readonly RecordedWrite[]): RecentTransactions {
  const known = new Map<string, Promise<readonly Transaction[] | undefined>>();
  const read = async (relayerId: string) => {
    const times = open
      .filter(({ intent }) => intent.ids.relayer_id === relayerId)
      .map(({ intent }) => receivedTime(intent.time));
    const oldest = Math.min(...times);
    const records: Transaction[] = [];
    for await (const { items } of tx.list(relayerId, { perPage: PER_PAGE, concurrency: 1 })) {
      const page = items as Transaction[];
      records.push(...page);
      if (records.length > MOST) return undefined;
      if (page.every(({ created_at: created }) => typeof created === "string" && receivedTime(created) < oldest)) break;
    }
    return records;
  };
  return {
    of(relayerId) {
      const found = known.get(relayerId) ?? read(relayerId);
      known.set(relayerId, found);
      return found;
    },
  };
}

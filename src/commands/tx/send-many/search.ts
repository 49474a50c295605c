import type { Client } from "../../../client/client.ts";
import { grouped } from "../../../contract/decimal.ts";
import type { Transaction } from "../../../contract/transaction/transaction.ts";
import { RelayctlError } from "../../../errors.ts";
import type { Journal } from "../../../journal/journal.ts";
import { findRecords } from "../../../payments/run/find.ts";
import type { Rows } from "../../../payments/run/rows.ts";
import type { Call } from "../../command.ts";
import { belongsToOther, type PayerId, recordFound, unsettledFingerprints } from "./ledger.ts";

/** A run whose unsettled rows are looked for. */
export interface Searched {
  call: Call;
  client: Client;
  journal: Journal;
  payerId: PayerId;
  run: string;
  rows: Rows;
}

/**
 * Looks for the transactions of rows of which nobody knows whether they were sent, and records those that it finds. Never
 * fails but for a signal: what is not found stays unknown.
 */
export async function searchUnsettled({ call, client, journal, payerId, run, rows }: Searched): Promise<void> {
  const attempts = rows.unsettled();
  if (attempts.length === 0) return;
  const { relayerId } = payerId;
  try {
    const found = await findRecords(
      {
        records: () => recordsOf(client, relayerId),
        read: async (id) => (await client.tx.get(relayerId, id)).data,
        belongsToOther: (id, attempt) => belongsToOther(journal, id, attempt),
        rivals: (since, own) => unsettledFingerprints(journal, payerId, since, own),
      },
      attempts,
    );
    for (const attempt of attempts) {
      const record = found.get(attempt.id);
      if (!record) continue;
      const time = new Date(call.app.clock.now()).toISOString();
      await recordFound(journal, attempt, { run, time, record });
      const isTwice = rows.found(attempt, record.id);
      if (isTwice) await call.say(twiceText(attempt.row, [String(rows.get(attempt.row).transactionId), record.id]));
    }
  } catch (error) {
    if (!(error instanceof RelayctlError)) throw error;
    const open = new Set(attempts.map(({ row }) => row)).size;
    await call.say(`note: ${grouped(open)} unknown rows could not be looked for: ${error.message}`);
  }
}

function twiceText(row: number, [first, second]: readonly [string, string]): string {
  return `warning: row ${row} was paid twice: by transaction ${first}, and by ${second}, which was assumed not to be sent`;
}

async function* recordsOf(client: Client, relayerId: string): AsyncGenerator<Transaction> {
  for await (const { items } of client.tx.list(relayerId, { concurrency: 1 })) yield* items as readonly Transaction[];
}

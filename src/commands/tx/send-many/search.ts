import type { Client } from "../../../client/client.ts";
import { grouped } from "../../../contract/decimal.ts";
import type { Transaction } from "../../../contract/transaction/transaction.ts";
import { RelayctlError } from "../../../errors.ts";
import type { Journal } from "../../../journal/journal.ts";
import type { Attempt } from "../../../payments/run/attempt.ts";
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
 * Looks for the transactions of rows that may have been sent, and records those that it finds. Fails only for a
 * signal: what is not found stays unknown.
 */
export async function searchUnsettled({ call, client, journal, payerId, run, rows }: Searched): Promise<void> {
  const attempts = rows.unsettled();
  if (attempts.length === 0) return;
  const { relayerId } = payerId;
  try {
    const found = await findRecords(
      {
        records: () => recordsOf(client, relayerId),
        read: (id) => recordOf(client, relayerId, id),
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
      if (isTwice) await call.say(twiceText(attempt, [String(rows.get(attempt.row).transactionId), record.id]));
    }
  } catch (error) {
    if (!(error instanceof RelayctlError)) throw error;
    const open = new Set(attempts.flatMap(({ row, outcome }) => (outcome === "refused" ? [] : [row]))).size;
    if (open > 0) await call.say(`note: ${grouped(open)} unknown rows could not be looked for: ${error.message}`);
  }
}

function twiceText({ row, outcome }: Attempt, [first, second]: readonly [string, string]): string {
  const words =
    outcome === "refused" ? "which was sent although its response was a refusal" : "which was assumed not to be sent";
  return `warning: row ${row} was paid twice: by transaction ${first}, and by ${second}, ${words}`;
}

async function recordOf(client: Client, relayerId: string, id: string): Promise<Transaction | undefined> {
  try {
    return (await client.tx.get(relayerId, id)).data;
  } catch (error) {
    if (error instanceof RelayctlError && error.failure === "not_found") return undefined;
    throw error;
  }
}

async function* recordsOf(client: Client, relayerId: string): AsyncGenerator<Transaction> {
  for await (const { items } of client.tx.list(relayerId, { concurrency: 1 })) yield* items as readonly Transaction[];
}

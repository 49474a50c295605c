import type { Client } from "../../client/client.ts";
import { grouped } from "../../contract/decimal.ts";
import type { Transaction } from "../../contract/transaction/transaction.ts";
import { RelayctlError } from "../../errors.ts";
import type { Attempt } from "./attempt.ts";
import { findRecords } from "./find.ts";
import { belongsToOther, unsettledFingerprints } from "./ledger.ts";
import type { PaymentWorld } from "./payment-world.ts";
import type { PayerId } from "./plan.ts";
import { outcomeOf, type Rows } from "./rows.ts";

/** A run whose unsettled rows are looked for. */
export interface Searched {
  world: PaymentWorld;
  payerId: PayerId;
  run: string;
  rows: Rows;
}

/**
 * Looks for the transactions of rows that may have been sent, and records those that it finds. What is not found stays
 * unknown.
 * @returns why the list could not be read to its end, which is noted for unknown rows
 */
export async function searchUnsettled({ world, payerId, run, rows }: Searched): Promise<RelayctlError | undefined> {
  const attempts = rows.unsettled();
  if (attempts.length === 0) return undefined;
  const { client, clock, journal } = world;
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
      const time = new Date(clock.now()).toISOString();
      const outcome = world.foundOutcome(record, { id: attempt.id, run, time });
      await journal.append({ ...outcome, settledLater: true }, { isSynced: true });
      const isTwice = rows.found(attempt, record.id);
      world.noted?.(outcomeOf(rows, attempt.row));
      if (isTwice) await world.say(twiceText(attempt, [String(rows.get(attempt.row).transactionId), record.id]));
    }
  } catch (error) {
    if (!(error instanceof RelayctlError)) throw error;
    const open = new Set(attempts.flatMap(({ row, outcome }) => (outcome === "refused" ? [] : [row]))).size;
    if (open > 0) await world.say(`note: ${grouped(open)} unknown rows could not be looked for: ${error.message}`);
    return error;
  }
  return undefined;
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

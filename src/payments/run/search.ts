import { openChain } from "../../chain/open-chain.ts";
import { grouped } from "../../contract/decimal.ts";
import { RelayctlError } from "../../errors.ts";
import { findSends } from "../../recovery/find-sends.ts";
import type { Finding } from "../../recovery/finding.ts";
import type { Attempt } from "./attempt.ts";
import type { PaymentWorld } from "./payment-world.ts";
import type { PayerId } from "./plan.ts";
import { outcomeOf, type Rows } from "./rows.ts";

/** A run whose unsettled rows are looked for. */
export interface Searched {
  world: PaymentWorld;
  payerId: PayerId;
  run: string;
  rows: Rows;
  /** Whether the chain is asked about rows whose records may have been deleted. */
  usesChain?: boolean;
}

/**
 * Looks for the transactions of rows that may have been sent, and records those that it finds. What is not found stays
 * unknown.
 * @returns why the list could not be read to its end, which is noted for unknown rows
 */
export async function searchUnsettled(searched: Searched): Promise<RelayctlError | undefined> {
  const { world, payerId, rows, usesChain = false } = searched;
  const attempts = rows.unsettled();
  if (attempts.length === 0) return undefined;
  const { client, clock, journal, ownNode } = world;
  const isOpen = ({ row, outcome }: Attempt) => outcome !== "refused" && rows.get(row).state !== "sent";
  const chain =
    usesChain && attempts.some(isOpen)
      ? () => openChain({ client, relayerId: payerId.relayerId, ownNode: (network) => ownNode(network) })
      : undefined;
  try {
    const findings = await findSends({ ...payerId, client, journal, now: () => clock.now(), chain }, attempts);
    for (const attempt of attempts) {
      const finding = findings.get(attempt.id);
      if (finding) await note(searched, attempt, finding);
    }
  } catch (error) {
    if (!(error instanceof RelayctlError)) throw error;
    const open = new Set(attempts.flatMap(({ row, outcome }) => (outcome === "refused" ? [] : [row]))).size;
    const words = [error.message, ...error.because].join("; ");
    if (open > 0) await world.say(`note: ${grouped(open)} unknown rows could not be looked for: ${words}`);
    return error;
  }
  return undefined;
}

/** Records what was found out about an attempt. */
async function note({ world, run, rows }: Searched, attempt: Attempt, finding: Finding): Promise<void> {
  if (finding.state === "unknown") {
    if (finding.candidates.length > 0) rows.hold(attempt, finding.because);
    return;
  }
  const of = { id: attempt.id, run, time: new Date(world.clock.now()).toISOString() };
  await world.journal.append(world.foundOutcome(finding, of), { isSynced: true });
  if (finding.state === "unsent") return rows.unsent(attempt);
  const found = "record" in finding ? { transactionId: finding.record.data.id } : { hash: finding.mined.hash };
  const { transactionId: first } = rows.get(attempt.row);
  const isTwice = rows.found(attempt, found);
  world.noted?.(outcomeOf(rows, attempt.row));
  if (isTwice) await world.say(twiceText(attempt, [String(first), found.transactionId ?? String(found.hash)]));
}

function twiceText({ row, outcome }: Attempt, [first, second]: readonly [string, string]): string {
  const words =
    outcome === "refused" ? "which was sent although its response was a refusal" : "which was assumed not to be sent";
  return `warning: row ${row} was paid twice: by transaction ${first}, and by ${second}, ${words}`;
}

import { isJsonObject } from "../../../src/contract/json.ts";
import type { Entry, Intent } from "../../../src/journal/journal.ts";
import type { Attempt } from "../model/network.ts";
import type { Ran } from "../program.ts";
import { contentOf, type GivenFile } from "./rows.ts";

/** What a request to send pays, and the gas limit by which it is recognized. */
export interface Paid {
  content: string;
  gas: string;
}

function paidBy(body: string | undefined): Paid {
  const { to, value, data = null, gas_limit: gas } = JSON.parse(body ?? "{}");
  return { content: contentOf({ to, value: BigInt(value), data }), gas: String(gas) };
}

/** The requests of runs that were to send a payment. */
export function sendsOf(rans: readonly Ran[]): { attempt: Attempt; paid: Paid; ran: Ran }[] {
  return rans.flatMap((ran) =>
    ran.attempts
      .filter(({ method, target }) => method === "POST" && target.endsWith("/transactions"))
      .map((attempt) => ({ attempt, paid: paidBy(attempt.body), ran })),
  );
}

/** Returns how often each content was applied. */
export function appliedBy(rans: readonly Ran[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { attempt, paid } of sendsOf(rans))
    if (attempt.applied) counts.set(paid.content, (counts.get(paid.content) ?? 0) + 1);
  return counts;
}

/** Returns the rows whose payments were applied, by the fingerprints that the journal has of each. */
export function appliedRows(rans: readonly Ran[], entries: readonly Entry[]): ReadonlySet<number> {
  const rows = new Map<string, number[]>();
  for (const entry of entries) {
    if (entry.type !== "intent") continue;
    const { row, paid } = intended(entry) ?? {};
    if (row !== undefined && paid) rows.set(keyOf(paid), [...(rows.get(keyOf(paid)) ?? []), row]);
  }
  const applied = sendsOf(rans).filter(({ attempt }) => attempt.applied);
  return new Set(applied.flatMap(({ paid }) => rows.get(keyOf(paid)) ?? []));
}

export function intended({ body, payment }: Intent): { row: number; paid: Paid } | undefined {
  if (!payment || !isJsonObject(body)) return undefined;
  const { to, value, data = null, gas_limit: gas } = body;
  const given = { to: String(to), value: BigInt(String(value)), data: data === null ? null : String(data) };
  return { row: payment.row, paid: { content: contentOf(given), gas: String(gas) } };
}

function keyOf({ content, gas }: Paid): string {
  return `${content} ${gas}`;
}

export function wantedBy({ rows }: GivenFile): Map<string, number> {
  const counts = new Map<string, number>();
  for (const row of rows) counts.set(contentOf(row), (counts.get(contentOf(row)) ?? 0) + 1);
  return counts;
}

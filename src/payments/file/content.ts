import { createHash } from "node:crypto";
import type { Payment, Payments } from "../payment.ts";

/** Returns the SHA-256, in hex, of what payments pay, which a label or an ABI can change without the file. */
export function paymentsDigest(payments: Payments): string {
  return paymentContentDigest(payments, "");
}

/** Returns the digest of payments without a file, which is never compared with a file's. */
export function paymentContentDigest(payments: Payments, prefix = "in no file\n"): string {
  const hash = createHash("sha256").update(prefix);
  for (const payment of payments) hash.update(paymentLine(payment));
  return hash.digest("hex");
}

/** Returns the digests of the first rows, by their number. @param counts may be above the number of rows */
export function firstRowDigests(payments: Payments, counts: ReadonlySet<number>): ReadonlyMap<number, string> {
  const found = new Map<number, string>();
  const most = Math.max(0, ...counts);
  const hash = createHash("sha256");
  let count = 0;
  for (const payment of payments) {
    if (++count > most) break;
    hash.update(paymentLine(payment));
    if (counts.has(count)) found.set(count, hash.copy().digest("hex"));
  }
  return found;
}

/** Returns the digests of all rows and of the first row, as the journal keeps them. */
export function paymentContents(payments: Payments): { content: string; first: string } {
  const found = firstRowDigests(payments, new Set([1, payments.length]));
  return { content: found.get(payments.length) ?? "", first: found.get(1) ?? "" };
}

function paymentLine({ to, value, data = "" }: Payment): string {
  return `${to} ${value} ${data}\n`.toLowerCase();
}

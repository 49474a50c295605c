import { createHash } from "node:crypto";
import type { Payments } from "../payment.ts";

/**
 * Returns the SHA-256 of what payments pay, in hex: receivers, amounts, and data in the order of the rows. The same bytes
 * of a file pay something else once a label has another address, or the ABI of a call changed.
 */
export function contentOf(payments: Payments): string {
  const hash = createHash("sha256");
  for (const { to, value, data = "" } of payments) hash.update(`${to} ${value} ${data}\n`.toLowerCase());
  return hash.digest("hex");
}

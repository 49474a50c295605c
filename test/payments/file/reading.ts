import { RelayctlError } from "../../../src/errors.ts";
import { readPayments } from "../../../src/payments/file/read-payments.ts";
import type { Payment, PaymentFile } from "../../../src/payments/payment.ts";
import { AS_FLAGS } from "../../../src/payments/run/running.ts";

export const ALICE = "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc";
export const BOB = "0x90f79bf6eb2c4f870365e785982e1f101e93b906";
const NOW = Date.UTC(2026, 0, 31, 12);

/** Reads a file of payments as a command does, by default with a speed for all rows. */
export async function read(
  content: string | Uint8Array,
  given: Partial<Parameters<typeof readPayments>[1]> & { name?: string } = {},
): Promise<PaymentFile & { payments: readonly Payment[] }> {
  const { name = "payouts.csv", ...rules } = given;
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  const file = await readPayments(
    { name, bytes },
    {
      defaults: { speed: "fast" },
      now: NOW,
      addressOf: (typed) => (typed === "@alice" ? { address: ALICE } : { rule: "unknown label" }),
      allowDuplicates: false,
      spelling: AS_FLAGS,
      ...rules,
    },
  );
  return { ...file, payments: [...file.payments] };
}

/** Returns the problems with a file, as printed. */
export async function problemsOf(...line: Parameters<typeof read>): Promise<string[]> {
  const error = await errorOf(...line);
  return error.details.map(({ where, given, rule }) => `${where}${given === undefined ? "" : ` ${given}`}: ${rule}`);
}

export async function errorOf(...line: Parameters<typeof read>): Promise<RelayctlError> {
  const error: unknown = await read(...line).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof RelayctlError) return error;
  throw new Error(`not refused: ${String(error)}`);
}

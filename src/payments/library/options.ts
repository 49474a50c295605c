import type { Speed } from "../../chain/evm/fee-history.ts";
import type { WaitOptions } from "../../chain/follow/wait-client.ts";
import { type RelayctlError, usageError } from "../../errors.ts";
import type { RowOutcome, Sums } from "../outcome.ts";
import type { Payment } from "../payment.ts";

/** Amounts are in wei. */
export interface PaymentToSend {
  to: string;
  value: bigint;
  /** A unique text. */
  label?: string;
  /** Call data in hex. */
  data?: string;
  /** Default: an estimate of the relayer's node, and a tenth more. */
  gasLimit?: bigint;
  speed?: Speed;
  gasPrice?: bigint;
  maxFeePerGas?: bigint;
  maxPriorityFeePerGas?: bigint;
  /** When the service gives up, in RFC 3339 with a zone. */
  validUntil?: string;
}

/** A file in CSV or NDJSON, as for `tx send-many`, or payments, which are its rows in this order. */
export type PaymentSource = { file: string } | { payments: readonly PaymentToSend[] };

export interface SendManyOptions {
  /**
   * The folder of the journal, where each payment is recorded before it is sent, as in `--state`. Must be on a lasting
   * disk, and the same for all runs.
   */
  state: string;
  /** The sum in wei that you agree to: of the whole file, or of the rows that are sent now. */
  confirm: bigint;
  /** The speed of payments without a price. */
  speed?: Speed;
  /** Whether to pay duplicates with the same receiver, amount, and data (default: false). */
  allowDuplicates?: boolean;
  /** Whether to continue the run of the same payments, or to start it if it doesn't exist (default: false). */
  resume?: boolean;
  /** The ID of the run to resume, or the start of it (default: the newest run of the same payments). */
  run?: string;
  /** Whether to pay again, as a new run, what an earlier run began (default: false). */
  again?: boolean;
  /** The unknown rows to send again, although they may have been sent; requires `resume`. */
  assumeNotSent?: readonly number[];
  /** How many payments are sent at once, from 1 to 100 (default: 8). */
  maxInFlight?: number;
  /** The most payments per second (default: the service's limit). */
  rate?: number;
  /** After how many failures no further payment is started (default: 10). */
  stopAfter?: number;
  /** Whether to wait until all payments are confirmed, or the options for waiting (default: false). */
  wait?: boolean | WaitOptions;
  /** Starts no further payment once aborted, but awaits payments in progress, unlike the client's own signal. */
  signal?: AbortSignal;
  /** Recorded in the journal with each payment. */
  reason?: string;
  /**
   * Called each time that a row's state changes. If it throws, no further payment is started, and the promise rejects with
   * that error once payments in progress have ended; a call with `resume` returns the rows. A returned promise is not
   * awaited; if it is rejected before the run ends, the same happens.
   */
  onRow?: (row: PaidRow) => void;
}

export interface PaidRow extends RowOutcome, Pick<Payment, "label" | "to" | "value"> {}

export interface SendManyResult {
  /** The ID of the run in the journal; undefined if it never began. */
  run: string | undefined;
  /** In the order of the file; `row` counts from 1. */
  rows: readonly PaidRow[];
  sums: Sums;
  /**
   * Why some payments were not accepted, or with `wait` not confirmed: the error that `tx send-many` would exit with. `unknown`
   * if a payment may have been sent; `partial` if some were refused, not started, or failed; `interrupted`; `io` if the journal
   * could no longer be written; `pending` if the wait ran out; `mismatch` if record and chain differ. Absent if all is well.
   */
  failure?: RelayctlError;
}

export interface SendManyClient {
  /**
   * Sends payments from an EVM relayer, each at most once, like `tx send-many`. All of them are validated first. Each is
   * recorded before it is sent, with a unique gas limit. If its response is lost, its transaction is found by that gas
   * limit, or the row is `unknown` and never automatically retried (facts 15.11). The same call with `resume`, or
   * `tx send-many --state`, continues after a crash, even in another process.
   * @throws RelayctlError usage with all problems, conflict, declined, or io, before the first payment; any failure to read
   *   the relayer. Once a payment may have been sent, the promise resolves with `failure`, unless `onRow` throws
   */
  sendMany(relayerId: string, source: PaymentSource, options: SendManyOptions): Promise<SendManyResult>;
}

/** The column of each member of a payment, in the order in which they are written. */
export const COLUMNS: Readonly<Record<keyof PaymentToSend, string>> = {
  to: "to",
  value: "value",
  label: "label",
  data: "data",
  gasLimit: "gas_limit",
  speed: "speed",
  gasPrice: "gas_price",
  maxFeePerGas: "max_fee_per_gas",
  maxPriorityFeePerGas: "max_priority_fee_per_gas",
  validUntil: "valid_until",
};
export const MEMBERS = Object.keys(COLUMNS) as (keyof PaymentToSend)[];

/** Copies payments before anything is awaited, so that the validated payments are paid. */
export function copyPaymentSource(source: PaymentSource): PaymentSource {
  const { payments, file } = Object(source);
  if (Symbol.iterator in Object(payments)) return { payments: Array.from(payments, copyPayment) };
  if (typeof file !== "string")
    throw usageError([{ where: "payments", rule: "must be a list, unless file is a path" }]);
  return { file };
}

/** A member may be a getter of a class. */
function copyPayment(payment: PaymentToSend): PaymentToSend {
  if (typeof payment !== "object" || payment === null) return payment;
  const names = new Set([...MEMBERS, ...Object.keys(payment)]) as Set<keyof PaymentToSend>;
  return Object.fromEntries(Array.from(names, (name) => [name, payment[name]])) as unknown as PaymentToSend;
}

import type { JsonObject, TextPosition } from "../contract/json.ts";
import type { NetworkKind } from "../contract/network-kind.ts";

export type About = { row: number; column?: string } | "header";

export type PlaceText = (position: TextPosition | undefined, about?: About) => string;

/** Returns places in the format of editors, with the row in words: `payouts.csv:4712:44 row 4711, to`. */
export function placesIn(name: string): PlaceText {
  return (position, about) => {
    const place = position ? `${name}:${position.line}:${position.column}` : name;
    return about === undefined ? place : `${place} ${wordsFor(about)}`;
  };
}

function wordsFor(about: About): string {
  if (about === "header") return about;
  return about.column === undefined ? `row ${about.row}` : `row ${about.row}, ${about.column}`;
}

export interface Payment {
  /** 1 for the first row after the header (CSV), or for the first object (NDJSON). */
  row: number;
  line: number;
  label?: string;
  /** As in the file; a label of the address book is resolved. */
  to: string;
  /** In the smallest unit. */
  value: bigint;
  /** Hex with 0x; absent for a plain transfer. */
  data?: string;
  /** Without the offset of the fingerprint (facts 15.11). */
  gasLimit?: bigint;
  /** The other members of the request, in the service's spelling: speed, prices, `valid_until`. */
  request: JsonObject;
}

/** Payments in the order of their rows, which may be built again each time they are read. */
export interface Payments extends Iterable<Payment> {
  readonly length: number;
}

export function paymentsOf(payments: Payments, rows: ReadonlySet<number>): Payments {
  if (rows.size === 0) return [];
  if (rows.size === payments.length) return payments;
  return {
    length: rows.size,
    *[Symbol.iterator]() {
      for (const payment of payments) if (rows.has(payment.row)) yield payment;
    },
  };
}

/** A file of payments whose rows are all valid as far as the file shows. */
export interface PaymentFile {
  name: string;
  placeText: PlaceText;
  sha256: string;
  kind: NetworkKind;
  payments: Payments;
  /** In the smallest unit. */
  total: bigint;
  /** The coin that is typed as a unit, with its first use; the relayer's network must have it. */
  coin?: TypedCoin;
}

export interface TypedCoin {
  /** As typed: `eth`. */
  coin: string;
  /** With the amount: `0.01eth`. */
  text: string;
  /** For messages: `payouts.csv:2:44 row 1, value`. */
  where: string;
  row: number;
}

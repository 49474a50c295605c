import type { Speed } from "../../chain/evm/fee-history.ts";
import { digestOf } from "../file/content.ts";
import type { RowOutcome } from "../outcome.ts";
import type { Payment, PaymentFile } from "../payment.ts";
import { AS_FLAGS, type Spelling } from "../spelling.ts";
import type { Target } from "./targets.ts";

/** When a balance is topped up, and to what. In the smallest unit. */
export interface Levels {
  below: bigint;
  to: bigint;
}

export interface Holding extends Target {
  balance: bigint;
  pending: bigint;
}

export interface TopUp extends Holding {
  /** 0 if its balance is not below the level. */
  amount: bigint;
  /** The row of its payment; absent without one. */
  row?: number;
}

export function planTopUps(holdings: readonly Holding[], levels: Levels): TopUp[] {
  let row = 0;
  return holdings.map((holding) => {
    const has = holding.balance + holding.pending;
    return has < levels.below ? { ...holding, amount: levels.to - has, row: ++row } : { ...holding, amount: 0n };
  });
}

export function paymentsFor(topUps: readonly TopUp[], speed: Speed): PaymentFile {
  const names = new Map(topUps.flatMap(({ row, name }) => (row === undefined ? [] : [[row, name] as const])));
  const payments = topUps.flatMap(({ row, name, address, amount }): Payment[] =>
    row === undefined ? [] : [{ row, line: row, label: name, to: address, value: amount, request: { speed } }],
  );
  return {
    name: "the top-ups",
    placeText: (_, about) => (typeof about === "object" ? (names.get(about.row) ?? "top-up") : "the top-ups"),
    sha256: digestOf(payments),
    kind: "evm",
    payments,
    total: payments.reduce((sum, { value }) => sum + value, 0n),
    warnings: [],
  };
}

/** The next top-up looks for what is unknown; nothing is resumed. */
export const AS_TOP_UP: Spelling = {
  ...AS_FLAGS,
  whenUnknown: [
    "an unknown top-up may be sent, or may still arrive: it counts as received until the chain shows that it cannot",
  ],
};

export type TopUpState = "enough" | "skipped" | RowOutcome["state"];

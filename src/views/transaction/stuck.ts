import type { StuckTransaction } from "../../chain/queue/stuck-transactions.ts";
import { briefStuckCause } from "../../chain/queue/stuck-words.ts";
import { currencyOf, formatAmount, GAS_PRICE, WEI, withPoint } from "../../contract/amount.ts";
import { groupDigits } from "../../contract/decimal.ts";
import type { JsonObject, JsonValue } from "../../contract/json.ts";
import { type Cell, type ResourceView, toColumn, viewPlainFields, viewTimeCell } from "../../terminal/view.ts";
import { recordValueCell } from "./record.ts";

const FIELDS = [
  "relayer_id",
  "network",
  "id",
  "nonce",
  "status",
  "created_at",
  "value",
  "fee",
  "base_fee",
  "code",
  "why",
  "waits_for",
  "blocks",
  "next",
];

/** Returns the items without those that only wait for another of them, whose row covers them. */
export function stuckWithoutWaiting<T extends JsonObject>(items: readonly T[]): T[] {
  const placeIn = ({ relayer_id: relayer }: JsonObject, nonce: JsonValue | undefined) => `${relayer} ${nonce}`;
  const places = new Set(items.map((item) => placeIn(item, item.nonce)));
  return items.filter((item) => item.waits_for === null || !places.has(placeIn(item, item.waits_for)));
}

/** @param isWhole whether those that only wait have rows */
export function stuckViewIn(
  symbolOf: (network: JsonValue) => string | undefined,
  isWhole: boolean,
): ResourceView<StuckTransaction> {
  return {
    one: "stuck transaction",
    many: "stuck transactions",
    table: [
      { ...toColumn("relayer", "relayer_id"), whole: true },
      { ...toColumn("nonce", "nonce"), align: "right", worth: 3 },
      { ...toColumn("status", "status"), worth: 3 },
      { header: "age", cell: (item) => viewTimeCell(item.created_at), reads: ["created_at"], align: "right", worth: 4 },
      { header: "fee", cell: ({ fee }) => recordValueCell(fee, GAS_PRICE), reads: ["fee"], align: "right" },
      {
        header: "value",
        cell: ({ value, network }) => recordValueCell(value, currencyOf("evm", symbolOf(network))),
        reads: ["value", "network"],
        align: "right",
        worth: 2,
      },
      { ...toColumn("id", "id"), worth: 5, isBelow: true },
      {
        header: "why",
        cell: whyCell,
        reads: ["code", "waits_for", "blocks", "fee", "base_fee"],
        worth: "always",
        isBelow: "if cut",
      },
    ],
    ...viewPlainFields(FIELDS),
    ...(!isWhole && {
      attention(items) {
        const count = items.length - stuckWithoutWaiting(items).length;
        return count === 0
          ? undefined
          : `${groupDigits(count)} only ${count === 1 ? "waits" : "wait"} for another (--all)`;
      },
    }),
    sign: ({ waits_for }) => (waits_for === null ? { sign: "attention", tone: "warn" } : { sign: "ahead" }),
  };
}

export const stuckView = stuckViewIn(() => WEI.symbol, true);

function whyCell({ code, waits_for: waitsFor, blocks, fee, base_fee }: StuckTransaction): Cell {
  const isBelow = waitsFor === null && fee !== null && base_fee !== null && BigInt(fee) < BigInt(base_fee);
  const text = isBelow
    ? `${withPoint(BigInt(fee), 9)} < base fee ${formatAmount(BigInt(base_fee), GAS_PRICE)}`
    : briefStuckCause(code, waitsFor);
  return waitsFor === null ? { text: blocks > 0 ? `${text}, blocks ${blocks}` : text, tone: "warn" } : { text };
}

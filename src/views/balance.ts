import { type Currency, currencyOf, LAMPORTS, STROOPS } from "../contract/amount.ts";
import type { JsonValue } from "../contract/json.ts";
import type { Balance } from "../contract/resources/relayer.ts";
import { type Cell, type ResourceView, toCell, toColumn, viewLines } from "../terminal/view.ts";
import { showAmount } from "./policy-field.ts";

export function balanceViewIn(symbol: string | undefined): ResourceView<Balance> {
  return {
    one: "balance",
    many: "balances",
    table: [{ header: "balance", cell: (found) => balanceCell(found, symbol) }],
    flat: ["balance", "unit"],
    fields: ["balance", "unit"],
    block: (found) => viewLines("balance", [balanceCell(found, symbol)]),
  };
}

export interface NamedBalance extends Balance {
  relayer_id: string;
}

export function balancesViewIn(symbolOf: (relayerId: string) => string | undefined): ResourceView<NamedBalance> {
  const one = balanceViewIn(undefined);
  return {
    ...one,
    id: "relayer_id",
    table: [
      toColumn("relayer", "relayer_id"),
      { header: "balance", cell: (found) => balanceCell(found, symbolOf(found.relayer_id)) },
    ],
    flat: ["relayer_id", ...one.flat],
    fields: ["relayer_id", ...one.fields],
  };
}

export function isInCoin({ unit }: Balance): boolean {
  return unit === "wei";
}

function balanceCell({ balance, unit }: Balance, symbol: string | undefined): Cell {
  const currency = currencyOfUnit(unit, symbol);
  if (currency) return { text: showAmount(balance, currency) };
  return { text: `${toCell(balance).text} ${toCell(unit).text}` };
}

function currencyOfUnit(unit: JsonValue, symbol: string | undefined): Currency | undefined {
  if (unit === "wei") return currencyOf("evm", symbol);
  return [LAMPORTS, STROOPS].find(({ base }) => base === unit);
}

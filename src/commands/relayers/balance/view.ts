import type { Balance } from "../../../contract/balance.ts";
import { isBaseUnit } from "../../../contract/network-kind.ts";
import { showAmount } from "../../../terminal/amount-text.ts";
import type { Cell, ResourceView } from "../../../terminal/view.ts";
import { cell, column, lines } from "../../cells.ts";

/** How the balance of one relayer is shown: readable first, and every digit after it. */
export const balanceView: ResourceView<Balance> = {
  one: "balance",
  many: "balances",
  table: [{ header: "balance", cell: balanceCell }],
  flat: ["balance", "unit"],
  fields: ["balance", "unit"],
  block: (found) => lines("balance", [balanceCell(found)]),
};

/** Whose balance it is, where several were asked for. */
export interface NamedBalance extends Balance {
  relayer_id: string;
}

export const balancesView: ResourceView<NamedBalance> = {
  ...balanceView,
  id: "relayer_id",
  table: [column("relayer", "relayer_id"), ...balanceView.table],
  flat: ["relayer_id", ...balanceView.flat],
  fields: ["relayer_id", ...balanceView.fields],
};

function balanceCell({ balance, unit }: Balance): Cell {
  if (isBaseUnit(unit)) return { text: showAmount(balance, unit) };
  return { text: `${cell(balance).text} ${cell(unit).text}` };
}

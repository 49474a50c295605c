import { type Currency, formatAmount, WEI, wireAmount } from "../contract/amount.ts";
import type { JsonObject } from "../contract/json.ts";
import type { TopUpState } from "../payments/top-up/top-up.ts";
import { type ResourceView, type TableColumn, type Tone, toColumn, viewPlainFields } from "../terminal/view.ts";

const FIELDS = [
  "target",
  "address",
  "balance",
  "pending",
  "amount",
  "after",
  "state",
  "transaction_id",
  "hash",
  "why",
] as const;

const TONES: Readonly<Partial<Record<TopUpState, Tone>>> = {
  enough: "faint",
  skipped: "faint",
  waiting: "faint",
  sent: "good",
  unknown: "bad",
  refused: "bad",
};

export function topUpViewIn(coin: Currency): ResourceView {
  const amount = (key: (typeof FIELDS)[number], worth: number): TableColumn<JsonObject> => ({
    header: key,
    cell: (item) => ({ text: formatAmount(wireAmount(item[key]) ?? 0n, coin) }),
    reads: [key],
    align: "right",
    worth,
  });
  return {
    one: "top-up",
    many: "top-ups",
    id: "target",
    table: [
      { ...toColumn("target", "target"), whole: true, worth: "always" },
      amount("balance", 3),
      amount("pending", 2),
      amount("amount", 4),
      amount("after", 1),
      {
        header: "state",
        cell: ({ state }) => ({ text: String(state), tone: TONES[state as TopUpState] }),
        reads: ["state"],
        worth: "always",
      },
    ],
    ...viewPlainFields(FIELDS),
  };
}

export const topUpView = topUpViewIn(WEI);

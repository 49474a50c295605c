import type { AuditedNonce } from "../../audit/classify.ts";
import { weiSent } from "../../audit/mined-nonce.ts";
import type { SpendGroup } from "../../audit/spend-groups.ts";
import { currencyNamed } from "../../contract/amount.ts";
import type { JsonObject } from "../../contract/json.ts";
import {
  type ResourceView,
  type TableColumn,
  toCell,
  toColumn,
  viewNumberColumn,
  viewPlainFields,
} from "../../terminal/view.ts";
import { costView } from "../history/costs.ts";
import { recordValueCell } from "../transaction/record.ts";
import type { Audited } from "./audit.ts";

/** For scripts. Amounts are in the coin's smallest unit. */
export type SpendItem = ReturnType<typeof spendItem>;

export function spendItem({ by, coin, value, fee, sent, failed, reverted }: SpendGroup) {
  return { by, coin: coin ?? null, value, fee, sent, failed, reverted };
}

const FIELDS = ["by", "coin", "value", "fee", "sent", "failed", "reverted"];

function amountColumn(header: "value" | "fee"): TableColumn<SpendItem> {
  return {
    header,
    cell: (item) => recordValueCell(item[header], currencyNamed(item.coin ?? undefined)),
    reads: [header, "coin"],
    align: "right",
    worth: "always",
  };
}

export function spendViewBy(header: string): ResourceView<SpendItem> {
  return {
    one: "group",
    many: "groups",
    id: "by",
    hasLabels: true,
    table: [
      { header, cell: ({ by }) => toCell(by), reads: ["by"], whole: true },
      amountColumn("value"),
      amountColumn("fee"),
      viewNumberColumn("sent"),
      viewNumberColumn("failed"),
      viewNumberColumn("reverted"),
    ],
    ...viewPlainFields(FIELDS),
  };
}

const PAYMENT_FIELDS = ["time", "hash", "relayer", "nonce", "value", "fee", "receiver", "label", "reason", "coin"];

export function spendPaymentItem({ mined, claim }: AuditedNonce, { relayerId, coin, labelOf }: Audited): JsonObject[] {
  if (!mined) return [];
  const { time, hash, nonce, fee, to } = mined;
  return [
    {
      time: new Date(time).toISOString(),
      hash,
      relayer: relayerId,
      nonce,
      value: weiSent(mined),
      fee,
      receiver: to,
      label: (to !== null && labelOf(to)) || null,
      reason: claim?.send?.reason ?? null,
      coin: coin ?? null,
    },
  ];
}

export const spentPaymentView: ResourceView = {
  one: "transaction",
  many: "transactions",
  id: "hash",
  hasLabels: true,
  table: PAYMENT_FIELDS.map((field) => toColumn(field, field)),
  ...viewPlainFields(PAYMENT_FIELDS),
};

/** The fields of all three forms, to validate typed ones. */
export const spendView: ResourceView = {
  ...spendViewBy("by"),
  fields: [...new Set([...FIELDS, ...PAYMENT_FIELDS, ...costView.fields])],
};

import type { AuditedNonce } from "../../audit/classify.ts";
import { type Currency, currencyNamed, WEI } from "../../contract/amount.ts";
import type { JsonObject } from "../../contract/json.ts";
import type { RowState } from "../../payments/outcome.ts";
import { REPORT_COLUMNS } from "../../payments/report/report.ts";
import {
  type Cell,
  type ResourceView,
  type RowSign,
  type TableColumn,
  type Tone,
  toColumn,
  viewNumberColumn,
  viewPlainFields,
  viewTimeCell,
} from "../../terminal/view.ts";
import { recordValueCell } from "../transaction/record.ts";

const TONES: Readonly<Partial<Record<RowState, Tone>>> = {
  confirmed: "good",
  sent: "good",
  waiting: "faint",
  unknown: "bad",
  refused: "bad",
  failed: "bad",
  canceled: "warn",
};

/** Returns a run's view: one row per payment, in the order of the file, with values in a coin. */
export function auditPaymentView(coin: Currency): ResourceView {
  return {
    one: "payment",
    many: "payments",
    id: "row",
    table: [
      { ...toColumn("row", "row"), align: "right", worth: "always" },
      { ...toColumn("label", "label"), worth: 1 },
      { ...toColumn("to", "to"), worth: 1 },
      {
        header: "value",
        cell: ({ value }) => recordValueCell(value, coin),
        reads: ["value"],
        align: "right",
        worth: 2,
      },
      { header: "state", cell: stateCell, reads: ["state", "by_record"], worth: "always" },
      { ...toColumn("transaction", "transaction_id"), worth: 3 },
      toColumn("hash", "hash"),
    ],
    ...viewPlainFields(REPORT_COLUMNS),
  };
}

export const paymentView = auditPaymentView(WEI);

function stateCell({ state, by_record: byRecord }: JsonObject): Cell {
  const word = String(state);
  return byRecord === true ? { text: `${word} (by the record)` } : { text: word, tone: TONES[word as RowState] };
}

/** One nonce of an audit, for scripts. Amounts are in the smallest unit. */
export type AuditItem = ReturnType<typeof auditItem>;

export interface Audited {
  relayerId: string;
  coin: string | undefined;
  labelOf(address: string): string | undefined;
  /** Returns a call's data in words; absent if no transaction calls anything. */
  callOf?: ((data: string) => string | undefined) | undefined;
}

export function auditItem(
  { nonce, kind, mined, hash, evidence }: AuditedNonce,
  { relayerId, coin, labelOf, callOf }: Audited,
) {
  const to = mined?.to ?? null;
  return {
    nonce,
    kind,
    hash: mined?.hash ?? hash ?? null,
    block: mined?.block ?? null,
    value: mined?.value ?? null,
    fee: mined?.fee ?? null,
    to,
    label: (to !== null && labelOf(to)) || null,
    at: mined ? new Date(mined.time).toISOString() : null,
    evidence: [...evidence],
    relayer_id: relayerId,
    coin: coin ?? null,
    call: (mined && callOf?.(mined.data)) ?? null,
  };
}

const NOTHING: Audited = { relayerId: "", coin: undefined, labelOf: () => undefined };
const FIELDS = Object.keys(auditItem({ nonce: 0n, kind: "gap", evidence: [] }, NOTHING));

const SIGNS: Readonly<Record<string, RowSign>> = {
  recorded: { sign: "good", tone: "good" },
  canceled: { sign: "good", tone: "faint" },
  foreign: { sign: "bad", tone: "bad" },
  doubled: { sign: "bad", tone: "bad" },
  gap: { sign: "bad", tone: "bad" },
};
const OTHER: RowSign = { sign: "attention", tone: "warn" };

function chooseSign({ kind }: AuditItem): RowSign {
  return SIGNS[kind] ?? OTHER;
}

function amountColumn(header: "value" | "fee"): TableColumn<AuditItem> {
  const shown = (item: AuditItem): Cell => recordValueCell(item[header], currencyNamed(item.coin ?? undefined));
  return { header, cell: shown, reads: [header, "coin"], align: "right", worth: 3 };
}

export const auditView: ResourceView<AuditItem> = {
  one: "nonce",
  many: "nonces",
  id: "nonce",
  hasLabels: true,
  table: [
    { ...viewNumberColumn("nonce"), worth: "always" },
    {
      header: "kind",
      cell: (item) => ({ text: item.kind.replaceAll("_", " "), tone: chooseSign(item).tone }),
      reads: ["kind"],
      worth: "always",
    },
    { header: "age", cell: ({ at }) => viewTimeCell(at), reads: ["at"], worth: 4 },
    amountColumn("value"),
    amountColumn("fee"),
    { ...toColumn("label", "label"), worth: 2 },
    { ...toColumn("to", "to"), worth: 1 },
    { ...toColumn("hash", "hash"), worth: 1, isBelow: true },
    {
      header: "call",
      cell: ({ call }) => ({ text: call ?? "" }),
      reads: ["call"],
      whole: true,
      worth: 1,
      isBelow: true,
    },
    { ...toColumn("relayer", "relayer_id"), whole: true, worth: 2 },
  ],
  sign: chooseSign,
  ...viewPlainFields(FIELDS),
};

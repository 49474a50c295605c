import type { MinedTransaction } from "../../audit/mined-nonce.ts";
import { createSpendGroups, type Grouping, type Spent } from "../../audit/spend-groups.ts";
import { type JsonObject, textIn, writeJson } from "../../contract/json.ts";
import { receivedTime } from "../../contract/reply/received-time.ts";
import type { Transaction } from "../../contract/transaction/transaction.ts";
import { listFrom, onePageView, type Page, type View } from "../../terminal/view.ts";
import { spendItem, spendPaymentItem, spendViewBy, spentPaymentView } from "../../views/audit/spend.ts";
import type { Call } from "../command.ts";
import { type AuditTyped, type OpenedAudit, openEachAudit, type Readings } from "./each-relayer.ts";

export async function runSpend(call: Call, typed: AuditTyped, grouping: Grouping): Promise<View> {
  const session = await call.session();
  const readings = await openEachAudit(call, typed, false);
  const isCsv = call.output.format === "csv";
  const resource = isCsv ? spentPaymentView : spendViewBy(grouping);
  return listFrom(session, resource, isCsv ? paymentPages(readings) : sumGroups(readings, typed, grouping), {
    nothing: `no spending was found in ${session.name}`,
    ending: async () => readings.ending([]),
  });
}

/** Relayers with the same address have the same transactions, of which each is spent once. */
function createFirstSight() {
  const seen = new Set<string>();
  return ({ relayer }: OpenedAudit, { hash }: MinedTransaction): boolean => {
    const key = `${relayer.address} ${hash}`.toLowerCase();
    const isFirst = !seen.has(key);
    seen.add(key);
    return isFirst;
  };
}

async function* paymentPages({ read, labelOf }: Readings): AsyncGenerator<Page> {
  const isFirst = createFirstSight();
  for await (const { opened, rows } of read()) {
    const audited = { relayerId: opened.relayer.id, coin: opened.coin, labelOf };
    const spent = rows.filter(({ mined }) => mined && isFirst(opened, mined));
    const items = spent.flatMap((row) => spendPaymentItem(row, audited));
    if (items.length > 0) yield { items, total: undefined, body: new Uint8Array() };
  }
}

async function* sumGroups(readings: Readings, { span }: AuditTyped, grouping: Grouping): AsyncGenerator<Page> {
  const groups = createSpendGroups(grouping);
  const isFirst = createFirstSight();
  const failed = new Map<Transaction, Spent>();
  const known = new Set<OpenedAudit>();
  const spentBy = ({ relayer, coin }: OpenedAudit, time: number, to: string | null): Spent => {
    const { id: relayerId, network } = relayer;
    const label = to === null ? undefined : readings.labelOf(to);
    return { relayerId, coin, network: textIn(network), time, to, label };
  };
  const noteFailed = (opened: OpenedAudit) => {
    if (known.has(opened)) return;
    known.add(opened);
    const { id } = opened.relayer;
    for (const record of opened.claims.failed.filter(({ relayer_id: own = id }) => own === id)) {
      const [time, to] = [receivedTime(record.created_at), record.to];
      if ("since" in span && time > span.since)
        failed.set(record, spentBy(opened, time, typeof to === "string" ? to.toLowerCase() : null));
    }
  };
  for await (const { opened, rows } of readings.read()) {
    noteFailed(opened);
    for (const { mined, claim } of rows) {
      if (!mined) continue;
      if (grouping === "relayer" || isFirst(opened, mined))
        groups.addMined(mined, spentBy(opened, mined.time, mined.to));
      // A failed record may also have reverted.
      if (claim?.record) failed.delete(claim.record);
    }
  }
  for (const spent of failed.values()) groups.addFailed(spent);
  const items: JsonObject[] = groups.list().map(spendItem);
  yield* onePageView(items, new TextEncoder().encode(writeJson(items)));
}

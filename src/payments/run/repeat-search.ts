import { paysNothing, type Transaction } from "../../contract/transaction/transaction.ts";
import { timeOf } from "../../journal/created-in-time.ts";
import { sendShape } from "../../recovery/lost-send.ts";
import type { Awaited } from "./running.ts";

/** Milliseconds within which two equal transactions may be one payment, as in an audit. */
const HOUR = 3_600_000;

interface Alike {
  own?: Awaited & { created: number | undefined };
  /** When the others were created, by ID. */
  others: Map<string, number | undefined>;
}

/** Finds e.g. what a proxy delivered twice. Two payments of a file have different gas limits. */
export function createRepeatSearch(awaited: readonly Awaited[]): (record: Transaction) => Awaited | undefined {
  const owns = new Map(awaited.map((each) => [each.transactionId, each]));
  const receivers = new Set(awaited.map(({ payment }) => payment.to.toLowerCase()));
  const found = new Map<string, Alike>();
  const told = new Set<string>();
  return (record) => {
    const { id } = record;
    const { content, gas } = sendShape(record) ?? {};
    if (gas === undefined || !receivers.has(String(record.to).toLowerCase())) return undefined;
    const alike: Alike = found.get(`${content} ${gas}`) ?? { others: new Map() };
    found.set(`${content} ${gas}`, alike);
    const [own, created] = [owns.get(id), timeOf(record.created_at)];
    if (own) alike.own = { ...own, created };
    else if (!paysNothing(record) && !told.has(id)) alike.others.set(id, created);
    const [repeat] = [...alike.others].find(([, time]) => alike.own && isSoon(time, alike.own.created)) ?? [];
    if (!alike.own || repeat === undefined) return undefined;
    told.add(repeat);
    alike.others.delete(repeat);
    return { payment: alike.own.payment, transactionId: repeat };
  };
}

function isSoon(one: number | undefined, other: number | undefined): boolean {
  return Math.abs((one ?? 0) - (other ?? one ?? 0)) < HOUR;
}

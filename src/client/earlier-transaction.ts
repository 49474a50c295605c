import { wireAmount } from "../contract/amount.ts";
import { receivedTime } from "../contract/reply/received-time.ts";
import type { Transaction } from "../contract/transaction/transaction.ts";
import { RelayctlError } from "../errors.ts";
import type { ApiResult } from "./request.ts";

/** Transactions that existed before a request. Rejects if the record of writes can't be read. */
export interface KnownTransactions {
  /** Returns its holder, e.g. its run. @param key its ID or its hash @param created milliseconds since 1970, or NaN */
  holderOf(key: string, created: number): Promise<string | undefined>;
  /**
   * Returns the relayer's highest nonce before the request, and by how many milliseconds the service's clock is at least
   * ahead of this machine's, as far as earlier responses show it; null if nothing could be read.
   */
  shown(): Promise<{ nonce: bigint | undefined; ahead: number | undefined } | null | undefined>;
}

/** Milliseconds by which a record predates its request, if earlier responses show the service's clock, and if not. */
const [OLDER, MUCH_OLDER] = [60_000, 30 * 60_000];

/**
 * Returns why the transaction of a response existed before the request, and can't be its result; undefined if nothing
 * shows it. A time counts only if it is too old by all known clocks: this machine's, as far as earlier responses show
 * how it differs, and the `Date` of the response, which a proxy may have written.
 * @throws RelayctlError io if it looks older, but earlier transactions cannot be read, or only this machine's clock shows it
 */
export async function whyEarlier(
  { data, head }: Pick<ApiResult<Transaction>, "data" | "head">,
  { time, took }: { time: number; took: number },
  known?: KnownTransactions,
): Promise<string | undefined> {
  const created = receivedTime(data.created_at);
  for (const key of [data.id, data.hash]) {
    const holder = typeof key === "string" && key !== "" ? await known?.holderOf(key, created) : undefined;
    if (holder !== undefined) return `${holder} had it before`;
  }
  const date = receivedTime(head?.headers.date) - took;
  const isOlderThan = (least: number, ahead = 0) =>
    created > 0 && created < time + ahead - least && !(created >= date - least);
  const mayBeOlder = created > 0 && created < (Number.isNaN(date) ? time : date) - OLDER;
  const nonce = wireAmount(data.nonce);
  if (!mayBeOlder && nonce === undefined) return undefined;
  const { nonce: used, ahead } = requireShown(await known?.shown(), mayBeOlder ? data.created_at : undefined);
  if (nonce !== undefined && used !== undefined && nonce <= used)
    return `it has nonce ${nonce}, and nonce ${used} was used before the request`;
  const isOlder = ahead === undefined ? isOlderThan(MUCH_OLDER) : isOlderThan(OLDER, ahead);
  return isOlder ? createdBeforeText(data.created_at, [ahead, date]) : undefined;
}

function createdBeforeText(created: unknown, [ahead, date]: readonly [number | undefined, number]): string {
  const why = `it was created at ${created}`;
  if (ahead !== undefined || !Number.isNaN(date)) return why;
  throw new RelayctlError("io", `${why}; only this machine's clock shows that this was earlier`);
}

type Shown = Awaited<ReturnType<KnownTransactions["shown"]>>;

/** @param doubtful when the transaction was created, if that looks earlier than the request */
function requireShown(shown: Shown, doubtful: unknown): Partial<NonNullable<Shown>> {
  if (shown !== null) return shown ?? {};
  if (doubtful === undefined) return {};
  throw new RelayctlError("io", `earlier ones cannot be read, and it was created at ${doubtful}`);
}

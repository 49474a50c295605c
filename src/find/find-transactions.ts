import { isUuid } from "../contract/id.ts";
import type { Relayer } from "../contract/resources/relayer.ts";
import { RelayctlError } from "../errors.ts";
import { listed } from "../session/listed.ts";
import type { Session } from "../session/session.ts";
import { type Search, searchPart, searchRelayers } from "./search.ts";
import { newest, type RecordedTransaction, recordedIn, searchTransactions } from "./search-service.ts";
import { thingOf } from "./thing.ts";

export interface FoundTransactions {
  found: readonly RecordedTransaction[];
  /** Set if a relayer has this very ID. */
  isRelayer: boolean;
  /** Why a part could not be searched. */
  missed: readonly RelayctlError[];
}

/**
 * Finds the transaction with a whole ID, in the journal and then at the relayers, within the bounds of `find`; or those whose
 * IDs begin with a text, up to two.
 * @throws RelayctlError auth; interrupted
 */
export async function findTransactions(
  session: Session,
  text: string,
  { relayer, interrupt }: { relayer: string | undefined; interrupt: AbortSignal },
): Promise<FoundTransactions> {
  const thing = thingOf(text.toLowerCase());
  const search: Search = { session, client: session.inBulk(), thing, interrupt, hits: [], parts: [] };
  const recorded = isUuid(text) ? await readRecorded(search) : [];
  if (recorded.length > 0) return { found: recorded, isRelayer: await hasRelayer(search), missed: [] };
  const list = () => listed<Relayer>(search.client.relayers.list());
  const relayers = relayer === undefined ? ((await searchPart(search, "relayers", list)) ?? []) : [{ id: relayer }];
  const found = isUuid(text) ? await findWhole(search, relayers) : await findBegun(search, relayers);
  const missed = search.parts.flatMap(({ error }) => (error instanceof RelayctlError ? [error] : []));
  return { found, isRelayer: relayer === undefined && relayers.some(({ id }) => id === text), missed };
}

async function findWhole(search: Search, relayers: readonly Relayer[]): Promise<RecordedTransaction[]> {
  await searchTransactions(search, relayers, []);
  return search.hits.map(({ relayer, id }) => ({ relayer: relayer ?? "", transaction: id }));
}

async function findBegun(search: Search, relayers: readonly Relayer[]): Promise<RecordedTransaction[]> {
  const found: RecordedTransaction[] = [];
  const isOver = () => found.length > 1;
  const read = async ({ id: relayer }: Relayer) => {
    await newest(search, relayer, ({ id: transaction }) => {
      if (transaction.startsWith(search.thing.text)) found.push({ relayer, transaction });
      return isOver();
    });
  };
  await searchRelayers(search, relayers, read, isOver);
  return found;
}

/** Returns the transaction of the journal with the ID. A journal that cannot be read leaves the search to the service. */
async function readRecorded({ session, thing }: Search): Promise<readonly RecordedTransaction[]> {
  try {
    const entries = (await (await session.journal())?.find(thing.text)) ?? [];
    return recordedIn(entries, session.origin).filter(({ transaction }) => transaction === thing.text);
  } catch (error) {
    if (!(error instanceof RelayctlError) || error.failure === "interrupted") throw error;
    return [];
  }
}

async function hasRelayer({ client, thing }: Search): Promise<boolean> {
  try {
    await client.relayers.get(thing.text);
    return true;
  } catch (error) {
    if (!(error instanceof RelayctlError) || ["auth", "interrupted"].includes(error.failure)) throw error;
    return false;
  }
}

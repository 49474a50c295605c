import type { Relayer } from "../contract/resources/relayer.ts";
import { RelayctlError } from "../errors.ts";
import { listed } from "../session/listed.ts";
import type { Session } from "../session/session.ts";
import { type Search, searchPart, searchRelayers } from "./search.ts";
import { newest, type RecordedTransaction, recordedIn, searchTransactions } from "./search-service.ts";
import { thingOf } from "./thing.ts";

/** What a whole ID, or the first characters of one, can mean. */
export interface FoundTransactions {
  found: readonly RecordedTransaction[];
  /** Set if a relayer has this very ID. */
  isRelayer: boolean;
  /** Why a part could not be searched. */
  missed: readonly RelayctlError[];
}

/**
 * Finds the transaction with an ID: in the journal, then at the relayers, within the bounds of `find`.
 * @throws RelayctlError auth; interrupted
 */
export async function findTransaction(
  session: Session,
  text: string,
  interrupt: AbortSignal,
): Promise<FoundTransactions> {
  const search = openSearch(session, text, interrupt);
  const recorded = await readRecorded(search);
  if (recorded.length > 0) return { found: recorded, isRelayer: await hasRelayer(search), missed: [] };
  const relayers = (await searchPart(search, "relayers", () => listed<Relayer>(search.client.relayers.list()))) ?? [];
  await searchTransactions(search, relayers, []);
  const found = search.hits.map(({ relayer, id }) => ({ relayer: relayer ?? "", transaction: id }));
  return { found, isRelayer: relayers.some(({ id }) => id === text), missed: missedBy(search) };
}

/**
 * Finds the transactions whose IDs begin with a text, of one relayer or of all; ends when there are two.
 * @throws RelayctlError auth; interrupted
 */
export async function findByPrefix(
  session: Session,
  text: string,
  { relayer, interrupt }: { relayer: string | undefined; interrupt: AbortSignal },
): Promise<FoundTransactions> {
  const search = openSearch(session, text, interrupt);
  const all = () => listed<Relayer>(search.client.relayers.list());
  const relayers = relayer === undefined ? ((await searchPart(search, "relayers", all)) ?? []) : [{ id: relayer }];
  const found: RecordedTransaction[] = [];
  const read = async ({ id }: Pick<Relayer, "id">) => {
    await newest(search, id, ({ id: transaction }) => {
      if (transaction.startsWith(search.thing.text)) found.push({ relayer: id, transaction });
      return found.length > 1;
    });
  };
  await searchRelayers(search, relayers, read, () => found.length > 1);
  return { found, isRelayer: relayers.some(({ id }) => id === text), missed: missedBy(search) };
}

function openSearch(session: Session, text: string, interrupt: AbortSignal): Search {
  return { session, client: session.inBulk(), thing: thingOf(text.toLowerCase()), interrupt, hits: [], parts: [] };
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

/** Returns whether a relayer has the ID of a transaction; false if the service does not say so. */
async function hasRelayer({ client, thing }: Search): Promise<boolean> {
  try {
    await client.relayers.get(thing.text);
    return true;
  } catch (error) {
    if (!(error instanceof RelayctlError) || ["auth", "interrupted"].includes(error.failure)) throw error;
    return false;
  }
}

function missedBy({ parts }: Search): RelayctlError[] {
  return parts.flatMap(({ error }) => (error instanceof RelayctlError ? [error] : []));
}

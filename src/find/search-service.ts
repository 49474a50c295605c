import type { App } from "../app.ts";
import { groupDigits } from "../contract/decimal.ts";
import { isUuid } from "../contract/id.ts";
import type { JsonObject } from "../contract/json.ts";
import type { Relayer } from "../contract/resources/relayer.ts";
import { type Transaction, txStatus } from "../contract/transaction/transaction.ts";
import { ifFound, ifReadable, RelayctlError } from "../errors.ts";
import type { Entry } from "../journal/journal.ts";
import { stateCell } from "../relayer-state/state.ts";
import { collectById } from "../session/collect.ts";
import type { Session } from "../session/session.ts";
import { toCell } from "../terminal/view.ts";
import {
  hasSearchedAddress,
  hasSearchedHash,
  isSearchedName,
  parseSearchTerm,
  type Search,
  type SearchTerm,
  searchPart,
  searchRelayers,
} from "./search.ts";
import { createHit, MOST_SEARCHED } from "./view.ts";

const PER_PAGE = 100;

async function searchTransactions(
  search: Search,
  relayers: readonly Relayer[],
  recorded: readonly RecordedTransaction[],
): Promise<void> {
  const { client, thing } = search;
  const { form, text } = thing;
  const add = (relayer: string, record: Transaction) => addTransaction(search, relayer, record);
  const isFound = () => search.hits.some(({ kind }) => kind === "transaction");
  if (form === "nonce")
    return await searchRelayers(search, relayers.filter(isEvm), async ({ id }) => {
      const record = (await ifFound(client.tx.getByNonce(id, text)))?.data;
      if (record) add(id, record);
    });
  if (form === "uuid")
    return await searchRelayers(
      search,
      relayers,
      async ({ id }) => {
        const record = (await ifFound(client.tx.get(id, text)))?.data;
        // The service does not check whose transaction it is (facts 5.4), and only some records show it.
        if (record && (record.relayer_id || (await newest(search, id, (each) => each.id === record.id))))
          add(id, record);
      },
      isFound,
    );
  if (form !== "hash") return;
  const known = relayers.filter(({ id }) => recorded.some(({ relayer }) => relayer === id));
  await searchRelayers(search, known, async ({ id }) => {
    for (const { relayer, transaction } of recorded) {
      if (relayer !== id) continue;
      const record = (await ifFound(client.tx.get(id, transaction)))?.data;
      if (record) add(id, record);
    }
  });
  if (isFound()) return;
  const read = async ({ id }: Relayer) => {
    const record = await newest(search, id, (each) => hasSearchedHash(thing, each));
    if (record) add(id, record);
  };
  await searchRelayers(search, relayers, read, isFound);
  // A hash belongs to one transaction: once it is found, unsearched parts don't matter.
  if (isFound()) search.parts.splice(0, Infinity, ...search.parts.filter(({ error }) => error?.failure !== "partial"));
}

/** Returns a relayer's newest transaction that meets a condition. @throws RelayctlError partial if too many */
async function newest({ client }: Pick<Search, "client">, relayer: string, isWanted: (record: Transaction) => boolean) {
  let read = 0;
  for await (const { items, total } of client.tx.list(relayer, { perPage: PER_PAGE, concurrency: 1 })) {
    const found = items.find(isWanted);
    if (found) return found;
    read += items.length;
    if (read < MOST_SEARCHED || total === read) continue;
    const all = total === undefined ? "" : ` of ${groupDigits(total)}`;
    throw new RelayctlError("partial", `only the newest ${groupDigits(read)}${all} transactions were searched`);
  }
  return undefined;
}

function addTransaction(search: Search, relayer: string, record: Transaction): void {
  const { hits, session, thing } = search;
  const { id, nonce } = record;
  if (hits.some((hit) => hit.kind === "transaction" && hit.id === id && hit.relayer === relayer)) return;
  const number = nonce === undefined || nonce === null ? [] : [`nonce ${toCell(nonce).text}`];
  const replaced = thing.form === "hash" && !hasSearchedHash(thing, record) ? ["an earlier hash"] : [];
  const what = [txStatus(record), ...number, ...replaced].join(", ");
  hits.push(createHit(session, { kind: "transaction", relayer, id, what }, ["tx", "get", relayer, id]));
}

function isEvm({ network_type: kind }: Relayer): boolean {
  return kind === undefined || kind === null || kind === "evm";
}

/** Searches a service and its journal. @throws RelayctlError auth; interrupted */
export async function searchService(
  session: Session,
  thing: SearchTerm,
  { interrupt, clock }: Pick<App, "interrupt" | "clock">,
): Promise<Search> {
  const search: Search = { session, client: session.inBulk(), thing, interrupt, hits: [], parts: [] };
  const relayers = await searchPart(search, "relayers", () => collectById<Relayer>(search.client.relayers.list()));
  for (const relayer of relayers ?? []) addRelayer(search, relayer);
  if (!["hash", "address"].includes(thing.form)) await searchOthers(search);
  const recorded = await searchJournal(search);
  if (relayers) await searchTransactions(search, relayers, recorded);
  const isNonce = thing.form === "nonce";
  const isFound = (relayer: string) =>
    search.hits.some((hit) => hit.kind === "transaction" && (!isNonce || hit.relayer === relayer));
  const isSought = ({ relayer, transaction }: RecordedTransaction) =>
    (isNonce || thing.form === "hash" || transaction === thing.text) && !isFound(relayer);
  const known = recorded.filter(({ relayer }) => relayers?.some(({ id }) => id === relayer)).filter(isSought);
  if (known.length === 0 && !isNonce) return search;
  const { searchChain, searchChainForNonce } = await import("./search-chain.ts");
  for (const { relayer, transaction } of known)
    await searchChain(search, { relayerId: relayer, id: transaction, now: () => clock.now() });
  const others = (relayers ?? []).filter((relayer) => isEvm(relayer) && !isFound(relayer.id));
  if (isNonce && others.length > 0) await searchChainForNonce(search, others, clock.now());
  return search;
}

function addRelayer({ session, thing, hits }: Search, relayer: Relayer): void {
  const { id, name, address } = relayer;
  const isFound = thing.form === "address" ? hasSearchedAddress(thing, relayer) : isSearchedName(thing, id, name);
  if (!isFound || thing.form === "hash") return;
  const shown = thing.form === "address" ? address : name;
  const what = [...(shown ? [shown] : []), stateCell(relayer).text].join(", ");
  hits.push(createHit(session, { kind: "relayer", relayer: id, id, what }, ["relayers", "get", id]));
}

interface Other {
  kind: string;
  noun: "notifications" | "signers" | "networks" | "plugins";
  field: string;
  /** Set if a service may have no list of them. */
  isNewer?: true;
}

const OTHERS: readonly Other[] = [
  { kind: "notification", noun: "notifications", field: "type" },
  { kind: "signer", noun: "signers", field: "type" },
  { kind: "network", noun: "networks", field: "network_type", isNewer: true },
  { kind: "plugin", noun: "plugins", field: "path", isNewer: true },
];

async function searchOthers(search: Search): Promise<void> {
  const { client, session, thing, hits } = search;
  for (const { kind, noun, field, isNewer } of OTHERS) {
    const read = () => collectById<JsonObject & { id: string }>(client[noun].list());
    const found = await searchPart(search, noun, isNewer ? async () => (await ifFound(read())) ?? [] : read);
    for (const item of found ?? [])
      if (isSearchedName(thing, item.id))
        hits.push(createHit(session, { kind, id: item.id, what: toCell(item[field]).text }, [noun, "get", item.id]));
  }
}

interface RecordedTransaction {
  relayer: string;
  transaction: string;
}

async function searchJournal(search: Search): Promise<RecordedTransaction[]> {
  const { session, hits, parts } = search;
  const entries = await readEntries(search);
  const writes = entries.filter((entry) => entry.type === "intent").filter(({ server }) => server === session.origin);
  // A journal without a match does not stand for a service that does not respond.
  if (writes.length > 0) parts.push({ id: "journal", value: true });
  for (const { run, time, operation, ids } of writes) {
    const what = `${operation}, ${time}`;
    const hit = { kind: "write", relayer: ids.relayer_id ?? null, id: run, what };
    hits.push(createHit(session, hit, ["history", "show", run]));
  }
  return recordedIn(entries, session.origin);
}

function recordedIn(entries: readonly Entry[], origin: string): RecordedTransaction[] {
  const created = createdIn(entries);
  const found = new Map<string, RecordedTransaction>();
  for (const entry of entries) {
    if (entry.type !== "intent" || entry.server !== origin || !entry.operation.startsWith("tx.")) continue;
    const { relayer_id: relayer, transaction_id: transaction = created.get(entry.id) } = entry.ids;
    if (relayer !== undefined && typeof transaction === "string" && !found.has(transaction))
      found.set(transaction, { relayer, transaction });
  }
  return [...found.values()];
}

async function readEntries({ session, thing, hits, parts }: Search): Promise<readonly Entry[]> {
  try {
    const journal = await session.journal();
    if (!journal) return [];
    const found = await journal.find(thing.text);
    const isGone = ["word", "uuid"].includes(thing.form) && found.length === 0 && hits.length === 0;
    const isSought = ["address", "nonce"].includes(thing.form) || isGone;
    return isSought ? await (await import("./search-bodies.ts")).searchBodies(journal, thing) : found;
  } catch (error) {
    if (!(error instanceof RelayctlError) || error.failure === "interrupted") throw error;
    parts.push({ id: "journal", error });
    return [];
  }
}

function createdIn(entries: readonly Entry[]): Map<string, string> {
  const created = new Map<string, string>();
  for (const entry of entries) {
    const shown = entry.type === "outcome" ? entry.after?.id : undefined;
    if (typeof shown === "string" && !created.has(entry.id)) created.set(entry.id, shown);
  }
  return created;
}

export interface FoundTransactions {
  found: readonly RecordedTransaction[];
  /** Set if a relayer has this very ID. */
  isRelayer: boolean;
  /** Why a part could not be searched. */
  missed: readonly RelayctlError[];
}

/** Searches the journal, then the relayers. A start of an ID finds up to two. @throws auth; interrupted */
export async function searchServiceForTransactions(
  session: Session,
  text: string,
  { relayer, interrupt }: { relayer: string | undefined; interrupt: AbortSignal },
): Promise<FoundTransactions> {
  const thing = parseSearchTerm(text.toLowerCase());
  const search: Search = { session, client: session.inBulk(), thing, interrupt, hits: [], parts: [] };
  const recorded = isUuid(text) ? await readRecorded(search) : [];
  if (recorded.length > 0) return { found: recorded, isRelayer: await hasRelayer(search), missed: [] };
  const list = () => collectById<Relayer>(search.client.relayers.list());
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
  const entries = await ifReadable(session.journal().then((journal) => journal?.find(thing.text)));
  return recordedIn(entries ?? [], session.origin).filter(({ transaction }) => transaction === thing.text);
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

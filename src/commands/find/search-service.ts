import type { Session } from "../../command-support/session/session.ts";
import type { JsonObject } from "../../contract/json.ts";
import type { Relayer } from "../../contract/resources/relayer.ts";
import { RelayctlError } from "../../errors.ts";
import { cell } from "../cells.ts";
import { listed } from "../listed.ts";
import { stateCell } from "../relayers/state.ts";
import { type Search, searchPart } from "./search.ts";
import { searchJournal } from "./search-journal.ts";
import { searchTransactions } from "./search-transactions.ts";
import { hasAddress, isCalled, type Thing } from "./thing.ts";
import { hitOf } from "./view.ts";

/** Searches a service and its journal. @throws RelayctlError auth; interrupted */
export async function searchService(session: Session, thing: Thing, interrupt: AbortSignal): Promise<Search> {
  const search: Search = { session, client: session.inBulk(), thing, interrupt, hits: [], parts: [] };
  const relayers = await searchPart(search, "relayers", () => listed<Relayer>(search.client.relayers.list()));
  for (const relayer of relayers ?? []) addRelayer(search, relayer);
  if (!["hash", "address"].includes(thing.form)) await searchOthers(search);
  const recorded = await searchJournal(search);
  if (relayers) await searchTransactions(search, relayers, recorded);
  return search;
}

function addRelayer({ session, thing, hits }: Search, relayer: Relayer): void {
  const { id, name, address } = relayer;
  const isFound = thing.form === "address" ? hasAddress(thing, relayer) : isCalled(thing, id, name);
  if (!isFound || thing.form === "hash") return;
  const shown = thing.form === "address" ? address : name;
  const what = [...(shown ? [shown] : []), stateCell(relayer).text].join(", ");
  hits.push(hitOf(session, { kind: "relayer", relayer: id, id, what }, ["relayers", "get", id]));
}

/** What else has an ID, and the command that shows it. */
interface Other {
  kind: string;
  noun: "notifications" | "signers" | "networks" | "plugins";
  /** The field that shows what it is. */
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
    const read = () => listed<JsonObject & { id: string }>(client[noun].list());
    const found = await searchPart(search, noun, isNewer ? () => ifThere(read) : read);
    for (const item of found ?? [])
      if (isCalled(thing, item.id))
        hits.push(hitOf(session, { kind, id: item.id, what: cell(item[field]).text }, [noun, "get", item.id]));
  }
}

/** Returns nothing if the service has no such list. */
async function ifThere<T>(read: () => Promise<readonly T[]>): Promise<readonly T[]> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof RelayctlError && error.failure === "not_found") return [];
    throw error;
  }
}

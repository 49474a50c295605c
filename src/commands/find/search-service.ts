import type { Session } from "../../command-support/session/session.ts";
import type { Notification } from "../../contract/resources/notification.ts";
import type { Relayer } from "../../contract/resources/relayer.ts";
import type { Signer } from "../../contract/resources/signer.ts";
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

async function searchOthers(search: Search): Promise<void> {
  const { client, session, thing, hits } = search;
  const notifications = await searchPart(search, "notifications", () =>
    listed<Notification>(client.notifications.list()),
  );
  for (const { id, type } of notifications ?? [])
    if (isCalled(thing, id))
      hits.push(hitOf(session, { kind: "notification", id, what: cell(type).text }, ["notifications", "get", id]));
  const signers = await searchPart(search, "signers", () => listed<Signer>(client.signers.list()));
  for (const { id, type } of signers ?? [])
    if (isCalled(thing, id))
      hits.push(hitOf(session, { kind: "signer", id, what: cell(type).text }, ["signers", "get", id]));
}

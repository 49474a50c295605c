import { grouped } from "../../contract/decimal.ts";
import type { Notification } from "../../contract/resources/notification.ts";
import type { Relayer } from "../../contract/resources/relayer.ts";
import type { JournalFacts } from "../facts.ts";
import type { Found } from "../finding.ts";
import { hasNotification, type Place, proposedNotification, remedy, usesOf } from "../place.ts";
import { urlsOf } from "./relayer-checks.ts";

export function noKey(relayers: readonly Relayer[], notifications: readonly Notification[], place: Place): Found[] {
  return notifications.flatMap(({ id, has_signing_key: hasKey }) => {
    const count = usesOf(relayers, id);
    if (hasKey !== false || count === 0) return [];
    const message = `notification ${id} has no signing key, and receives from ${counted(count)}`;
    return [{ message, remedy: remedy(place, "notifications", "update", { id }, "--signing-key-file", "FILE") }];
  });
}

export function noTls(notifications: readonly Notification[], place: Place): Found[] {
  return notifications.flatMap(({ id, url }) => {
    if (typeof url !== "string" || !/^http:/i.test(url) || isLocal(url)) return [];
    const message = `notification ${id} is sent over http, so anyone on the way can read and change it`;
    return [{ message, remedy: remedy(place, "notifications", "update", { id }, "--url", "URL") }];
  });
}

function isLocal(url: string): boolean {
  return URL.canParse(url) && /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(url).hostname);
}

export function unused(relayers: readonly Relayer[], notifications: readonly Notification[], place: Place): Found[] {
  const isWanted = (id: string) =>
    id === proposedNotification(place) && relayers.some((each) => !hasNotification(each));
  return notifications.flatMap(({ id }): Found[] => {
    if (usesOf(relayers, id) > 0) return [];
    const message = `no relayer uses notification ${id}`;
    if (isWanted(id)) return [{ message, advice: "Use it for the relayers that have none, or delete it." }];
    return [{ message, remedy: remedy(place, "notifications", "delete", { id }) }];
  });
}

function counted(count: number): string {
  return count === 1 ? "1 relayer" : `${grouped(count)} relayers`;
}

/** A host that is the only one of several relayers: if it fails, all of them do. */
export function sharedHosts(relayers: readonly Relayer[]): Found[] {
  const byHost = new Map<string, number>();
  for (const { custom_rpc_urls: own } of relayers) {
    const hosts = new Set(urlsOf(own).flatMap((url) => (URL.canParse(url) ? new URL(url).host : [])));
    const [host, ...others] = hosts;
    if (host !== undefined && others.length === 0) byHost.set(host, (byHost.get(host) ?? 0) + 1);
  }
  return [...byHost].flatMap(([host, count]) => {
    if (count < 2) return [];
    const message = `${host} is the only RPC host of ${counted(count)}: if it fails, all of them stop`;
    return [{ message, advice: "Add a second URL of another provider to each, with --rpc-url." }];
  });
}

export function changedJournal({ fault }: JournalFacts): Found[] {
  if (fault === undefined) return [];
  return [
    { message: `the journal is not as it was written: ${fault}`, advice: "Find out who can write to its folder." },
  ];
}

export function unsettledWrites({ unsettled, leftRaised }: JournalFacts, place: Pick<Place, "flags">): Found[] {
  const many = unsettled === 1 ? "1 write is" : `${unsettled} writes are`;
  const writes = unsettled === 0 ? [] : [`${many} not settled: what became of it is unknown`];
  return [...writes, ...leftRaised].map((message) => ({ message, remedy: remedy(place, "history", "settle") }));
}

import { wireAmount } from "../../contract/amount.ts";
import type { JsonObject } from "../../contract/json.ts";
import { isMasked, maskRpcUrl } from "../../contract/rpc-url.ts";
import { outlookOf } from "../../relayer-state/outlook.ts";
import { known, type RelayerFacts } from "../facts.ts";
import type { Found } from "../finding.ts";
import { change, hasNotification, ONCE_ENABLED, type Place, proposedNotification, remedy } from "../place.ts";

export function disabled({ relayer, read: { status } }: RelayerFacts, { flags }: Place): Found[] {
  if (relayer.system_disabled !== true) return [];
  const isRead = "value" in status && wireAmount(status.value.balance) !== undefined;
  const { why, next, remedy: words } = outlookOf(relayer, flags, isRead);
  // What helps comes last.
  const [advice, ...more] = [...next].reverse().map(sentence);
  if (words)
    return [{ message: why, remedy: { argv: words, isComplete: false }, more: [...next.map(sentence), REFUSED] }];
  return [
    { message: why, advice: advice ?? "The service does not show when it checks again.", more: [...more, REFUSED] },
  ];
}

/** Facts 4.5. */
const REFUSED = "Until then it refuses changes of the relayer.";

function sentence(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;
}

export function paused({ relayer, read: { pause } }: RelayerFacts, place: Place): Found[] {
  if (relayer.paused !== true) return [];
  const pauser = "value" in pause ? pause.value : undefined;
  return [
    {
      message: pauser ? `paused by ${pauser.by}` : "paused, and the journal here does not show by whom",
      since: pauser?.since,
      ...(relayer.system_disabled === true
        ? { advice: ONCE_ENABLED }
        : { remedy: remedy(place, "relayers", "resume", { id: relayer.id }) }),
    },
  ];
}

/** A relayer without a notification gets the one that most others have. */
export function noNotification({ relayer }: RelayerFacts, place: Place): Found[] {
  if (hasNotification(relayer)) return [];
  const message = "no notification is set: failures go unreported";
  if (relayer.system_disabled === true) return [{ message, advice: ONCE_ENABLED }];
  if (!place.notifications) return [{ message, advice: "The notifications cannot be listed now." }];
  const usual = proposedNotification(place);
  if (usual !== undefined)
    return [{ message, remedy: change(place, relayer, ...listFlags("--notification-id", usual)) }];
  return [{ message, remedy: remedy(place, "notifications", "create", "--type", "webhook", "--url", "URL") }];
}

function listFlags(flag: string, value: string): string[] {
  return value.startsWith("-") ? [`${flag}=${value}`] : [flag, value];
}

/**
 * A mask that was written back cannot be told from a masked URL, unless the service shows other URLs whole: services
 * before v1.4 do for relayers, and every service does for networks (facts 4.4, 8.2).
 */
export function maskedUrl({ relayer, read }: RelayerFacts, place: Place): Found[] {
  const own = urlsOf(relayer.custom_rpc_urls);
  const showsWhole = place.relayers
    .flatMap((each) => urlsOf(each.custom_rpc_urls))
    .some((url) => maskRpcUrl(url) !== url);
  if (own.some(isMasked) && showsWhole) {
    const [url = ""] = own.filter(isMasked);
    const help = change(place, relayer, "--rpc-url", "URL");
    return [{ message: `${url} is stored with its mask`, ...(help ? { remedy: help } : { advice: ONCE_ENABLED }) }];
  }
  const network = known(read.network);
  const [shared] = own.length > 0 ? [] : urlsOf(network?.rpc_urls).filter(isMasked);
  if (shared === undefined || !network) return [];
  return [
    {
      message: `${shared} of its network is stored with its mask`,
      remedy: remedy(place, "networks", "update", { id: network.id }, "--rpc-url", "URL"),
    },
  ];
}

export function urlsOf(entries: unknown): string[] {
  if (!Array.isArray(entries)) return [];
  return entries.flatMap((entry: string | JsonObject | null) => {
    const url = typeof entry === "string" ? entry : entry?.url;
    return typeof url === "string" ? [url] : [];
  });
}

import { type JsonObject, type JsonValue, writeJson } from "../../contract/json.ts";
import {
  DEFAULT_WEIGHT,
  isMaskedRpcUrl,
  maskRpcUrl,
  type WeightedUrl,
  weightedRpcUrl,
  weightedRpcUrlText,
} from "../../contract/rpc-url.ts";
import { hiddenIn, hiddenOrigin, hiddenUrlOrigin } from "../hidden.ts";
import type { IsLastApplied } from "../known-secrets.ts";
import { canonicalSet, canonicalText } from "./canonical-json.ts";
import { type Comparison, reasons } from "./findings.ts";

function urlEntries(list: JsonValue | undefined): readonly WeightedUrl[] | undefined {
  if (list === undefined || list === null) return [];
  if (!Array.isArray(list)) return undefined;
  const entries = list.map(weightedRpcUrl);
  return entries.every((entry) => entry !== undefined) ? entries : undefined;
}

export function shownRpcUrls(list: JsonValue | undefined): JsonValue {
  if (!Array.isArray(list)) return list === undefined || list === null ? null : "***";
  return list.map((item): JsonObject => {
    const entry = weightedRpcUrl(item) ?? { url: "", weight: String(DEFAULT_WEIGHT) };
    const weight = Number(entry.weight);
    return { url: shownUrl(entry.url), ...(weight !== DEFAULT_WEIGHT && { weight }) };
  });
}

function shownUrl(url: string): string {
  return hiddenIn(url) === undefined ? maskRpcUrl(url) : url;
}

/** Returns the same text for equal lists of RPC URLs; undefined for none. It may contain secrets. */
export function canonicalRpcUrls(list: JsonValue | undefined): string | undefined {
  const entries = urlEntries(list);
  if (!entries) return canonicalText(list);
  const texts = entries.map(({ url, weight }) => `{"url":${writeJson(url)},"weight":${weight}}`);
  return texts.length === 0 ? undefined : canonicalSet(texts);
}

function hidesUrl(entries: readonly WeightedUrl[]): boolean {
  return entries.some(({ url }) => hiddenIn(url) !== undefined);
}

/** Services mask URLs since v1.4 (facts 4.4): the rest is only known to be equal if it was last applied from here. */
async function compareUrls(
  desired: readonly WeightedUrl[],
  live: readonly WeightedUrl[],
  lastApplied: () => Promise<IsLastApplied | undefined>,
): Promise<"same" | "different" | "unknown"> {
  const pairs = pairUrls(distinctUrls(desired), distinctUrls(live)) ?? pairUrls(desired, live);
  if (!pairs) return "different";
  const hidden = pairs.filter(([one, other]) => one.url !== other.url);
  const toTest = hidden.filter(([{ url }]) => hiddenIn(url) === undefined);
  const isLastApplied = toTest.length > 0 ? await lastApplied() : undefined;
  if (isLastApplied)
    for (const [entry] of toTest) if (!(await isLastApplied(weightedRpcUrlText(entry)))) return "different";
  if (hidden.length === 0) return "same";
  // Two equal URLs of a file may stand for two masked ones that differ.
  const areAllTested = toTest.length === hidden.length && distinctUrls(desired).length === desired.length;
  return isLastApplied && areAllTested ? "same" : "unknown";
}

/** Leaves out duplicates. Two masked URLs aren't duplicates, since they may differ. */
function distinctUrls(entries: readonly WeightedUrl[]): WeightedUrl[] {
  const seen = new Set<string>();
  return entries.filter((entry) => {
    const text = weightedRpcUrlText(entry);
    if (!isMaskedRpcUrl(entry.url) && hiddenIn(entry.url) === undefined && seen.has(text)) return false;
    seen.add(text);
    return true;
  });
}

/** Returns for each entry of a file the service's entry that may be the same; undefined if any has none. */
function pairUrls(desired: readonly WeightedUrl[], live: readonly WeightedUrl[]) {
  if (desired.length !== live.length) return undefined;
  const left = [...live];
  const hiddenLast = [...desired].sort((one, other) => Number(isHidden(one)) - Number(isHidden(other)));
  const pairs = hiddenLast.flatMap((entry) => {
    const at = left.findIndex((candidate) => mayBeSame(entry, candidate));
    return at < 0 ? [] : left.splice(at, 1).map((found) => [entry, found] as const);
  });
  return left.length === 0 ? pairs : undefined;
}

function isHidden({ url }: WeightedUrl): boolean {
  return hiddenIn(url) !== undefined;
}

function mayBeSame(desired: WeightedUrl, live: WeightedUrl): boolean {
  if (desired.weight !== live.weight) return false;
  const hidden = hiddenIn(desired.url);
  if (hidden !== undefined) return (hiddenOrigin(hidden) ?? hiddenUrlOrigin(live.url)) === hiddenUrlOrigin(live.url);
  return isMaskedRpcUrl(live.url) ? maskRpcUrl(desired.url) === maskRpcUrl(live.url) : desired.url === live.url;
}

/** Compares the RPC URLs of a relayer or a network. The list is sent whole, so no part of it can be left out. */
export async function compareRpcUrls(
  { desired: { noun, id, fields }, live, findings, known, sendHidden }: Comparison,
  member: "custom_rpc_urls" | "rpc_urls",
): Promise<void> {
  const [after, before] = [fields[member] ?? null, live[member] ?? null];
  const [wanted, found] = [urlEntries(after), urlEntries(before)];
  if (!wanted || !found) return findings.unknown(member, reasons.unreadable);
  const compared = await compareUrls(wanted, found, () => known.lastApplied(noun, id, member));
  if (compared === "same") return;
  const shown = { before: shownRpcUrls(before), after: shownRpcUrls(after) };
  if (compared === "unknown" && (!sendHidden || hidesUrl(wanted)))
    return findings.unknown(member, hidesUrl(wanted) ? reasons.leftOut : reasons.masked);
  if (hidesUrl(wanted)) {
    const reason = "the list is sent whole, and the file leaves out a URL: write all URLs in the file";
    return findings.impossible(member, { ...shown, reason });
  }
  findings.change({ path: [member], ...shown, sent: after });
}

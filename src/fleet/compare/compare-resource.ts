import { isJsonObject, type JsonObject, type JsonValue, withJsonLeaves } from "../../contract/json.ts";
import { type Forms, requestFields, sentFields } from "../../contract/resources/field.ts";
import type { ChangeableField } from "../../contract/resources/field-types.ts";
import { networkFields } from "../../contract/resources/network.ts";
import { notificationFields } from "../../contract/resources/notification.ts";
import { type pluginFields, pluginTimeoutSeconds } from "../../contract/resources/plugin.ts";
import { relayerFields } from "../../contract/resources/relayer.ts";
import { SIGNER_TYPES, type SignerField, signerFields } from "../../contract/resources/signer.ts";
import { MASK, maskRpcUrl, rpcUrlHasUserInfo } from "../../contract/rpc-url.ts";
import { isSecretFieldPath } from "../../contract/secret-fields.ts";
import type { DesiredResource, FleetNoun } from "../desired-fleet.ts";
import { hiddenIn, hiddenText, hiddenUrl } from "../hidden.ts";
import { byText, canonicalJson, canonicalSet, canonicalText } from "./canonical-json.ts";
import { comparePolicies } from "./compare-policies.ts";
import { type Comparison, type Findings, reasons } from "./findings.ts";
import { compareRpcUrls } from "./rpc-urls.ts";

/** The members of a network that the service returns and can't change (facts 8.2, 14). */
export const NETWORK_MEMBERS = Object.keys(networkFields).filter(
  (name): name is NetworkMember => !["id", "name", "network_type", "rpc_urls"].includes(name),
);

export type NetworkMember = Exclude<keyof typeof networkFields, "id" | "name" | "network_type" | "rpc_urls">;

/** Compares a network of a file with the service's. Only its RPC URLs can be changed, and they cannot be unset. */
async function compareNetwork(comparison: Comparison): Promise<void> {
  const { live, findings } = comparison;
  const { fields } = comparison.desired;
  if ((fields.rpc_urls ?? null) !== null) await compareRpcUrls(comparison, "rpc_urls");
  for (const name of NETWORK_MEMBERS) {
    const [after, before] = [fields[name] ?? null, live[name] ?? null];
    // The service leaves out unset members, and the defaults depend on the network.
    if (after === null || comparedNetworkText(after) === comparedNetworkText(before)) continue;
    const reason = "the API can change only the rpc_urls of a network";
    findings.outsideApi(reason, { path: name, before: shownMember(before), after: shownMember(after) });
  }
}

/** Returns the text of a network's member. The order of its lists does not matter. */
export function comparedNetworkText(value: JsonValue): string {
  return Array.isArray(value) ? canonicalSet(value.map(canonicalJson)) : canonicalJson(value);
}

function shownMember(value: JsonValue): JsonValue {
  return withJsonLeaves(value, (leaf) => (typeof leaf === "string" && leaf.includes("://") ? maskRpcUrl(leaf) : leaf));
}

const COMPARE: Readonly<Record<FleetNoun, (comparison: Comparison) => Promise<void> | void>> = {
  relayers: compareRelayer,
  notifications: compareNotification,
  signers: compareSigner,
  networks: compareNetwork,
  plugins: comparePlugin,
};

export async function compareResource(comparison: Comparison): Promise<void> {
  const { desired, findings, known } = comparison;
  await COMPARE[desired.noun](comparison);
  for (const path of (await known.doubted?.(desired.noun, desired.id)) ?? []) findings.doubt(path);
}

/** The members with one value, changeable or not. */
export const RELAYER_MEMBERS = requestFields(relayerFields).filter(
  (name) => !["id", "custom_rpc_urls", "policies"].includes(name),
);
const CHANGEABLE = new Map(sentFields(relayerFields, "update"));
const IMMUTABLE = RELAYER_MEMBERS.filter((name) => !CHANGEABLE.has(name)).sort((one, other) => byText(other, one));
const VALUES = RELAYER_MEMBERS.filter((name) => CHANGEABLE.has(name));

async function compareRelayer(comparison: Comparison): Promise<void> {
  const { live, findings } = comparison;
  const { fields } = comparison.desired;
  for (const name of IMMUTABLE) compareImmutable(name, fields[name] ?? null, live[name] ?? null, findings);
  // The rest of a relayer on one network says nothing about a relayer on another.
  if (findings.cannot.some(({ path }) => path !== "signer_id")) return;
  const unreturned = unreturnedBy(live);
  for (const name of unreturned) if ((fields[name] ?? null) !== null) findings.unknown(name, reasons.notReturned);
  for (const name of VALUES) if (!unreturned.includes(name)) compareValue(name, { fields, live }, findings);
  if (!unreturned.includes("custom_rpc_urls")) await compareRpcUrls(comparison, "custom_rpc_urls");
  const kind = live.network_type ?? fields.network_type;
  comparePolicies({ kind, desired: fields.policies, live: live.policies }, findings);
}

const TYPES: Partial<Record<keyof Forms, string>> = { flag: "boolean", seconds: "number", object: "object" };

/** Returns the members that service v1.0 does not return, which has no signers either (facts 9). */
function unreturnedBy(live: JsonObject): readonly string[] {
  if ((live.signer_id ?? null) !== null) return [];
  return ["notification_id", "custom_rpc_urls"].filter((name) => (live[name] ?? null) === null);
}

function compareImmutable(name: string, after: JsonValue, before: JsonValue, findings: Findings): void {
  if (after === null) return;
  const isUnknown = before === null || hiddenIn(after) !== undefined;
  const reason = "the service cannot change it: delete and create the relayer";
  if (isUnknown) findings.unknown(name, before === null ? reasons.notReturned : reasons.leftOut);
  else if (canonicalJson(after) !== canonicalJson(before)) findings.impossible(name, { before, after, reason });
}

function compareValue(name: string, { fields, live }: { fields: JsonObject; live: JsonObject }, findings: Findings) {
  const [after, before] = [fields[name] ?? null, live[name] ?? null];
  const { null: isNullable, form = "text" } = CHANGEABLE.get(name) ?? {};
  const canBeUnset = isNullable === "accepted";
  const type = TYPES[form] ?? "string";
  if (after === null && !canBeUnset) return;
  if (before === null && !canBeUnset) findings.unknown(name, reasons.notReturned);
  else if (before !== null && typeof before !== type) findings.unknown(name, reasons.unreadable);
  else if (canBeUnset && hiddenIn(after) !== undefined) compareLeftOut(name, after, before, findings);
  else if (canonicalJson(after) !== canonicalJson(before)) findings.change({ path: [name], before, after });
}

function compareLeftOut(name: string, after: JsonValue, before: JsonValue, findings: Findings): void {
  if (before !== null) findings.unknown(name, reasons.leftOut);
  else findings.impossible(name, { before, after, reason: "the file leaves the ID out: write it in the file" });
}

const HIDDEN_KEY = hiddenText("key");
export const NOTIFICATION_MEMBERS = requestFields(notificationFields).filter(
  (name) => !["id", "url", "signing_key"].includes(name),
);

/** Compares a notification of a file with the service's, which never includes the signing key (facts 6). */
async function compareNotification(comparison: Comparison): Promise<void> {
  const { desired, live, findings } = comparison;
  const { url = null } = desired.fields;
  const before = live.url ?? null;
  for (const name of NOTIFICATION_MEMBERS) {
    const [after, found] = [desired.fields[name] ?? null, live[name] ?? null];
    if (after !== null && found !== null && canonicalJson(after) !== canonicalJson(found))
      findings.change({ path: [name], before: found, after });
  }
  if (url !== null && typeof before !== "string") findings.unknown("url", reasons.notReturned);
  else if (url !== null && url !== before) compareUrl(desired, url, before, findings);
  await compareKey(comparison);
}

function compareUrl({ references }: DesiredResource, url: JsonValue, before: JsonValue, findings: Findings): void {
  const isSecret = references.has("url");
  if (hiddenIn(url) === undefined) {
    findings.change({
      path: ["url"],
      before: shownNotificationUrl(before, isSecret),
      after: shownNotificationUrl(url, isSecret),
      sent: url,
    });
  } else if (typeof before === "string" && hiddenUrl(before, 1) === url) {
    findings.unknown("url", reasons.leftOut);
  } else {
    const reason = "the file leaves the URL out: write it in the file";
    findings.impossible("url", { before: shownNotificationUrl(before, true), after: url, reason });
  }
}

function shownNotificationUrl(url: JsonValue, isSecret: boolean): JsonValue {
  if (typeof url !== "string") return url;
  return isSecret || rpcUrlHasUserInfo(url) ? maskRpcUrl(url) : url;
}

async function compareKey({ desired, live, findings, known, sendHidden }: Comparison): Promise<void> {
  const { id, fields, references } = desired;
  const { has_signing_key: hasKey } = live;
  const key = fields.signing_key;
  const path = ["signing_key"];
  const before = hasKey === true ? HIDDEN_KEY : null;
  if (typeof key !== "string" || key === "") {
    if (hasKey === true) findings.change({ path, before, after: null, sent: "" });
    return;
  }
  if (hiddenIn(key) !== undefined) {
    if (hasKey !== false) return findings.unknown("signing_key", reasons.leftOut);
    const reason = "the notification has no signing key, and the file leaves it out: write the key in the file";
    return findings.impossible("signing_key", { before, after: key, reason });
  }
  if (hasKey !== false) {
    const isLastApplied = await known.lastApplied("notifications", id, "signing_key");
    if (await isLastApplied?.(key)) return;
    if (!isLastApplied && !sendHidden) return findings.unknown("signing_key", reasons.neverReturned);
  }
  findings.change({ path, before, after: references.get("signing_key") ?? HIDDEN_KEY, sent: key });
}

/** What applies to a plugin while the file does not set it (facts 8.3). */
export const PLUGIN_DEFAULTS: Readonly<Record<ChangeableField<typeof pluginFields>, JsonValue>> = {
  timeout: 300,
  emit_logs: false,
  emit_traces: false,
  raw_response: false,
  allow_get_invocation: false,
  forward_logs: false,
  config: {},
};

function comparePlugin({ desired: { fields }, live, findings }: Comparison): void {
  const path = fields.path ?? null;
  if (path !== null && typeof live.path === "string" && path !== live.path) {
    const reason = "the API cannot change a plugin's path";
    findings.outsideApi(reason, { path: "path", before: live.path, after: path });
  }
  for (const [name, byDefault] of Object.entries(PLUGIN_DEFAULTS)) {
    const after = fields[name] ?? null;
    const before = comparedPluginMember(name, live);
    if (comparedText(after ?? byDefault) === comparedText(before ?? byDefault)) continue;
    if (live.raw_response === undefined) {
      const reason = "services before v1.4 cannot change a plugin";
      findings.outsideApi(reason, { path: name, before: maskedConfig(before), after: maskedConfig(after) });
      continue;
    }
    const difference = { path: [name], before: maskedConfig(before), after: maskedConfig(after), default: byDefault };
    findings.change({ ...difference, sent: after ?? byDefault });
  }
}

/** Returns a member of a plugin as in a request; null if it is unset. */
export function comparedPluginMember(name: string, plugin: JsonObject): JsonValue {
  const value = name === "timeout" ? pluginTimeoutSeconds(plugin.timeout) : plugin[name];
  return value ?? null;
}

function comparedText(value: JsonValue): string {
  return canonicalText(value) ?? canonicalJson({});
}

/** Masks texts, which may be secrets in a plugin's config. */
function maskedConfig(value: JsonValue): JsonValue {
  return withJsonLeaves(value, (leaf) => (typeof leaf === "string" ? MASK : leaf));
}

const REASON = "the service does not change signers: delete and create the signer";

interface ConfigLeaf {
  path: string;
  value: JsonValue;
}

/** Compares a signer of a file with the service's, which can't change and never includes secrets (facts 8.1). */
async function compareSigner({ desired, live, findings, known }: Comparison): Promise<void> {
  const [after, before] = [comparedSignerType(desired.fields.type), comparedSignerType(live.type)];
  if (before === null) findings.unknown("type", reasons.notReturned);
  else if (after !== before) {
    // The configs of two types have nothing in common.
    return findings.impossible("type", { before, after, reason: REASON });
  }
  const returned = new Map(comparedSignerConfig(live).map(({ path, value }) => [path, value]));
  const wanted = comparedSignerConfig(desired.fields);
  const paths = new Set([...wanted.map(({ path }) => path), ...returned.keys()]);
  const values = new Map(wanted.map(({ path, value }) => [path, value]));
  for (const path of [...paths].sort(byText)) {
    const value = values.get(path) ?? null;
    const found = returned.get(path);
    // A newer service may return members that this version does not know.
    if (value === null && !isKnown(desired, path)) continue;
    if (isSecret(desired, path) || hiddenIn(value) !== undefined || (found === undefined && value !== null)) {
      await compareHidden({ desired, findings, known }, path, value);
    } else if (canonicalText(value) !== canonicalText(found)) {
      findings.impossible(path, { before: found ?? null, after: shownSecret(desired, path, value), reason: REASON });
    }
  }
}

/** Returns the type in a response's spelling: `plain` is returned as `local` (facts 8.1). */
export function comparedSignerType(type: JsonValue | undefined): JsonValue {
  return type === "plain" ? "local" : (type ?? null);
}

export function comparedSignerConfig({ config }: JsonObject): readonly ConfigLeaf[] {
  return isJsonObject(config) ? listLeaves(config, "config") : [];
}

function listLeaves(object: JsonObject, at: string): ConfigLeaf[] {
  return Object.entries(object).flatMap(([name, value]) => {
    const path = `${at}.${name}`;
    return isJsonObject(value) ? listLeaves(value, path) : [{ path, value }];
  });
}

function isKnown({ fields: { type } }: DesiredResource, path: string): boolean {
  const known = SIGNER_TYPES.find((one) => one === type);
  if (!known) return true;
  let fields: readonly SignerField[] | undefined = signerFields[known];
  for (const name of path.split(".").slice(1)) {
    const field: SignerField | undefined = fields?.find((one) => one.name === name);
    if (!field) return false;
    fields = field.fields;
  }
  return true;
}

async function compareHidden(
  { desired, findings, known }: Pick<Comparison, "desired" | "findings" | "known">,
  path: string,
  value: JsonValue,
): Promise<void> {
  if (typeof value !== "string" || hiddenIn(value) !== undefined) {
    if (value !== null) findings.unknown(path, typeof value === "string" ? reasons.leftOut : reasons.neverReturned);
    return;
  }
  const isLastApplied = isSecret(desired, path) ? await known.lastApplied("signers", desired.id, path) : undefined;
  if (!isLastApplied) findings.unknown(path, reasons.neverReturned);
  else if (!(await isLastApplied(value)))
    findings.impossible(path, {
      before: hiddenText(path.slice(path.lastIndexOf(".") + 1)),
      after: shownSecret(desired, path, value),
      reason: REASON,
    });
}

/** `config.key` is the secret of a plain signer, and an object without secrets in others (facts 8.1). */
function isSecret({ fields: { type }, references }: DesiredResource, path: string): boolean {
  if (isSecretFieldPath(path) || (type === "local" && path === "config.passphrase")) return true;
  const isKnownType = type === "local" || SIGNER_TYPES.some((known) => known === type);
  return !isKnownType && [...references.keys()].some((each) => each === path || each.startsWith(`${path}.`));
}

function shownSecret({ references }: DesiredResource, path: string, value: JsonValue): JsonValue {
  return references.get(path) ?? value;
}

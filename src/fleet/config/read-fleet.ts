import { join } from "node:path";
import { knownSymbol, MAX_U64 } from "../../contract/amount.ts";
import { idProblem } from "../../contract/id.ts";
import {
  isJsonInteger,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonLeavesIn,
  NumberLiteral,
  textIn,
  writeJson,
} from "../../contract/json.ts";
import { isNetworkKind, NETWORK_KINDS, type NetworkKind } from "../../contract/network-kind.ts";
import { createNotificationSchema, updateNetworkSchema, updatePluginSchema } from "../../contract/requests.ts";
import { requestFields, sentFields } from "../../contract/resources/field.ts";
import {
  deliveryUrlProblem,
  isLongEnough,
  notificationFields,
  SHORTEST_SIGNING_KEY,
} from "../../contract/resources/notification.ts";
import { pluginFields } from "../../contract/resources/plugin.ts";
import { signerProblem } from "../../contract/resources/signer.ts";
import { rpcUrlHasUserInfo } from "../../contract/rpc-url.ts";
import { rescue } from "../../errors.ts";
import { nearestChoice, oneOf } from "../../nearest.ts";
import type { NetworkMember } from "../compare/compare-resource.ts";
import {
  type DesiredFleet,
  type DesiredResource,
  desiredNetworkId,
  FLEET_NOUNS,
  type FleetNoun,
  forEachDesiredNoun,
  sourcePlaceText,
} from "../desired-fleet.ts";
import { hiddenIn, hiddenText } from "../hidden.ts";
import type { FleetSources } from "../sources.ts";
import { FileItem, type ItemReading, NOT_NULL, NOT_SEEN, referToHidden, referToSecret } from "./file-item.ts";
import { type FileFinding, FileReport } from "./file-report.ts";
import { withInheritance } from "./inheritance.ts";
import { inspectKeystore } from "./keystore.ts";
import { type LoadedDocument, loadDocument } from "./load-document.ts";
import { fleetSecret } from "./plain-or-env.ts";
import { type KnownNames, type NetworkSymbol, readRelayerItem, relayerFileUrls } from "./relayer.ts";
import { readSignerItem } from "./signer.ts";

/** Collects the content of files, and of their folders of networks, without validating it. */
class Collector {
  readonly items: FileItem[] = [];
  readonly nouns = new Set<FleetNoun>();
  readonly documents: LoadedDocument[] = [];
  /** Whether a folder of networks was not found, so that there may be unknown names. */
  lacksNetworks = false;
  private readonly read = new Set<string>();
  private readonly reading: ItemReading;

  constructor(reading: ItemReading) {
    this.reading = reading;
  }

  async addFile(path: string, known: readonly FleetNoun[]): Promise<void> {
    const { report, sources } = this.reading;
    if (this.read.has(path)) return;
    this.read.add(path);
    const document = await loadDocument(path, sources, report, known !== FLEET_NOUNS);
    if (!document) return;
    this.documents.push(document);
    const { value } = document;
    if (!isJsonObject(value)) {
      report.problem(document, "", `must be an object with ${known.join(", ")}`);
      return;
    }
    // Of a file without lists, every fleet would be what it describes.
    if (known === FLEET_NOUNS && !known.some((noun) => Object.hasOwn(value, noun)))
      return report.problem(document, "", `${notFleet(value)}; a fleet has ${known.join(", ")}`);
    for (const [name, list] of Object.entries(value)) {
      const noun = known.find((one) => one === name);
      if (!noun) report.unknown(document, name, known);
      else if (document.interpolations.get(name)?.isHidden) report.problem(document, name, NOT_SEEN);
      else if (noun === "networks" && typeof list === "string") await this.addFolder(document, list || USUAL_FOLDER);
      else this.addList(document, noun, list);
    }
  }

  private addList(document: LoadedDocument, noun: FleetNoun, list: JsonValue): void {
    const { report } = this.reading;
    const allowed =
      noun === "networks" ? "must be a list, or the path of a folder" : "must be a list; [] is an empty one";
    if ((noun === "plugins" || noun === "networks") && list === null) return;
    if (!Array.isArray(list)) {
      report.problem(document, noun, allowed);
      return;
    }
    this.nouns.add(noun);
    for (const [index, value] of list.entries()) {
      const at = `${noun}.${index}`;
      if (isJsonObject(value)) this.items.push(new FileItem(noun, document, at, value, this.reading));
      else report.problem(document, at, "must be an object");
    }
  }

  /** Adds the files of a folder, relative to where the service was started (facts 14). */
  private async addFolder(document: LoadedDocument, path: string): Promise<void> {
    const { report, sources } = this.reading;
    const folders = await sources.foldersFor(path, document.file);
    for (const { folder, root } of folders) {
      const listed = await report.gather(folder, () => sources.list(folder, root));
      if (!listed) return;
      const names = listed.filter((name) => name.endsWith(".json")).sort();
      for (const name of names) await this.addFile(join(folder, name), ["networks"]);
      if (names.length > 0) return void this.nouns.add("networks");
    }
    this.lacksNetworks = true;
    const looked = folders.map(({ folder }) => folder).join(", ");
    report.problem(document, "networks", `networks not compared; looked in ${looked}`, {
      code: "networks_not_found",
      doubt: { noun: "networks", id: path, path: "", fix: "add --networks FOLDER" },
    });
  }
}

function notFleet(value: JsonObject): string {
  const isPlan = Object.hasOwn(value, "checksum") && Object.hasOwn(value, "changes");
  return isPlan ? "is a saved plan, which `relayctl apply` takes without --file" : "has no list of a fleet";
}

interface Form {
  rule: string;
  /** The only type of network that has it. */
  only?: NetworkKind;
  fits(value: JsonValue): boolean;
}

const text: Form = { rule: "must be a string", fits: (value) => typeof value === "string" };
const flag: Form = { rule: "true or false", fits: (value) => typeof value === "boolean" };
const count: Form = {
  rule: "a whole number from 0 to 2^64−1",
  fits: (value) => isJsonInteger(value) && value >= 0 && value <= MAX_U64,
};
const object: Form = { rule: "must be an object", fits: isJsonObject };
const texts: Form = {
  rule: "a list of strings",
  fits: (value) => Array.isArray(value) && value.every((one) => typeof one === "string"),
};

/** The members of a network besides its name, type, and RPC URLs (facts 14). */
const FORMS: Readonly<Record<NetworkMember | "from" | "gas_price_cache", Form>> = {
  from: text,
  explorer_urls: texts,
  average_blocktime_ms: count,
  is_testnet: flag,
  tags: texts,
  chain_id: { ...count, only: "evm" },
  required_confirmations: { ...count, only: "evm" },
  features: { ...texts, only: "evm" },
  symbol: { ...text, only: "evm" },
  gas_price_cache: { ...object, only: "evm" },
  passphrase: { ...text, only: "stellar" },
  horizon_url: { ...text, only: "stellar" },
  status_check: object,
};

/** The range of seconds until the service first checks the status of a transaction, and between checks. */
const STATUS_CHECK: Readonly<Record<string, readonly [least: number, most: number]>> = {
  initial_delay_seconds: [1, 100],
  retry_delay_seconds: [5, 100],
};

function validateStatusCheck(item: FileItem, check: JsonObject): void {
  for (const [name, value] of Object.entries(check)) {
    const [path, range] = [`status_check.${name}`, Object.hasOwn(STATUS_CHECK, name) ? STATUS_CHECK[name] : undefined];
    if (!range) item.unknown(path, Object.keys(STATUS_CHECK), check);
    else if (value !== null && !(isJsonInteger(value) && value >= range[0] && value <= range[1]))
      item.doubt(path, `a whole number of seconds from ${range[0]} to ${range[1]}`, value);
  }
  if ((check.initial_delay_seconds ?? null) === null)
    item.doubt("status_check.initial_delay_seconds", "is required: seconds", undefined, { code: "missing_member" });
  item.refuseStart("status_check", "services up to v1.8 do not start with it", "suspicious");
}

const KNOWN = ["type", "network", "rpc_urls", ...Object.keys(FORMS)];
const REQUIRED = { type: NETWORK_KINDS.join(", "), network: "its name, e.g. sepolia" };

/** Returns a network with the names of a response: `name` and `network_type` (facts 8.2, 14). */
function readNetwork(item: FileItem): JsonObject {
  const { type, network, rpc_urls: urls, ...others } = item.members({ known: KNOWN, required: REQUIRED });
  if (typeof type === "string" && !NETWORK_KINDS.some((kind) => kind === type))
    item.doubt("type", oneOf(type, NETWORK_KINDS), type);
  else if (type !== undefined && typeof type !== "string") item.problem("type", "must be a string", type);
  if (network === "") item.problem("network", "cannot be empty");
  else if (network !== undefined && typeof network !== "string") item.problem("network", "must be a string", network);
  for (const [name, value] of Object.entries(others)) {
    const form = FORMS[name as keyof typeof FORMS];
    if (!form.fits(value) && !item.isSettled(name)) item.doubt(name, form.rule, value);
  }
  if (isJsonObject(others.status_check)) validateStatusCheck(item, others.status_check);
  refuseStartOf(item, others);
  const fields: JsonObject = { name: network ?? null, network_type: type ?? null, ...others };
  if (urls !== undefined) {
    fields.rpc_urls = relayerFileUrls(item, "rpc_urls", urls);
    item.validate(updateNetworkSchema, { rpc_urls: fields.rpc_urls }, "", () => ["url", "weight"]);
  }
  referToHidden(item, fields);
  item.reportPlaceholders(fields);
  return fields;
}

/** What ends the start of service v1.8 (facts 14.1). */
function refuseStartOf(item: FileItem, fields: JsonObject): void {
  const { explorer_urls: urls, gas_price_cache: cache, from } = fields;
  const { type, rpc_urls } = item.value;
  for (const [name, { only = type }] of isNetworkKind(type) ? Object.entries<Form>(FORMS) : []) {
    if (only !== type && Object.hasOwn(item.value, name))
      item.refuseStart(name, `a service reads it of ${only} networks only`);
  }
  if (rpc_urls === undefined && from !== undefined)
    item.refuseStart("rpc_urls", "is required; null inherits the URLs", "missing_member");
  for (const [index, url] of Array.isArray(urls) ? urls.entries() : [])
    if (typeof url === "string" && !URL.canParse(url)) item.refuseStart(`explorer_urls.${index}`, "must be a URL");
  if (isJsonObject(cache)) refuseCache(item, cache);
}

function refuseCache(item: FileItem, cache: JsonObject): void {
  for (const [name, value] of Object.entries(cache)) {
    const form = Object.hasOwn(CACHE, name) ? CACHE[name] : undefined;
    if (!form?.fits(value)) item.refuseStart(`gas_price_cache.${name}`, form?.rule ?? "unknown member");
  }
  const { stale_after_ms: stale = USUAL_CACHE.stale, expire_after_ms: expires = USUAL_CACHE.expires } = cache;
  if (isJsonInteger(stale) && isJsonInteger(expires) && (stale <= 0 || expires <= stale))
    item.refuseStart("gas_price_cache", "needs 0 < stale_after_ms < expire_after_ms");
}

const CACHE: Readonly<Record<string, Form>> = { enabled: flag, stale_after_ms: count, expire_after_ms: count };
/** Milliseconds that the service adds. */
const USUAL_CACHE = { stale: 20_000, expires: 45_000 };

const NEEDED_TO_START = "no service starts without it";
/** The lists of the one file that a service reads; an export has no signers, and a file of networks or plugins is only a part. */
const NEEDED_LISTS = ["relayers", "signers", "notifications"] as const;

/** The folder that a service reads if its file has no networks. */
const USUAL_FOLDER = "./config/networks";

async function noteMissingLists({ documents, nouns, lacksNetworks }: Collector, { report, sources }: ItemReading) {
  const [document] = documents;
  const missing: FleetNoun[] = NEEDED_LISTS.filter((noun) => !nouns.has(noun));
  if (!document || missing.length === NEEDED_LISTS.length || documents.some(({ format }) => format !== "json")) return;
  if (!nouns.has("networks") && !lacksNetworks && !(await mayHaveNetworks(document, sources))) missing.push("networks");
  for (const noun of missing.filter((noun) => !report.has(document, noun)))
    report.say(document, noun, {
      ...{ severity: "note", code: "missing_member", message: NEEDED_TO_START },
      fix: noun === "networks" ? `add networks, or the folder ${USUAL_FOLDER}` : `add ${noun}, e.g. an empty list`,
    });
}

/** Returns whether the folder that a service would read has networks, or cannot be read. */
async function mayHaveNetworks({ file }: LoadedDocument, sources: FleetSources): Promise<boolean> {
  for (const { folder, root } of await sources.foldersFor(USUAL_FOLDER, file)) {
    const names = await rescue(sources.list(folder, root), () => undefined);
    if (!names || names.some((name) => name.endsWith(".json"))) return true;
  }
  return false;
}

type Needed = Readonly<Record<NetworkKind, readonly string[]>>;

/** The members without which a service does not start. */
const NEEDED: Needed = {
  evm: ["rpc_urls", "chain_id", "required_confirmations", "symbol"],
  solana: ["rpc_urls"],
  stellar: ["rpc_urls"],
};
/** The members without which it does not start a relayer of the network. */
const NEEDED_IN_USE: Needed = {
  evm: ["average_blocktime_ms"],
  solana: ["average_blocktime_ms"],
  stellar: ["average_blocktime_ms", "passphrase"],
};

function lackedIn({ network_type: type, ...fields }: JsonObject, needed: Needed): readonly string[] {
  return isNetworkKind(type) ? needed[type].filter((name) => (fields[name] ?? "") === "") : [];
}

/** Each suggestion compares with all of them. */
const MOST_SUGGESTED_FROM = 100;

type Described = readonly [item: FileItem, resource: DesiredResource];

/** Reports duplicate IDs, and references that a list of the files should contain, but doesn't. */
function crossCheck(described: readonly Described[], { nouns, lacksNetworks }: Collector): void {
  const known = refuseTwice(described);
  for (const [item, { noun, fields }] of described) {
    if (noun !== "relayers") continue;
    if (nouns.has("signers")) refuseUnknown(item, "signer_id", known.signers);
    refuseSigner(item, known.signers);
    if (nouns.has("notifications")) refuseUnknown(item, "notification_id", known.notifications);
    const { network, network_type: type } = fields;
    if (lacksNetworks || !nouns.has("networks") || typeof network !== "string" || typeof type !== "string") continue;
    const found = known.networks.get(desiredNetworkId(type, network));
    if (found?.fields.name !== network)
      item.warn("network", `network "${network}" of type ${type} is not among the networks of the files`, true);
    for (const name of lackedIn(found?.fields ?? {}, NEEDED_IN_USE))
      item.refuseStart("network", `no service starts with a relayer of a network without ${name}`);
  }
}

function refuseTwice(described: readonly Described[]) {
  const known = forEachDesiredNoun(() => new Map<string, DesiredResource>());
  for (const [item, resource] of described) {
    const { noun, id } = resource;
    const member = noun === "networks" ? "network" : "id";
    const value = item.value[member];
    if (typeof value !== "string") continue;
    const first = known[noun].get(id);
    const rule = first && `already used at ${sourcePlaceText(first.placeOf(member))}`;
    if (rule) item.problem(member, rule, value, { code: "duplicate_id" });
    else known[noun].set(id, resource);
  }
  return known;
}

function refuseSigner(item: FileItem, signers: ReadonlyMap<string, DesiredResource>): void {
  const { signer_id: id, network_type: type } = item.value;
  const rule = typeof id === "string" && signerProblem(signers.get(id)?.fields.type, type);
  if (rule && !item.isSettled("signer_id")) item.doubt("signer_id", rule, id);
}

function refuseUnknown(item: FileItem, member: string, known: ReadonlyMap<string, DesiredResource>): void {
  const id = item.value[member];
  if (typeof id !== "string" || id === "" || known.has(id) || item.isSettled(member)) return;
  const noun = member === "signer_id" ? "signers" : "notifications";
  const choice = known.size > 0 && known.size <= MOST_SUGGESTED_FROM ? nearestChoice([id], [...known.keys()]) : "";
  item.problem(member, `not among the ${noun} of the files${choice}`, id, { code: "missing_resource" });
}

/**
 * Reads files: the service's own `config.json` (facts 14), or YAML of the same shape. Relative paths start at the file's
 * folder.
 * @param files paths, or `-` for stdin
 * @throws RelayctlError usage, with every problem of every file in its place, and no secret; problems that the service
 *   may have, too, are returned as doubts instead
 */
export async function readFleetFiles(files: readonly string[], sources: FleetSources): Promise<DesiredFleet> {
  const report = new FileReport(sources);
  const { resources, nouns } = await collectFleet(files, { sources, report });
  return { resources, nouns, warnings: report.warnings, doubts: report.doubtsOnly() };
}

export async function inspectFleet(files: readonly string[], sources: FleetSources): Promise<readonly FileFinding[]> {
  const report = new FileReport(sources);
  const { collected } = await collectFleet(files, { sources, report });
  await noteMissingLists(collected, { sources, report });
  for (const item of collected.items)
    if (item.noun === "signers" && item.value.type === "local") await inspectKeystore(item);
  return report.findings();
}

async function collectFleet(files: readonly string[], reading: ItemReading) {
  const collected = new Collector(reading);
  for (const file of files) await collected.addFile(file, FLEET_NOUNS);
  const { items, nouns, documents, lacksNetworks } = collected;
  const networks = withInheritance(
    items.flatMap((item) => (item.noun === "networks" ? [{ item, fields: readNetwork(item) }] : [])),
    lacksNetworks,
  );
  for (const [item, { fields }] of networks)
    for (const name of item.isSettled("from") ? [] : lackedIn(fields, NEEDED))
      item.refuseStart(name, NEEDED_TO_START, "missing_member");
  const symbolOf = symbolsIn(networks.values());
  const addressOf = items.some(
    ({ noun, value: { policies = null } }) => noun === "relayers" && writeJson(policies).includes("@"),
  )
    ? await reading.sources.labels()
    : undefined;
  const known = { symbolOf, addressOf };
  const described = items.map((item): Described => [item, networks.get(item) ?? readResource(item, known)]);
  crossCheck(described, collected);
  for (const document of documents) refuseUnclaimed(document, reading);
  return { resources: described.map(([, resource]) => resource), nouns, collected };
}

const READERS: Record<Exclude<FleetNoun, "networks">, (item: FileItem, known: KnownNames) => JsonObject> = {
  notifications: readNotification,
  signers: readSignerItem,
  plugins: readPlugin,
  relayers: readRelayerItem,
};

function readResource(item: FileItem, known: KnownNames): DesiredResource {
  const fields = READERS[item.noun as keyof typeof READERS](item, known);
  referToHidden(item, fields);
  item.reportPlaceholders(fields);
  return item.resource(typeof fields.id === "string" ? fields.id : "", fields);
}

function symbolsIn(networks: Iterable<DesiredResource>): NetworkSymbol {
  const symbols = new Map<string, string>();
  for (const { id, fields } of networks) if (typeof fields.symbol === "string") symbols.set(id, fields.symbol);
  return (kind, network) => symbols.get(desiredNetworkId(kind, network)) ?? knownSymbol(network);
}

function refuseUnclaimed(document: LoadedDocument, { report }: ItemReading): void {
  const only = `${hiddenText("…")} stands only for a secret that the service does not return`;
  for (const path of document.unclaimed) {
    const { unset } = document.interpolations.get(path) ?? {};
    if (unset) report.problem(document, path, unset.message, { code: "not_set", fix: unset.fix });
    else if (!report.has(document, path)) report.problem(document, path, only);
  }
}

const PLUGIN_MEMBERS = ["id", "path", ...sentFields(pluginFields, "update").map(([name]) => name)];
const PLUGIN_REQUIRED = { id: "its ID", path: "the path of its code on the service's machine" };

/** Returns a plugin as in a request, with its path; `timeout` in seconds (facts 14). */
function readPlugin(item: FileItem): JsonObject {
  const fields = item.members({ known: PLUGIN_MEMBERS, required: PLUGIN_REQUIRED });
  const { id, path, ...changeable } = fields;
  for (const [name, { form }] of sentFields(pluginFields, "update"))
    if (form === "flag" && item.value[name] === null) item.refuseStart(name, NOT_NULL);
  refuseHugeNumbers(item, fields.config);
  item.validateId(id, idProblem);
  for (const name of ["id", "path"] as const) {
    const value = fields[name];
    if (value !== undefined && typeof value !== "string") item.problem(name, "must be a string", value);
  }
  if (path === "") item.doubt("path", "cannot be empty", "");
  else if (typeof path === "string" && !path.endsWith(".ts")) item.refuseStart("path", "must end with .ts");
  item.validate(updatePluginSchema, changeable);
  return fields;
}

function refuseHugeNumbers(item: FileItem, config: JsonValue = null): void {
  for (const { leaf, path } of jsonLeavesIn(config, "config"))
    if (leaf instanceof NumberLiteral && !Number.isFinite(Number(leaf)))
      item.refuseStart(path, "is beyond the numbers that a service reads");
}

const NOTIFICATION_MEMBERS = requestFields(notificationFields);
const NOTIFICATION_REQUIRED = { id: "its ID", type: "webhook", url: "where deliveries go" };

/** Returns a notification as in a request (facts 14). */
function readNotification(item: FileItem): JsonObject {
  const fields = item.members({ known: NOTIFICATION_MEMBERS, required: NOTIFICATION_REQUIRED });
  item.validateId(fields.id);
  if (fields.url === "") item.doubt("url", "is empty: specify where deliveries go", "");
  if (fields.signing_key === "") item.problem("signing_key", "is empty; leave it out to remove the key");
  else if (fields.signing_key !== undefined) fields.signing_key = fleetSecret(item, "signing_key", fields.signing_key);
  if (hiddenIn(fields.url) !== undefined) item.hide("url");
  else if (typeof fields.url === "string" && (rpcUrlHasUserInfo(fields.url) || item.isFromElsewhere("url")))
    referToSecret(item, "url", "url", fields.url);
  warnOfShortKey(item, fields.signing_key);
  const hasWrongScheme = URL.canParse(textIn(fields.url)) && deliveryUrlProblem(textIn(fields.url)) !== undefined;
  if (hasWrongScheme && !item.isSettled("url")) item.warn("url", "a service delivers only to http and https URLs");
  item.validate(createNotificationSchema, fields);
  return fields;
}

function warnOfShortKey(item: FileItem, key: JsonValue | undefined): void {
  if (typeof key !== "string" || key === "" || item.isSettled("signing_key")) return;
  if (!isLongEnough(key))
    item.warn("signing_key", `the signing key is shorter than ${SHORTEST_SIGNING_KEY} bytes, which services refuse`);
}

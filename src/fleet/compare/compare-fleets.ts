import { effectOf } from "../../contract/effect.ts";
import { groupBy } from "../../contract/group-by.ts";
import { idProblem } from "../../contract/id.ts";
import {
  copyJsonObject,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonLeavesIn,
  jsonValueAt,
  mergePatch,
  pathsOverlap,
} from "../../contract/json.ts";
import { isNetworkKind } from "../../contract/network-kind.ts";
import { operations } from "../../contract/operations.ts";
import { capRisks } from "../../contract/policy/cap-change.ts";
import { policyFieldAt, policyFields } from "../../contract/policy.ts";
import { sentFields } from "../../contract/resources/field.ts";
import { networkFields } from "../../contract/resources/network.ts";
import { notificationFields } from "../../contract/resources/notification.ts";
import { pluginFields } from "../../contract/resources/plugin.ts";
import { relayerFields } from "../../contract/resources/relayer.ts";
import { maskRpcUrl, RPC_URL_FIELDS } from "../../contract/rpc-url.ts";
import { usageError } from "../../errors.ts";
import { VERSION } from "../../version.ts";
import { UNKNOWN } from "../config/file-report.ts";
import {
  type DesiredFleet,
  type DesiredResource,
  type Doubt,
  desiredNetworkId,
  FLEET_NOUNS,
  type FleetNoun,
  sourcePlaceText,
} from "../desired-fleet.ts";
import { hiddenIn, unsetHiddenIn } from "../hidden.ts";
import type { KnownSecrets } from "../known-secrets.ts";
import type { LiveFleet } from "../live.ts";
import {
  type ImpossibleChange,
  type Plan,
  type PlannedChange,
  type PlannedMember,
  type PlannedResource,
  plannedName,
} from "../plan.ts";
import { byText } from "./canonical-json.ts";
import { canonicalUnsetPolicy } from "./canonical-policy.ts";
import { compareResource } from "./compare-resource.ts";
import { Existence, existenceKey } from "./existence.ts";
import { Findings } from "./findings.ts";
import { unknownPolicyLeaves } from "./policy-leaves.ts";
import { bodyWithReferences, hiddenBodyPaths, type ReferredValues } from "./request-body.ts";
import { shownRpcUrls } from "./rpc-urls.ts";
import { shownAfter } from "./shown.ts";

/** The members of a request that creates, in its order; an object's members follow from it. */
const MEMBERS: Readonly<Record<"relayers" | "signers" | "notifications", readonly string[]>> = {
  relayers: sentFields(relayerFields, "create").map(([name]) => name),
  signers: ["id", "type", "config"],
  notifications: sentFields(notificationFields, "create").map(([name]) => name),
};

export function creationBody({ noun, id, fields }: DesiredResource): JsonObject {
  const body = copyJsonObject({});
  const names = noun === "networks" || noun === "plugins" ? [] : MEMBERS[noun];
  for (const name of names) {
    const value = name === "id" ? id : (fields[name] ?? null);
    if (value !== null) body[name] = value;
  }
  return body;
}

function createdMembers(desired: DesiredResource): PlannedMember[] {
  const { id: _id, ...body } = creationBody(desired);
  return Object.entries(body).flatMap(([name, value]) => creationMembers(desired, [name], value));
}

function creationMembers(desired: DesiredResource, path: readonly string[], value: JsonValue): PlannedMember[] {
  if (isJsonObject(value)) {
    return Object.entries(value).flatMap(([name, member]) =>
      member === null ? [] : creationMembers(desired, [...path, name], member),
    );
  }
  const name = path.join(".");
  const byDefault = policyDefault(desired, path);
  return [
    {
      path: name,
      before: null,
      after: shownMember(desired, name, value),
      ...(byDefault !== undefined && { default: byDefault }),
      at: sourcePlaceText(desired.placeOf(name)),
    },
  ];
}

function policyDefault({ fields }: DesiredResource, [head, ...rest]: readonly string[]): JsonValue | undefined {
  if (head !== "policies" || !isNetworkKind(fields.network_type)) return undefined;
  const field = policyFieldAt(policyFields[fields.network_type], rest.join("."));
  return field && canonicalUnsetPolicy(field);
}

function shownMember(desired: DesiredResource, path: string, value: JsonValue): JsonValue {
  if (RPC_URL_FIELDS.some((field) => field === path)) return shownAfter(desired, path, shownRpcUrls(value));
  const reference = desired.references.get(path);
  if (reference === undefined || typeof value !== "string") return shownAfter(desired, path, value);
  return path === "url" && !desired.hidden.has(path) ? maskRpcUrl(value) : reference;
}

const REFERENCES = [
  { member: "signer_id", noun: "signers", name: "signer" },
  { member: "notification_id", noun: "notifications", name: "notification" },
] as const satisfies readonly { member: string; noun: FleetNoun; name: string }[];

function neededBy(body: JsonObject, existence: Existence, findings: Findings, before = ""): string[] {
  return REFERENCES.flatMap(({ member, noun, name }) => {
    const id = body[member] ?? null;
    if (typeof id !== "string" || hiddenIn(id) !== undefined) return [];
    const standing = existence.of(noun, id);
    if (standing === "planned") return [existenceKey(noun, id)];
    if (standing === "missing" || standing === "impossible") {
      const why = standing === "missing" ? "is neither in the files nor at the service" : "cannot be created";
      findings.impossible(member, { before: null, after: id, reason: `${before}${name} "${id}" ${why}` });
    }
    return [];
  });
}

/** Returns the relayer that already uses a new relayer's signer: a signer serves one relayer per network (facts 3.1). */
function signerUser(fields: JsonObject, relayers: Iterable<JsonObject>): JsonValue | undefined {
  for (const { id, signer_id, network, network_type } of relayers) {
    const isSame = signer_id === fields.signer_id && network === fields.network && network_type === fields.network_type;
    if (isSame && typeof signer_id === "string") return id;
  }
  return undefined;
}

/** Reports why the service would refuse a new relayer, besides its fields (facts 3.1). */
function refuseRelayer(
  fields: JsonObject,
  { live, existence }: Pick<PlanningContext, "live" | "existence">,
  findings: Findings,
  before: string,
): void {
  const { network = null, network_type: kind } = fields;
  const user = signerUser(fields, [...live.resources.relayers.values(), ...existence.plannedRelayers]);
  if (user !== undefined) {
    const reason = `${before}relayer "${user}" uses this signer on the network, and a signer serves one relayer per network`;
    findings.impossible("signer_id", { before: null, after: fields.signer_id ?? null, reason });
  }
  if (["live", "unknown"].includes(existence.of("networks", desiredNetworkId(kind, network)))) return;
  const reason = `${before}the service has no network "${network}" of type ${kind}, and reads networks only from its config file`;
  findings.impossible("network", { before: null, after: network, reason });
}

interface PlanningContext {
  live: LiveFleet;
  existence: Existence;
  referred: Map<string, ReferredValues>;
  doubts: readonly Doubt[];
}

function plannedUpdate(
  desired: DesiredResource,
  live: JsonObject,
  findings: Findings,
  { existence, referred }: PlanningContext,
): PlannedChange[] {
  const { noun } = desired;
  const needs = noun === "relayers" ? neededBy(findings.patch, existence, findings) : [];
  for (const { path } of findings.cannot) findings.withdraw(path);
  if (findings.members.length === 0 || noun === "signers") return [];
  const operation = operations[`${noun}.update`];
  const { consent, words } = effectOf(operation, findings.patch);
  const risks = noun === "relayers" ? capRisks(findings.patch, live) : [];
  const isCapHidden = desired.hidden.has("policies.gas_price_cap");
  const sent = bodyWithReferences(findings.patch, desired);
  referred.set(existenceKey(noun, desired.id), sent.referred);
  return [
    {
      ...findings.resource(),
      action: "update",
      members: findings.members,
      body: sent.body,
      effects: [
        ...(isCapHidden ? risks.map(() => "gas_price_cap rises or falls a thousandfold or more") : risks),
        ...words,
        ...findings.repeated,
      ],
      consent: consent === "none" && risks.length > 0 ? "yes" : consent,
      ...(live.system_disabled === true && { disabled: true as const }),
      needs,
    },
  ];
}

function plannedCreation(
  desired: DesiredResource,
  findings: Findings,
  { live, existence, referred, doubts }: PlanningContext,
): PlannedChange[] {
  const { noun, id, fields } = desired;
  reportUnfit(desired, doubts, findings);
  if (noun === "networks" || noun === "plugins") {
    findings.outsideApi(`${noun} can be added only in the service's config file`);
    return [];
  }
  if (noun === "signers" && fields.type === "local") {
    findings.outsideApi("keystore signers can be added only in the service's config file");
    return [];
  }
  for (const path of hiddenBodyPaths(fields)) {
    if (unsetHiddenIn(jsonValueAt(fields, path.split(".")))) continue;
    const reason = `the ${noun.slice(0, -1)} has to be created, and the file leaves out a value: write the value in the file`;
    findings.impossible(path, { before: null, after: null, reason });
  }
  const body = creationBody(desired);
  const before = `cannot create ${plannedName(desired)}: `;
  const needs = noun === "relayers" ? neededBy(body, existence, findings, before) : [];
  if (noun === "relayers") refuseRelayer(fields, { live, existence }, findings, before);
  if (findings.cannot.length > 0) return [];
  existence.plan(noun, id, fields);
  const members = createdMembers(desired);
  findings.members.push(...members);
  const { consent, words } = effectOf(operations[`${noun}.create`], body);
  const sent = bodyWithReferences(body, desired);
  referred.set(existenceKey(noun, id), sent.referred);
  return [{ ...findings.resource(), action: "create", members, body: sent.body, effects: words, consent, needs }];
}

/** Refuses the doubts of an update, unless the service has the same value. @throws RelayctlError usage */
function refuseDoubts(doubts: readonly Doubt[], plan: Plan, live: LiveFleet): void {
  if (doubts.length === 0) return;
  const touched = touchedPaths(plan);
  const wrong = doubts.filter(({ noun, id, path, fix, isMissing }) => {
    const now = live.resources[noun].get(id);
    const overlaps = (other: string) => path === "" || other === "" || pathsOverlap(path, other);
    if (!now || fix !== undefined || isMissing) return false;
    return !hasValue(now, path) || (touched.get(existenceKey(noun, id)) ?? []).some((each) => overlaps(each.path));
  });
  if (wrong.length > 0) throw usageError(wrong.map(({ problem }) => problem));
}

function touchedPaths({ changes, cannot, outside }: Plan): ReadonlyMap<string, readonly { path: string }[]> {
  const all = [
    ...changes.flatMap(({ noun, id, members }) => members.map(({ path }) => ({ noun, id, path }))),
    ...cannot,
    ...outside.map((each) => ({ path: "", ...each })),
  ];
  return groupBy(all, ({ noun, id }) => existenceKey(noun, id));
}

/** The names of responses that differ in files (facts 14). */
const RETURNED: Readonly<Record<string, string>> = { network: "name", type: "network_type" };

function hasValue(resource: JsonObject, path: string): boolean {
  if (path === "") return true;
  const [head = "", ...rest] = path.split(".");
  const name = head in resource ? head : (RETURNED[head] ?? head);
  let value = resource[name];
  for (const part of rest) {
    if (!isJsonObject(value)) break;
    value = value[part];
  }
  return (value ?? null) !== null;
}

export interface CompareOptions {
  server: string;
  now: number;
  files: readonly string[];
  known: KnownSecrets;
  /** Whether to delete resources that the files don't describe. */
  prune: boolean;
  sendHidden: boolean;
}

/** The files' order does not matter. @throws RelayctlError usage for mistakes that are not at the service */
export async function compareFleets(desired: DesiredFleet, live: LiveFleet, options: CompareOptions) {
  const referred = new Map<string, ReferredValues>();
  const existence = new Existence(desired, live);
  const all: Findings[] = [];
  const changes: PlannedChange[] = [];
  const doubts = groupBy(desired.doubts, ({ noun, id }) => existenceKey(noun, id));
  for (const resource of [...desired.resources].sort(inOrder)) {
    const findings = new Findings(resource);
    const now = live.resources[resource.noun].get(resource.id);
    const own = doubts.get(existenceKey(resource.noun, resource.id)) ?? [];
    const context = { live, existence, referred, doubts: own };
    doubts.delete(existenceKey(resource.noun, resource.id));
    all.push(findings);
    if (live.unavailable.includes(resource.noun)) findings.outsideApi(routeMissing(resource.noun));
    else if (!now) changes.push(...plannedCreation(resource, findings, context));
    else {
      await compareResource({ ...options, desired: resource, live: now, findings });
      reportMissing(resource, own, findings, options.sendHidden);
      changes.push(...plannedUpdate(resource, now, findings, context));
      for (const path of unknownMembers(resource, now)) findings.unknown(path, UNKNOWN);
    }
  }
  const unmanaged = unmanagedIn(desired, live);
  const deleted = options.prune ? planDeletions(unmanaged, live, changes) : [];
  const isLeft = (one: PlannedResource) => !deleted.some(({ noun, id }) => noun === one.noun && id === one.id);
  const plan: Plan = {
    format: 1,
    relayctl: VERSION,
    server: options.server,
    created_at: new Date(options.now).toISOString(),
    files: options.files,
    changes: [...changes, ...deleted],
    cannot: [...all.flatMap(({ cannot }) => cannot), ...[...doubts.values()].flat().map(toImpossible)].sort(inOrder),
    not_compared: all.flatMap(({ notCompared }) => notCompared).sort(inOrder),
    outside: all.flatMap(({ outside }) => outside).sort(inOrder),
    unmanaged: unmanaged.filter(isLeft).sort(inOrder),
    same: all.filter(({ members, cannot, outside }) => members.length + cannot.length + outside.length === 0).length,
  };
  refuseDoubts(desired.doubts, plan, live);
  return {
    plan,
    referred,
  };
}

function toImpossible({ noun, id, problem: { where, rule } }: Doubt): ImpossibleChange {
  return { noun, id, at: where.split(" ")[0] ?? where, path: "", before: null, after: null, reason: rule };
}

type Ordered = Pick<PlannedResource, "noun" | "id"> & { path?: string };

function inOrder(one: Ordered, other: Ordered): number {
  return (
    FLEET_NOUNS.indexOf(one.noun) - FLEET_NOUNS.indexOf(other.noun) ||
    byText(one.id, other.id) ||
    byText(one.path ?? "", other.path ?? "")
  );
}

function routeMissing(noun: FleetNoun): string {
  const { since } = { since: undefined, ...operations[`${noun}.list`] };
  return `this service has no route for ${noun}${since === undefined ? "" : `; v${since} added it`}`;
}

/** The deletable nouns in order: a relayer uses the other two. */
const DELETABLE = ["relayers", "signers", "notifications"] as const satisfies readonly FleetNoun[];

function unmanagedIn(desired: DesiredFleet, live: LiveFleet): PlannedResource[] {
  const described = new Set(desired.resources.map(({ noun, id }) => existenceKey(noun, id)));
  return DELETABLE.filter((noun) => desired.nouns.has(noun)).flatMap((noun) => {
    const ids = [...live.resources[noun].keys()].filter((id) => !described.has(existenceKey(noun, id)));
    return ids.sort(byText).map((id) => ({ noun, id }));
  });
}

function planDeletions(unmanaged: readonly PlannedResource[], live: LiveFleet, changes: readonly PlannedChange[]) {
  const deleted = new Set(unmanaged.map(({ noun, id }) => existenceKey(noun, id)));
  const relayers = changes.filter(({ noun }) => noun === "relayers");
  const bodies = new Map(relayers.map(({ id, body }) => [id, body]));
  for (const [id, fields] of live.resources.relayers) {
    const isKept = !deleted.has(existenceKey("relayers", id));
    bodies.set(id, isKept ? mergePatch(fields, bodies.get(id) ?? {}) : {});
  }
  return unmanaged.flatMap(({ noun, id }): PlannedChange[] => {
    const member = USING_MEMBERS[noun];
    if (idProblem(id) !== undefined) return [];
    if (member && !isUnused(member, id, live, bodies)) return [];
    const users = [...live.resources.relayers].filter(([, fields]) => member && fields[member] === id);
    const needs = users.map(([user]) => existenceKey("relayers", user)).sort(byText);
    const { words, consent } = effectOf(operations[`${noun as (typeof DELETABLE)[number]}.delete`], undefined);
    return [{ noun, id, action: "delete", members: [], body: {}, effects: words, consent, needs }];
  });
}

const USING_MEMBERS: Partial<Record<FleetNoun, "signer_id" | "notification_id">> = {
  signers: "signer_id",
  notifications: "notification_id",
};

function isUnused(member: string, id: string, live: LiveFleet, then: ReadonlyMap<string, JsonObject>): boolean {
  if (!live.nouns.has("relayers")) return false;
  return [...then.values()].every((fields) => fields[member] !== id);
}

/** Reports in one row why a resource can't be created from its file: what is missing, and what the API would refuse. */
function reportUnfit(desired: DesiredResource, doubts: readonly Doubt[], findings: Findings): void {
  const missing = missingIn(desired.fields);
  const fixes = [...missing, ...doubts].flatMap(({ fix }) => fix ?? []);
  const wrong = doubts.filter(({ fix }) => fix === undefined);
  const reasons = [
    ...joinFixes(fixes),
    ...wrong.map(({ path, problem: { rule } }) => (path === "" ? rule : `${path}: ${rule}`)),
  ];
  if (reasons.length === 0) return;
  const [first = ""] = [...missing, ...doubts].map(({ path }) => path);
  const isKeystore = desired.noun === "signers" && desired.fields.type === "local";
  const where = isKeystore ? " where the service runs, because only the service reads keystores" : "";
  const reason = `cannot create ${plannedName(desired)}: ${reasons.join("; ")}${where}`;
  findings.impossible("", { before: null, after: null, reason }, first);
}

/** A placeholder is a difference unless the service has it, too; a missing value is not compared, or can't be sent. */
function reportMissing(
  desired: DesiredResource,
  doubts: readonly Doubt[],
  findings: Findings,
  sendHidden: boolean,
): void {
  for (const { path, isMissing, problem, fix = isMissing && problem.rule } of doubts)
    if (fix) findings.refuse(path, fix);
  const missing = missingIn(desired.fields);
  const missingAt = (at: string) => missing.filter(({ path }) => pathsOverlap(path, at));
  const isSent = sendHidden && desired.noun !== "signers";
  for (const { path } of [...findings.cannot, ...(isSent ? findings.notCompared : [])]) {
    const fixes = joinFixes(missingAt(path).map(({ fix }) => fix));
    if (fixes.length > 0) findings.refuse(path, fixes.join("; "));
  }
  for (const each of findings.notCompared)
    each.reason =
      missingAt(each.path)
        .map((value) => value.missing)
        .join(", ") || each.reason;
}

function missingIn(fields: JsonObject): { path: string; fix: string; missing: string }[] {
  return jsonLeavesIn(fields).flatMap(({ leaf, path }) => {
    const unset = unsetHiddenIn(leaf);
    return unset ? { path, ...unset } : [];
  });
}

function joinFixes(fixes: readonly string[]): string[] {
  return ["set ", "create ", "fill in "].flatMap((verb) => {
    const found = new Set(fixes.filter((fix) => fix.startsWith(verb)).map((fix) => fix.slice(verb.length)));
    return found.size === 0 ? [] : [verb + [...found].join(", ")];
  });
}

const KNOWN: Readonly<Record<FleetNoun, readonly string[]>> = {
  notifications: Object.keys(notificationFields),
  signers: ["id", "type", "config"],
  networks: Object.keys(networkFields),
  plugins: Object.keys(pluginFields),
  relayers: Object.keys(relayerFields),
};

/** Returns the service's members of a resource that neither this version nor its file knows. */
function unknownMembers({ noun, fields }: DesiredResource, live: JsonObject): string[] {
  const names = Object.keys(live).filter((name) => !KNOWN[noun].includes(name));
  if (noun !== "relayers") return names;
  const policies = unknownPolicyLeaves(live.network_type, live.policies);
  const left = policies.filter(({ path }) => (jsonValueAt(fields.policies as JsonValue, path) ?? null) === null);
  return [...names, ...left.map(({ path }) => ["policies", ...path].join("."))];
}

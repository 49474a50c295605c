import { effectOf } from "../../contract/effect.ts";
import { copyObject, isJsonObject, type JsonObject, type JsonValue, valueAt } from "../../contract/json.ts";
import { isNetworkKind } from "../../contract/network-kind.ts";
import { operations } from "../../contract/operations.ts";
import { capRisks } from "../../contract/policy/cap-change.ts";
import { fieldAt, policyFields } from "../../contract/policy.ts";
import { sentFields } from "../../contract/resources/field.ts";
import { notificationFields } from "../../contract/resources/notification.ts";
import { relayerFields } from "../../contract/resources/relayer.ts";
import { maskRpcUrl, RPC_URL_FIELDS } from "../../contract/rpc-url.ts";
import { networkId } from "../config/network-id.ts";
import type { DesiredResource, Doubt, FleetNoun } from "../desired.ts";
import { hiddenIn, unsetIn } from "../hidden.ts";
import type { LiveFleet } from "../live.ts";
import { type PlannedChange, type PlannedMember, resourceName } from "../plan.ts";
import { placeText } from "../source/place.ts";
import { unsetValue } from "./canonical-policy.ts";
import { type Existence, keyOf } from "./existence.ts";
import type { Findings } from "./findings.ts";
import { hiddenPaths, type ReferredValues, withReferences } from "./request-body.ts";
import { shownUrls } from "./rpc-urls.ts";
import { shownAfter } from "./shown.ts";
import { reportUnfit } from "./unfinished.ts";

/** The members of a request that creates, in its order; an object's members follow from it. */
const MEMBERS: Readonly<Record<"relayers" | "signers" | "notifications", readonly string[]>> = {
  relayers: sentFields(relayerFields, "create").map(([name]) => name),
  signers: ["id", "type", "config"],
  notifications: sentFields(notificationFields, "create").map(([name]) => name),
};

export function creationBody({ noun, id, fields }: DesiredResource): JsonObject {
  const body = copyObject({});
  const names = noun === "networks" || noun === "plugins" ? [] : MEMBERS[noun];
  for (const name of names) {
    const value = name === "id" ? id : (fields[name] ?? null);
    if (value !== null) body[name] = value;
  }
  return body;
}

function createdMembers(desired: DesiredResource): PlannedMember[] {
  const { id: _id, ...body } = creationBody(desired);
  return Object.entries(body).flatMap(([name, value]) => listMembers(desired, [name], value));
}

function listMembers(desired: DesiredResource, path: readonly string[], value: JsonValue): PlannedMember[] {
  if (isJsonObject(value)) {
    return Object.entries(value).flatMap(([name, member]) =>
      member === null ? [] : listMembers(desired, [...path, name], member),
    );
  }
  const name = path.join(".");
  const byDefault = findDefault(desired, path);
  return [
    {
      path: name,
      before: null,
      after: shownMember(desired, name, value),
      ...(byDefault !== undefined && { default: byDefault }),
      at: placeText(desired.placeOf(name)),
    },
  ];
}

function findDefault({ fields }: DesiredResource, [head, ...rest]: readonly string[]): JsonValue | undefined {
  if (head !== "policies" || !isNetworkKind(fields.network_type)) return undefined;
  const field = fieldAt(policyFields[fields.network_type], rest.join("."));
  return field && unsetValue(field);
}

/** Returns a member without its secret: a reference to it, or a URL without a possible secret. */
function shownMember(desired: DesiredResource, path: string, value: JsonValue): JsonValue {
  if (RPC_URL_FIELDS.some((field) => field === path)) return shownAfter(desired, path, shownUrls(value));
  const reference = desired.references.get(path);
  if (reference === undefined || typeof value !== "string") return shownAfter(desired, path, value);
  return path === "url" && !desired.hidden.has(path) ? maskRpcUrl(value) : reference;
}

const REFERENCES = [
  { member: "signer_id", noun: "signers", name: "signer" },
  { member: "notification_id", noun: "notifications", name: "notification" },
] as const satisfies readonly { member: string; noun: FleetNoun; name: string }[];

/** Returns what a relayer's request needs first; reports what does not exist, after the words `before`. */
function neededBy(body: JsonObject, existence: Existence, findings: Findings, before = ""): string[] {
  return REFERENCES.flatMap(({ member, noun, name }) => {
    const id = body[member] ?? null;
    if (typeof id !== "string" || hiddenIn(id) !== undefined) return [];
    const standing = existence.of(noun, id);
    if (standing === "planned") return [keyOf(noun, id)];
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
  if (["live", "unknown"].includes(existence.of("networks", networkId(kind, network)))) return;
  const reason = `${before}the service has no network "${network}" of type ${kind}, and reads networks only from its config file`;
  findings.impossible("network", { before: null, after: network, reason });
}

export interface PlanningContext {
  live: LiveFleet;
  existence: Existence;
  /** By resource. */
  referred: Map<string, ReferredValues>;
  doubts: readonly Doubt[];
}

/** Returns the request for the differences of a resource, if there are any. */
export function plannedUpdate(
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
  const sent = withReferences(findings.patch, desired);
  referred.set(keyOf(noun, desired.id), sent.referred);
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

/** Returns the request that creates a resource, or reports why it is impossible. */
export function plannedCreation(
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
  for (const path of hiddenPaths(fields)) {
    if (unsetIn(valueAt(fields, path.split(".")))) continue;
    const reason = `the ${noun.slice(0, -1)} has to be created, and the file leaves out a value: write the value in the file`;
    findings.impossible(path, { before: null, after: null, reason });
  }
  const body = creationBody(desired);
  const before = `cannot create ${resourceName(desired)}: `;
  const needs = noun === "relayers" ? neededBy(body, existence, findings, before) : [];
  if (noun === "relayers") refuseRelayer(fields, { live, existence }, findings, before);
  if (findings.cannot.length > 0) return [];
  existence.plan(noun, id, fields);
  const members = createdMembers(desired);
  findings.members.push(...members);
  const { consent, words } = effectOf(operations[`${noun}.create`], body);
  const sent = withReferences(body, desired);
  referred.set(keyOf(noun, id), sent.referred);
  return [{ ...findings.resource(), action: "create", members, body: sent.body, effects: words, consent, needs }];
}

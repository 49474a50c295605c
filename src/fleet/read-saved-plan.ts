import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonValueAt,
  memberPaths,
  tryParseJson,
} from "../contract/json.ts";
import { operations } from "../contract/operations.ts";
import {
  fields,
  listShape,
  objectShape,
  oneOfShape,
  optionalShape,
  type Shape,
  shapeWhere,
  text,
} from "../contract/reply/shape.ts";
import { DEFAULT_WEIGHT, MASK, maskRpcUrl } from "../contract/rpc-url.ts";
import { type Problem, usageError } from "../errors.ts";
import { VERSION } from "../version.ts";
import type { ManagedResource } from "./apply/managed-resource.ts";
import { canonicalText } from "./compare/canonical-json.ts";
import { PLUGIN_DEFAULTS } from "./compare/compare-resource.ts";
import { isInterpolated } from "./config/load-document.ts";
import { FLEET_NOUNS, type FleetNoun } from "./desired-fleet.ts";
import { fingerprintChecksum } from "./fingerprint.ts";
import type { Plan, PlannedChange } from "./plan.ts";
import { type SavedPlan, type SavedReference, type SavedReferences, savedPlanParts } from "./saved-references.ts";

const present: Shape = shapeWhere((value) => value !== undefined);
const resource = { noun: oneOfShape(...FLEET_NOUNS), id: text, at: optionalShape(text) };
const change = objectShape({
  ...resource,
  action: oneOfShape("create", "update", "delete"),
  members: listShape(objectShape({ path: text, before: present, after: present })),
  body: fields,
  effects: listShape(text),
  consent: oneOfShape("none", "yes", "id"),
  disabled: optionalShape(oneOfShape(true)),
  needs: listShape(text),
});
const plan = objectShape({
  format: oneOfShape(1),
  relayctl: text,
  server: text,
  created_at: text,
  files: listShape(text),
  changes: listShape(change),
  cannot: listShape(objectShape({ ...resource, path: text, before: present, after: present, reason: text })),
  not_compared: listShape(objectShape({ ...resource, path: text, reason: text })),
  outside: listShape(objectShape({ ...resource, reason: text })),
  unmanaged: listShape(objectShape(resource)),
  same: shapeWhere((value) => Number.isSafeInteger(value)),
});

function isPlan(value: JsonObject): value is JsonObject & Plan {
  return plan(value) === undefined;
}

/** The most bytes of a saved plan: a plan of 1,000 relayers has about 1 MB. */
export const MAX_PLAN_BYTES = 64 * 2 ** 20;

/** More than any plan of this size has. */
const LIMITS = { depth: 64, values: 2_000_000 };

/** Reads a saved plan. @param path for messages @throws RelayctlError usage if it is invalid, changed, or too new */
export function readSavedPlan(text: string, path: string): SavedPlan {
  const refuse = (rule: string): never => {
    throw usageError([{ where: path, rule } satisfies Problem]);
  };
  const parts = savedPlanParts(text) ?? refuse("is not a plan that `relayctl plan --out` saved, or it is incomplete");
  if (fingerprintChecksum(parts.checked) !== parts.checksum) refuse(CHANGED);
  const document = tryParseJson(text, LIMITS);
  if (!isJsonObject(document)) return refuse("is not a valid plan: create a new one");
  const { relayctl, salt, references, managed } = document;
  if (relayctl !== VERSION)
    refuse(`was created by relayctl ${versionText(relayctl)}, and this is ${VERSION}: create a new plan`);
  const known = isJsonObject(references) ? parseReferences(references) : undefined;
  const resources = isJsonObject(managed) ? parseManaged(managed, known ?? new Map()) : undefined;
  if (!isPlan(document) || typeof salt !== "string" || !known || !resources)
    return refuse("is not a valid plan: create a new one");
  const { salt: _, references: __, managed: ___, checksum: ____, ...plan } = document as typeof document & JsonObject;
  if (!document.changes.every(showsRequest)) refuse(CHANGED);
  return { plan: plan as unknown as SavedPlan["plan"], salt, references: known, managed: resources };
}

const CHANGED = "was changed after it was saved, or is incomplete: create a new plan";

/** Returns whether a change sends nothing beyond the members that it shows. */
function showsRequest(change: PlannedChange): boolean {
  const isKnown = Object.hasOwn(operations, `${change.noun}.${change.action}`);
  return isKnown && memberPaths(change.body).every((path) => isShown(change, path));
}

function isShown({ noun, id, action, members, body }: PlannedChange, path: string): boolean {
  const sent = jsonValueAt(body, path.split("."));
  if (action === "create" && (path === "id" ? sent === id : canonicalText(sent) === undefined)) return true;
  return members.some(({ path: shown, after }) => {
    if (`${path}.`.startsWith(`${shown}.`)) {
      const isUnset = after === null && noun === "plugins";
      const whole = jsonValueAt(body, shown.split("."));
      return mayStandFor(isUnset ? (PLUGIN_DEFAULTS[shown as keyof typeof PLUGIN_DEFAULTS] ?? null) : after, whole);
    }
    // An object whose members are all unset is removed whole.
    return path.includes(".") && shown.startsWith(`${path}.`) && sent === null && after === null;
  });
}

/** The start of the reference to a text that a file contains, and that is shown masked. */
const SOURCE_REFERENCE = "${source:";

/** Returns whether a plan shows a value like this: as it is, masked, or by its reference. */
function mayStandFor(shown: JsonValue | undefined, sent: JsonValue | undefined): boolean {
  if (canonicalText(shown) === canonicalText(sent === "" ? null : sent)) return true;
  if (Array.isArray(shown) && Array.isArray(sent))
    return shown.length === sent.length && shown.every((each, index) => mayStandFor(each, sent[index]));
  if (isJsonObject(shown) && isJsonObject(sent)) return isSameEntry(weighted(shown), weighted(sent));
  if (typeof sent !== "string" || typeof shown !== "string" || !shown.includes(MASK)) return false;
  return sent.startsWith(SOURCE_REFERENCE) || (!isInterpolated(sent) && maskRpcUrl(sent) === shown);
}

function isSameEntry(shown: JsonObject, sent: JsonObject): boolean {
  return Object.keys({ ...sent, ...shown }).every((name) => mayStandFor(shown[name], sent[name]));
}

function weighted(entry: JsonObject): JsonObject {
  return "url" in entry ? { weight: DEFAULT_WEIGHT, ...entry } : entry;
}

function versionText(value: JsonValue | undefined): string {
  return typeof value === "string" && /^[\w.+-]{1,40}$/.test(value) ? value : "unknown";
}

function parseReferences(saved: JsonObject): SavedReferences | undefined {
  const isOne = (one: JsonValue) =>
    isJsonObject(one) && ["reference", "fingerprint"].every((name) => typeof one[name] === "string");
  const isWhole = Object.values(saved).every((members) => isJsonObject(members) && Object.values(members).every(isOne));
  const buildMap = (members: JsonValue) =>
    new Map(Object.entries(members as unknown as Record<string, SavedReference>));
  return isWhole ? new Map(Object.entries(saved).map(([key, members]) => [key, buildMap(members)])) : undefined;
}

function parseTexts(object: JsonObject): Map<string, string> | undefined {
  const texts = Object.entries(object);
  return texts.every((entry): entry is [string, string] => typeof entry[1] === "string") ? new Map(texts) : undefined;
}

function parseManaged(managed: JsonObject, references: SavedReferences): ManagedResource[] | undefined {
  const found = Object.entries(managed).map(([key, value]) => {
    const resource = parseResource(key, value);
    const known = [...(references.get(key) ?? [])].filter(([, each]) => !each.reference.startsWith(SOURCE_REFERENCE));
    return resource && { ...resource, hidden: known.map(([path]) => path) };
  });
  return found.every((each) => each !== undefined) ? found : undefined;
}

function parseResource(key: string, value: JsonValue): Omit<ManagedResource, "hidden"> | undefined {
  const [, name = "", id = ""] = /^(\w+)\/(.+)$/s.exec(key) ?? [];
  const noun = FLEET_NOUNS.find((each): each is FleetNoun => each === name);
  const before = value === null ? null : isJsonObject(value) ? parseTexts(value) : undefined;
  return noun === undefined || before === undefined ? undefined : { noun, id, before };
}

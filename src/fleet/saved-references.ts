import { amountOr, readAmount } from "../contract/amount.ts";
import { type JsonObject, type JsonValue, jsonInteger, jsonValueAt, prettyJson } from "../contract/json.ts";
import { policyFieldAt, policyFieldCurrency, policyFieldsOf } from "../contract/policy.ts";
import { isSecretFieldPath } from "../contract/secret-fields.ts";
import { RelayctlError, usageError } from "../errors.ts";
import type { ManagedResource } from "./apply/managed-resource.ts";
import { existenceKey } from "./compare/existence.ts";
import type { ReferredValues } from "./compare/request-body.ts";
import { protectSecret } from "./config/file-item.ts";
import { InterpolationError, interpolate, rebasedInterpolation } from "./config/load-document.ts";
import type { DesiredResource } from "./desired-fleet.ts";
import { type Fingerprint, fingerprintChecksum } from "./fingerprint.ts";
import type { Plan } from "./plan.ts";
import { parseDocument } from "./source/document.ts";
import type { FleetSources } from "./sources.ts";

const SOURCE = /^\$\{source:(.+)#(\/[^{}]*)\}$/s;

/** Resolves `${env:NAME}`, `${file:PATH}`, texts with them, and `${source:FILE#/pointer}`. @throws usage */
export async function resolveReference(
  reference: string,
  sources: FleetSources,
  documents: Map<string, JsonValue> = new Map(),
): Promise<string> {
  const [, file, pointer] = SOURCE.exec(reference) ?? [];
  if (file === undefined || pointer === undefined) return await readText(reference, reference, sources);
  if (!documents.has(file)) documents.set(file, (await parseDocument(file, await sources.read(file))).value);
  const written = jsonValueAt(documents.get(file), pointerPath(pointer));
  if (typeof written !== "string") throw usageError([{ where: reference, rule: MOVED }]);
  return await readText(reference, rebasedInterpolation(written, file), sources);
}

const MOVED = "the file has no text there now; create the plan again";

async function readText(reference: string, written: string, sources: FleetSources): Promise<string> {
  try {
    return (await interpolate(written, undefined, sources)).text;
  } catch (error) {
    if (error instanceof InterpolationError) throw usageError([{ where: reference, rule: error.message }]);
    throw error;
  }
}

/** Returns the names and indexes of a JSON pointer (RFC 6901). */
function pointerPath(pointer: string): string[] {
  const parts = pointer.slice(1).split("/");
  return parts.map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}

export interface SavedReference {
  reference: string;
  fingerprint: string;
  /** A relayer's network type, which determines the units of its policies. */
  network_type?: string;
}

/** The values that a saved plan does not contain, by resource and dotted path. */
export type SavedReferences = ReadonlyMap<string, ReadonlyMap<string, SavedReference>>;

/** Returns the fingerprints of all values from elsewhere, including those that requests need. */
export function savedReferences(
  resources: readonly DesiredResource[],
  referred: ReadonlyMap<string, ReferredValues>,
  fingerprint: Fingerprint,
): SavedReferences {
  const found = resources.map(({ noun, id, fields, hidden, references }) => {
    const needed = referred.get(existenceKey(noun, id));
    const paths = new Set([...(needed?.keys() ?? []), ...hidden]);
    const kind = fields.network_type;
    const each = [...paths].flatMap((path): [string, SavedReference][] => {
      const reference = references.get(path);
      const value = needed?.get(path)?.value ?? jsonValueAt(fields, path.split("."));
      if (reference === undefined || value === undefined) return [];
      const isPolicy = path.startsWith("policies.") && typeof kind === "string";
      return [[path, { reference, fingerprint: fingerprint(String(value)), ...(isPolicy && { network_type: kind }) }]];
    });
    return [existenceKey(noun, id), new Map(each)] as const;
  });
  return new Map(found.filter(([, each]) => each.size > 0));
}

/** Reads the values that a plan's requests need. @throws RelayctlError usage if one is missing */
export async function resolveSavedReferences(
  { changes }: Plan,
  saved: SavedReferences,
  fingerprint: Fingerprint,
  sources: FleetSources,
) {
  const bodies = new Map(changes.map(({ noun, id, body }) => [existenceKey(noun, id), body]));
  const referred = new Map<string, ReferredValues>();
  const documents = new Map<string, JsonValue>();
  const changed: { member: string; reference: string }[] = [];
  for (const [key, members] of saved) {
    const values = new Map<string, { reference: string; value: JsonValue }>();
    for (const [path, each] of members) {
      const isNeeded = jsonValueAt(bodies.get(key), path.split(".")) === each.reference;
      const text = await resolveReference(each.reference, sources, documents).catch((error: unknown) => {
        if (isNeeded || !(error instanceof RelayctlError)) throw error;
        return undefined;
      });
      if (text === undefined) continue;
      protectSecret(text, isSecretFieldPath(path) && !key.startsWith("plugins/"), sources);
      const value = requestValue(text, path, each.network_type);
      if (fingerprint(String(value)) !== each.fingerprint)
        changed.push({ member: `${key} ${path}`, reference: each.reference });
      if (isNeeded) values.set(path, { reference: each.reference, value });
    }
    referred.set(key, values);
  }
  return {
    referred,
    /** The members whose values changed since the plan was created. */
    changed,
  };
}

function requestValue(text: string, path: string, kind: string | undefined): JsonValue {
  const field = policyFieldAt(policyFieldsOf(kind, undefined), path.replace(/^policies\./, ""));
  if (kind === undefined || field?.type !== "amount") return text;
  const found = amountOr(() => readAmount(text, policyFieldCurrency(field)));
  return found ? jsonInteger(found.amount) : text;
}

/** A plan in a file, with all that is needed to apply it later, without secrets. */
export interface SavedPlan {
  plan: Plan;
  /** The salt of the fingerprints. */
  salt: string;
  references: SavedReferences;
  /** Every resource that the files describe, and those that the plan deletes. */
  managed: readonly ManagedResource[];
}

/** The end of every file: the checksum of everything before it. */
const END = /,\n {2}"checksum": "(sha256:[0-9a-f]{64})"\n\}\n$/;

export function savedPlanText({ plan, salt, references, managed }: SavedPlan): string {
  const document = {
    ...plan,
    salt,
    references: Object.fromEntries([...references].map(([key, members]) => [key, Object.fromEntries(members)])),
    managed: Object.fromEntries(
      managed.map(({ noun, id, before }) => [existenceKey(noun, id), before && Object.fromEntries(before)]),
    ),
  } as unknown as JsonObject;
  const text = prettyJson(document).replace(/\n\}$/, "");
  return `${text},\n  "checksum": "${fingerprintChecksum(text)}"\n}\n`;
}

/** Returns whether a text ends like a saved plan, changed or not. */
export function isSavedPlan(text: string): boolean {
  return END.test(text);
}

/** Returns the parts of a saved plan's text; undefined for any other text. */
export function savedPlanParts(text: string): { checked: string; checksum: string } | undefined {
  const end = END.exec(text);
  return end ? { checked: text.slice(0, end.index), checksum: end[1] ?? "" } : undefined;
}

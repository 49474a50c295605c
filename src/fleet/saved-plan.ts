import { type JsonObject, prettyJson } from "../contract/json.ts";
import type { ManagedResource } from "./apply/managed-resource.ts";
import { keyOf } from "./compare/existence.ts";
import { checksumOf } from "./fingerprint.ts";
import type { Plan } from "./plan.ts";
import type { SavedReferences } from "./saved-references.ts";

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
      managed.map(({ noun, id, before }) => [keyOf(noun, id), before && Object.fromEntries(before)]),
    ),
  } as unknown as JsonObject;
  const text = prettyJson(document).replace(/\n\}$/, "");
  return `${text},\n  "checksum": "${checksumOf(text)}"\n}\n`;
}

/** Returns whether a text ends like a saved plan, changed or not. */
export function isSavedPlan(text: string): boolean {
  return END.test(text);
}

/** Returns the parts of a saved plan's text; undefined for any other text. */
export function partsOf(text: string): { checked: string; checksum: string } | undefined {
  const end = END.exec(text);
  return end ? { checked: text.slice(0, end.index), checksum: end[1] ?? "" } : undefined;
}

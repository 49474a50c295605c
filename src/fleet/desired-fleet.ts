import type { JsonObject, JsonValue, TextPosition } from "../contract/json.ts";
import { networkId } from "../contract/resources/network.ts";
import type { Problem } from "../errors.ts";

/** The nouns in files, in the order of changes: references come first. */
export const FLEET_NOUNS = ["notifications", "signers", "networks", "plugins", "relayers"] as const;

export type FleetNoun = (typeof FLEET_NOUNS)[number];

export function forEachDesiredNoun<T>(make: () => T): Record<FleetNoun, T> {
  return Object.fromEntries(FLEET_NOUNS.map((noun) => [noun, make()])) as Record<FleetNoun, T>;
}

/** A place in a file; line and column begin with 1. */
export interface FilePlace {
  /** As typed, or relative to the file that refers to it. */
  file: string;
  line: number;
  column: number;
}

export interface DesiredResource {
  noun: FleetNoun;
  /** For a network its type and name, e.g. `evm:sepolia`. */
  id: string;
  /**
   * Its members as in a request: amounts as integers in the smallest unit, RPC URLs as `{url, weight}`, secrets as text,
   * and literal `${hidden:…}` (see `hidden.ts`). A member that is absent in the file is absent here.
   */
  fields: JsonObject;
  place: FilePlace;
  /** Returns the place of a member by its dotted path, or of its container. */
  placeOf(path: string): FilePlace;
  /**
   * A plan's references to values that it does not contain, by dotted path in `fields`: the text of the file if it contains
   * `${env:NAME}` or `${file:PATH}`, otherwise `${source:FILE#/notifications/0/signing_key}`, with a JSON pointer.
   */
  references: ReadonlyMap<string, string>;
  /** The paths of values from elsewhere, which are only shown as references. */
  hidden: ReadonlySet<string>;
}

/** A note about a place in a file. */
export interface FileWarning {
  place: FilePlace;
  text: string;
  /** Set for a note about something that is left out. */
  isNote?: true;
}

/** A mistake, unless the service has the same value: the rules of a later version may differ. */
export interface Doubt {
  noun: FleetNoun;
  id: string;
  /** The dotted path of the value; empty for the whole resource. */
  path: string;
  problem: Problem;
  isMissing?: true;
  /** Set for a value that is still to be filled in, with the fix. */
  fix?: string;
}

export interface DesiredFleet {
  resources: readonly DesiredResource[];
  /** The nouns that any file has a list for; others are not compared. */
  nouns: ReadonlySet<FleetNoun>;
  warnings: readonly FileWarning[];
  /** Mistakes unless the service has the same value, in the order of the files. */
  doubts: readonly Doubt[];
}

/** Returns the ID of a network. A value of another type has been reported. */
export function desiredNetworkId(type: JsonValue | undefined, name: JsonValue | undefined): string {
  const [kind, own] = [type, name].map((value) => (typeof value === "string" ? value : ""));
  return networkId(kind, own);
}

/** Returns a place in the format of editors and compilers: `config.json:12:5`. */
export function sourcePlaceText({ file, line, column }: FilePlace): string {
  return `${file}:${line}:${column}`;
}

export function sourceWarningText({ place, text, isNote }: FileWarning): string {
  return `${isNote ? "note" : "warning"}: ${sourcePlaceText(place)}: ${text}`;
}

/** Returns the place of a member by its dotted path, or of its container. */
export function sourcePlaceIn(
  { file, places }: { file: string; places: ReadonlyMap<string, TextPosition> },
  path: string,
): FilePlace {
  for (let at = path; ; at = at.slice(0, Math.max(0, at.lastIndexOf(".")))) {
    const found = places.get(at);
    if (found || at === "") return { file, ...(found ?? { line: 1, column: 1 }) };
  }
}

import type { JsonObject } from "../contract/json.ts";
import type { Problem } from "../errors.ts";

/** What files can describe, in the order in which changes are applied: nothing comes before what it refers to. */
export const FLEET_NOUNS = ["notifications", "signers", "networks", "plugins", "relayers"] as const;

export type FleetNoun = (typeof FLEET_NOUNS)[number];

/** Where something is in a file; line and column begin with 1. */
export interface Place {
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
   * Its members in the form of a request: amounts as integers in the smallest unit, RPC URLs as `{url, weight}`, secrets as
   * text, and `${hidden:…}` as it is written (see `hidden.ts`). A member that is absent in the file is absent here.
   */
  fields: JsonObject;
  place: Place;
  /** Returns the place of a member by its dotted path, or of what contains it. */
  placeOf(path: string): Place;
  /**
   * How a plan refers to each value that it does not contain, by its dotted path in `fields`: the text of the file if that
   * contains `${env:NAME}` or `${file:PATH}`, otherwise `${source:FILE#/notifications/0/signing_key}`, with a JSON pointer.
   */
  references: ReadonlyMap<string, string>;
  /** The paths of those values that come from elsewhere: nothing of them is shown, and their references are instead. */
  hidden: ReadonlySet<string>;
}

/** A note about a place in a file. */
export interface FileWarning {
  place: Place;
  text: string;
  /** Set if it only says what is left out. */
  isNote?: true;
}

/** A mistake, unless the service has it too: the rules of a service, or of a later version, may be others. */
export interface Doubt {
  noun: FleetNoun;
  id: string;
  /** The dotted path of the value; empty for the whole resource. */
  path: string;
  problem: Problem;
  isMissing?: true;
  /** Set if the value is still to be filled in: what to do. */
  fix?: string;
}

export interface DesiredFleet {
  /** In the order of the files. */
  resources: readonly DesiredResource[];
  /** The nouns for which any file has a list: the others are not compared. */
  nouns: ReadonlySet<FleetNoun>;
  warnings: readonly FileWarning[];
  /** What has to be refused unless the service has it too; in the order of the files. */
  doubts: readonly Doubt[];
}

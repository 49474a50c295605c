import type { JsonObject, JsonValue } from "../contract/json.ts";
import type { ListItem } from "../contract/reply/list-reply.ts";
import type { RelayctlError } from "../errors.ts";

/** What a word means, for a person with colours: `good` green, `warn` yellow, `bad` red, `faint` dim. */
export type Tone = "good" | "warn" | "bad" | "faint";

export interface Cell {
  text: string;
  tone?: Tone | undefined;
}

export interface TableColumn<T extends JsonObject> {
  /** In lower case; the table prints it in capitals. */
  header: string;
  cell(item: T): Cell;
  /** A word that tells apart items whose cells look alike. It is shown after the cell where two of them differ in it. */
  apart?(item: T): string;
  /** The members that the cell is read from; where it does not say so, it gets all of them. */
  reads?: readonly string[];
  align?: "right";
  /** Holds ids, addresses, or hashes, which are never cut. All other texts are, at `most` columns, with `…`. */
  whole?: boolean;
  most?: number;
}

/** One line of a `label  value` block. Further lines of the same value have an empty label; `indent` sets a group in. */
export interface BlockLine {
  label: string;
  value: Cell;
  indent?: true;
}

/** A name with words about it, each of them on a line of its own, and below them facts that stand in columns. */
export interface ScreenEntry {
  name: string;
  words: readonly string[];
  facts?: readonly string[];
}

/** One line of a screen: a label, then one entry, or as many names as fit and how many more there are. */
export type ScreenLine = { label: Cell } & (ScreenEntry | { names: readonly string[] });

/** How one kind of resource is shown. Texts are raw: who prints them escapes them. */
export interface ResourceView<T extends JsonObject = JsonObject> {
  one: string;
  many: string;
  /** The dotted path of its id, where that is not `id`. */
  id?: string;
  table: readonly TableColumn<T>[];
  /** The documented columns of tsv and csv, as dotted paths. They are only ever appended to. */
  flat: readonly string[];
  /** Every dotted path that `--fields` may name. */
  fields: readonly string[];
  block(item: T): readonly BlockLine[];
  /**
   * What in a list wants a person's attention: `2 need attention: relayctl relayers status`; nothing when all is well.
   * @param flags what a command repeats to reach the same service
   */
  attention?(items: readonly T[], flags: readonly string[]): string | undefined;
  /** A list on one screen, in place of its table. */
  screen?(items: readonly T[], flags: readonly string[]): readonly ScreenLine[];
}

/** One page of a list as it arrived. */
export interface Page {
  items: readonly JsonObject[];
  /** The same items, where they can be shown without building them. */
  found?: readonly ListItem[];
  /** `total_items` of the reply. */
  total: number | undefined;
  /** The reply's body exactly as received. */
  body: Uint8Array;
  /** Counts bytes that are held of it after the next one was asked for, where too many of them must end the reading. */
  keep?(bytes: number): void;
}

export interface ListView {
  kind: "list";
  resource: ResourceView;
  pages: AsyncIterable<Page>;
  /** The context's name, for notes. */
  where: string;
  /** What a command repeats to reach the same service. */
  flags?: readonly string[];
  /** The pages come in the order in which they are to be printed; else a list is ordered by id. */
  inOrder?: true;
  /** What to say when there is nothing in it, in place of what is said of every list; null prints nothing at all: its ending tells. */
  nothing?: string | null;
  /** `--where` chose what the command did, and is no part of the output. */
  chosen?: true;
  /** How the command ends once the list is printed, or its reader has left: asked for after all else. */
  ending?(): Promise<Ending>;
}

/** What is left to say of a result. */
export interface Ending {
  /** What is to be known of the result; nothing that was applied. */
  notes?: readonly string[];
  /** The result is of a write that took effect; these lines are printed before it is drawn, and when it cannot be drawn. */
  receipt?: readonly string[];
  /** The commands that undo the write or follow it: the last lines, so that one of them is typed next. */
  next?: readonly string[];
  /** The command did what it could and fails: a check did not hold, or some of many failed. */
  failure?: RelayctlError;
}

/** One resource. */
export interface OneView extends Ending {
  kind: "one";
  resource: ResourceView;
  value: JsonObject;
  /** The reply's body exactly as received. */
  body: Uint8Array;
  /** What the block says of it beyond its members: a note, wherever the block is not printed. */
  meaning?: string;
  /** What `-o name` prints, where the value has no id. */
  name?: string;
}

/** Something that is no resource: a block for a person, a value for a script. */
export interface FactsView extends Ending {
  kind: "facts";
  lines: readonly BlockLine[];
  value: JsonValue;
  /** What `-o name` prints, where the value itself has no id. */
  name?: string;
  /** The reply that it was read from, for `-o raw`; what this tool computed has none. */
  body?: Uint8Array;
}

/** What a command hands to the one place that prints. */
export type View =
  | ListView
  | OneView
  | FactsView
  /** A text that is the result: a dry run, a curl command, a completion script. A token that was asked for is `secret`. */
  | { kind: "text"; text: string; secret?: true }
  /** A reply's body as received. */
  | ({ kind: "body"; body: Uint8Array } & Ending)
  | { kind: "nothing" };

import type { OperationKind } from "../../../src/contract/operation.ts";
import type { Entry } from "../../../src/journal/journal.ts";
import type { World } from "../../helpers/test-app.ts";
import type { Dialect } from "../server/service/dialect.ts";

/** A command line of the truth table and what is true of it. */
export interface Command {
  name: string;
  argv: readonly string[];
  files?: Readonly<Record<string, string>>;
  /** What the journal contains already, about the service at this origin. Such a command runs only in this process. */
  journal?: (origin: string) => readonly Entry[];
  /** What else is there, for the service at this origin. Such a command runs only in this process. */
  world?: (origin: string, now: number) => World;
  /** The write, or the read, that the command is about, and that the faults happen to. */
  request: { method: string; path: string };
  /** The request that the faults happen to, if it is a different one. Then the table doesn't decide on an exit code. */
  faulty?: { method: string; path: string };
  /** The kind of that request (promises 7.1). */
  kind: OperationKind;
  /** The bodies of which one may be applied, byte for byte; `<uuid>` stands for an id that the client makes. None for a command that only reads. */
  bodies?: readonly string[];
  /** What an error must name when the outcome is not known. */
  item: string;
  /** Whether reading the thing can prove that all of it was applied. */
  provable?: boolean | ((dialect: Dialect, routes: boolean) => boolean);
  /** How it ends when nothing goes wrong, where that is not 0. */
  honest?: (dialect: Dialect, routes: boolean) => number;
  /** What stdout holds when it ends well. */
  shows?: readonly string[];
  list?: true;
  /** The exit code of a read that the command makes before the request is not what the faults are about. */
  readsFirst?: true;
  /** Without routes by id it ends before the request that the faults happen to. */
  needsRoutes?: true;
  /** As in bulk, a 429 is waited for whatever `--retries` says. */
  outwaits?: true;
  /** It ends with 13 once its write was applied. */
  alerts?: true;
  /** The format that scripts use (default: json). */
  format?: "ndjson";
  /** It follows what it wrote: once that was applied, it ends with 0, 13, 14, or 15. */
  waits?: true;
  /** Its relayer has this cap in wei, which it raises meanwhile: in the end the cap is as before, or the command that restores it is printed. */
  raisedCap?: bigint;
  /** The response doesn't repeat the request, so that nothing reveals a service that ignores it. */
  mute?: true;
  /** It prints the result of each change, including failed ones. */
  reports?: true;
  /**
   * It sends rows of a file: a refused or unsent row ends it with 12; with `rest`, after earlier payments, any other refusal,
   * too.
   */
  sendsRows?: "all" | "rest";
  /** The time that the command itself waits between requests passes at once. */
  passes?: true;
  /** Any complete response passes: a read as received, or an unknown request, for which any JSON will do. */
  unvalidated?: true;
}

/** Creates the row of a line, whose words have no spaces, and its request. It reads the thing that is its third word by default. */
export function row(line: string, request: string, more: Partial<Command> = {}): Command {
  const argv = line.split(" ");
  const [method = "", path = ""] = request.split(" ");
  const [noun = "", verb = "", item = noun] = argv;
  return { name: `${noun} ${verb}`, argv, request: { method, path: `/api/v1${path}` }, kind: "read", item, ...more };
}

export function writes(command: Command): boolean {
  return command.bodies !== undefined;
}

export function isProvable({ provable = false }: Command, dialect: Dialect, routes: boolean): boolean {
  return typeof provable === "boolean" ? provable : provable(dialect, routes);
}

import type { Client } from "./client/client.ts";
import type { Clock, KeySource, Random } from "./client/clock.ts";
import type { ApiRequest } from "./client/request.ts";
import type { NetworkOptions, Transport } from "./client/transport/transport.ts";
import type { Config, Context, Limits } from "./config/config.ts";
import type { EditorFile } from "./config/editor/editor-file.ts";
import type { Environment } from "./config/environment.ts";
import type { Files } from "./config/files/files.ts";
import type { LineFile } from "./config/files/line-file.ts";
import type { TextFile } from "./config/files/text-file.ts";
import type { Machine } from "./config/machine/machine.ts";
import type { ProjectFile, ReadProject } from "./config/project/project.ts";
import type { ProgramLimits, ProgramResult } from "./config/token/run-program.ts";
import type { Masked, Secrets } from "./contract/secret-fields.ts";
import type { ChainToServe, ServeOptions as EmbeddedServeOptions } from "./contract/serving.ts";
import type { Receiver } from "./contract/webhook/receiver.ts";
import type { RelayctlError } from "./errors.ts";
import type { Intent, Journal, JournalPlace } from "./journal/journal.ts";
import type { Message } from "./message.ts";
import type { Keyboard } from "./terminal/keyboard.ts";
import type { Links } from "./terminal/links.ts";
import type { PromptLook, Prompts } from "./terminal/prompts.ts";
import type { Input, Output } from "./terminal/streams/output.ts";
import type { Pager } from "./terminal/streams/paged-output.ts";
import type { Runtime } from "./version.ts";

/** Everything outside the program: real in `main`, fake in tests. Costly parts open on first use. */
export interface App {
  /** The environment at startup. `secrets` knows any token in it. */
  readonly env: Environment;
  readonly clock: Clock;
  readonly random: Random & KeySource;
  readonly stdin: Input;
  stdinChunks(): AsyncIterable<Uint8Array>;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly files: Files;
  readonly secrets: Secrets;
  /** Known explorer pages of words. */
  readonly links: Links;
  readonly config: ConfigStore;
  /** Above the working directory; absent with `--demo`. */
  readonly projectFile?: ProjectFile | undefined;
  /** Returns what a trusted project file sets; asks about a new one on a terminal. Absent before a command runs. */
  readonly project?: ReadProject;
  /** Returns V8's heap limit in bytes. Slow: only call it when the limit matters. */
  readonly heapLimit: () => number;
  /** Aborted by the first SIGINT, SIGTERM, or SIGHUP, with that signal's failure word. Start nothing new after it. */
  readonly interrupt: AbortSignal;
  /** Aborted by the second signal: a write in flight is abandoned, and its outcome is unknown. */
  readonly abandon: AbortSignal;
  prompts(look?: PromptLook): Promise<Prompts>;
  /** Opens the terminal's keys for a full screen. */
  keyboard(): Promise<Keyboard>;
  /** Creates a file for the user's editor; `name` describes the content. */
  editorFile(name: string): Promise<EditorFile>;
  /** Opens a file that grows line by line, or a run's file. Rejects with a `usage` error if it is not new. */
  lineFile(place: string | { run: string }): Promise<LineFile>;
  /** Opens a private file that is replaced as a whole: any fault leaves the old text or the new one. */
  textFile(path: string, maxBytes: number): Pick<TextFile, "change">;
  /** Opens a file of the state folder's proposals. */
  proposalFile(name: string): Pick<TextFile, "path" | "load" | "change">;
  proposalNames(): Promise<string[]>;
  /** Runs work with an app that has no settings, and keeps everything in a temporary folder. */
  inTemporaryFolder<T>(use: (app: App, folder: string) => Promise<T>): Promise<T>;
  /** Set while a command is asked what it would send: receives its dry run's requests, and what reads for it. */
  capture?(requests: readonly ApiRequest[], from: CaptureSource): Promise<void>;
  /** Set while a command is asked which rules of a context it would change, which then stay. */
  captureRules?(change: RulesChange): Promise<void>;
  /** Set while a command runs within another: receives its error. */
  failed?(error: RelayctlError): void;
  /** Writes texts to private files while a program uses their paths. */
  privateFiles<T>(texts: readonly Masked<string>[], use: (paths: readonly string[]) => Promise<T>): Promise<T>;
  /** Opens a journal, which masks what it appends; the first entry creates its folder. Each place has one journal. */
  journal(place: JournalPlace): Promise<Journal>;
  /** Returns whether a journal was written since then, in milliseconds since 1970, without opening it. */
  wroteSince(place: JournalPlace, time: number): boolean;
  /** Set if lines for the user are annotated, too. */
  heard?(messages: readonly Message[]): Promise<void>;
  /** Set if printed lines can be commands, as in a log of GitHub Actions. @param form how the format escapes */
  inLog?(output: Output, form: "text" | "json"): Output;
  /** Creates the transport to a real service. Loads the HTTP library. */
  network(options: NetworkOptions): Promise<Transport>;
  /** Opens the embedded server here, with the state kept between runs, and returns the token that it requires. */
  demo(): Promise<{ transport: Transport; token: string }>;
  resetDemo(): Promise<void>;
  /** Updates a completion file with the result of `make` for its text, unless another process does. */
  keepForCompletion(name: string, make: (text: string | undefined) => Promise<Masked<string>>): Promise<void>;
  /** Returns a cache file, e.g. of the coins of a service's networks. @param folder default: below the state folder */
  kept(name: string, folder?: string): Pick<TextFile, "load" | "renew">;
  /** Returns what other users may do to a file or a folder; undefined for nothing, and on Windows. */
  othersMay(path: string): "read" | "change" | undefined;
  readonly runtime: Runtime;
  /** Returns facts about this machine, without changing it. */
  machine(): Promise<Machine>;
  /** Returns the names of the user and the host of the operating system, and this process. */
  whoRuns(): Pick<Intent, "user" | "host" | "pid" | "started">;
  /** Starts the user's pager; undefined if it is turned off. */
  pager(): Promise<Pager | { problem: string } | undefined>;
  /** Opens a page in the user's browser. @returns why it could not be started */
  openPage(url: string): Promise<string | undefined>;
  /** Called before very many items pass through without being kept: memory then matters more than time. */
  manyPass(): void;
  /** Serves the embedded server on loopback until the signal. */
  serve(options: ServeOptions): Promise<void>;
  /** Passes the raw bodies of requests to a function, until its own signal. */
  receive(options: Receiver): Promise<void>;
  /** Runs a program without a shell, for `token_command` and `--on-change`, and returns its output. */
  execute(argv: readonly string[], limits: ExecutionLimits): Promise<ProgramResult>;
}

export type { EditorFile } from "./config/editor/editor-file.ts";
export type { LineFile } from "./config/files/line-file.ts";

interface ConfigStore {
  readonly path: string;
  /** Reads the file, if there is one. Throws a `usage` error with the path if it can't be parsed. */
  read(): Promise<Config>;
  /** Reads, edits, and writes under a lock, which `failed` uses, too: readers see the old or the new content, and no change is lost. */
  change(edit: (config: Config) => Config | Promise<Config>, failed?: () => Promise<void>): Promise<void>;
}

export interface RulesChange {
  name: string;
  before: Context | undefined;
  after: Context;
}

/** The service that captured requests are for. */
export interface CaptureSource {
  name: string;
  origin: string;
  limits: Limits;
  /** Set if the proposal needs signatures. */
  approvers?: object | undefined;
  client: Client;
}

interface ExecutionLimits extends ProgramLimits {
  stop?: AbortSignal;
  /** Set if the program may run after the first signal too, which then does not end it. */
  lasting?: true;
}

export interface ServeOptions extends EmbeddedServeOptions {
  stateFile?: string;
  chain?: ChainToServe;
}

import type { Clock, Random } from "./client/clock.ts";
import type { NetworkOptions } from "./client/network-options.ts";
import type { Transport } from "./client/transport/transport.ts";
import type { Config } from "./config/config.ts";
import type { EditorFile } from "./config/editor/editor-file.ts";
import type { Environment } from "./config/environment.ts";
import type { LineFile } from "./config/undo-file/line-file.ts";
import type { Prompts } from "./terminal/prompts.ts";
import type { Input, Output } from "./terminal/streams.ts";

/**
 * Everything that touches the world. `main` makes the real one, a test makes its own, and nothing else in the program
 * reaches outside. What is costly is opened when it is first asked for.
 */
export interface App {
  /** The environment as it was at the start. A token in it is known to `secrets`. */
  readonly env: Environment;
  readonly clock: Clock;
  readonly random: Random;
  readonly stdin: Input;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly files: Files;
  readonly secrets: Secrets;
  readonly config: ConfigStore;
  /** The bytes that V8 allows its heap. Finding out takes time: asked for when it matters. */
  readonly heapLimit: () => number;
  /** Aborted by the first SIGINT, SIGTERM, or SIGHUP, with the failure word of that signal as its reason: nothing new is begun. */
  readonly interrupt: AbortSignal;
  /** Aborted by the second: a write in flight is left, and its outcome is unknown. */
  readonly abandon: AbortSignal;
  prompts(): Promise<Prompts>;
  /** A file for a person to edit in a program of their own; `name` says what it is about. */
  editorFile(name: string): Promise<EditorFile>;
  /** A file that grows line by line. Rejects with a `usage` error when it cannot be written or is not empty. */
  lineFile(path: string): Promise<LineFile>;
  /** A way to a real service. Loads the HTTP library. */
  network(options: NetworkOptions): Promise<Transport>;
  /** The embedded server inside this process, with its state kept between runs, and the token that it asks for. */
  demo(): Promise<{ transport: Transport; token: string }>;
  /** Starts the state of `--demo` anew. */
  resetDemo(): Promise<void>;
  /** A file of completion's: what `make` gives for its text is kept in it, unless another process is about to keep the same. */
  keepForCompletion(name: string, make: (text: string | undefined) => Promise<string>): Promise<void>;
  /** A file about a service that is kept for a day, e.g. its networks' coins. */
  kept(name: string): KeptFile;
  /** Told when very many things are about to pass through, none of which is held: memory matters then more than time. */
  manyPass(): void;
  /** Serves the embedded server on loopback until the signal. */
  serve(options: ServeOptions): Promise<void>;
  /** Runs a program without a shell and gives its stdout. For `token_command` alone. */
  execute(argv: readonly string[], limits: { timeout: number; maxBytes: number }): Promise<Execution>;
}

export type { Clock, Random } from "./client/clock.ts";
export type { EditorFile } from "./config/editor/editor-file.ts";
export type { Environment } from "./config/environment.ts";
export type { LineFile } from "./config/undo-file/line-file.ts";
export type { Input, Output } from "./terminal/streams.ts";

export interface Files {
  /** The whole file, at most `maxBytes`. Rejects with a `usage` error that names the path and never the content. */
  read(path: string, maxBytes: number): Promise<Uint8Array>;
}

/** Texts that must never be printed. Every output looks for them. */
export interface Secrets {
  add(secret: string): void;
  /** The text with every known secret replaced. */
  redact(text: string): string;
  /** False when no secret is in the bytes, whatever its form. Sooner known than redacted. */
  mayBeIn(bytes: Uint8Array): boolean;
}

export interface ConfigStore {
  /** For messages. */
  readonly path: string;
  /** The file's content, or an empty config when there is none. A file that cannot be understood is a `usage` error that names it. */
  read(): Promise<Config>;
  /** Reads, edits and writes under a lock: the old content or the new one, never neither, and no other writer's change lost. */
  change(edit: (config: Config) => Config): Promise<void>;
}

/** A small file of this program's own, open to its user alone. */
export interface KeptFile {
  /** The text, or nothing where there is none. */
  load(): Promise<string | undefined>;
  /** Replaces the text by what `make` makes of it, unless another process is about to do the same. */
  renew(make: (text: string | undefined) => Promise<string>): Promise<void>;
}

export interface Execution {
  stdout: string;
  /** What went wrong: a message without any of the program's output. */
  problem?: string;
}

export interface ServeOptions {
  port: number;
  /** Given by the user, else made at random. */
  token: string;
  seed: string;
  stateFile?: string;
  latency: number;
  rateLimit?: { perSecond: number; burst: number };
  failures: readonly ServeFailure[];
  /** How the embedded server responds: as the interface describes, or as the real service does. */
  dialect: "interface" | "openzeppelin";
  /** Called once it listens, with the port that it got. */
  listening(port: number): Promise<void>;
  /** Called after each request. */
  served(line: { method: string; target: string; status: number; milliseconds: number }): Promise<void>;
  /** Called after each attempt to tell a webhook; without a status when no answer came. */
  delivered(line: { notification: string; event: string; attempt: number; status?: number }): Promise<void>;
}

/** `--fail METHOD:PATH-GLOB=STATUS[:RATE]` */
export interface ServeFailure {
  method: string;
  path: string;
  /** 599 at most; or what no status says: too many at once, a connection closed without a reply, 200 with a failure. */
  status: number | "busy" | "close" | "refuse";
  /** From 0 to 1. */
  rate: number;
}

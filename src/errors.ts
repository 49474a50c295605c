import { type Message, messageText } from "./message.ts";

/** A command's ends, with their exit codes (promises 4.2). Codes 2 to 10 promise that nothing was applied. */
export const EXIT_CODES = {
  internal: 1,
  usage: 2,
  declined: 3,
  auth: 4,
  not_found: 5,
  conflict: 6,
  rejected: 7,
  rate_limited: 8,
  server: 9,
  network: 10,
  unknown: 11,
  partial: 12,
  unmet: 13,
  mismatch: 14,
  pending: 15,
  changes: 20,
  io: 74,
  interrupted: 130,
  terminated: 143,
  hung_up: 129,
} as const;

/** Returns whether a failure promises by its exit code that nothing was applied. */
export function promisesNothing(failure: Failure): boolean {
  return EXIT_CODES[failure] >= 2 && EXIT_CODES[failure] <= 10;
}

/** The stable word for a failure; scripts may test it as `error.code`. */
export type Failure = keyof typeof EXIT_CODES;

/** Whether a write took effect. `unknown`: a request left and no trustworthy response arrived. */
export type Applied = "no" | "yes" | "unknown";

/** Returns the outcome of several requests together: unknown if any is unknown, applied if any was applied. */
export function appliedTogether(each: readonly Applied[]): Applied {
  return (["unknown", "yes"] as const).find((applied) => each.includes(applied)) ?? "no";
}

/** One of several problems with the input. */
export interface Problem {
  /** The flag, argument, file position, or body path: `--value`, `body.json line 3 column 7`, `policies.min_balance`. */
  where: string;
  /** The value given, if it may be shown. */
  given?: string;
  /** The problem, or the allowed values. */
  rule: string;
}

export interface HttpFacts {
  status: number;
  method: string;
  path: string;
  /** Set if the request, whatever its method, only reads. @internal */
  isRead?: true;
}

/** The subject of a failure, if it decides which command helps next. */
export type Subject =
  | { kind: "missing"; noun: ListedNoun | undefined }
  | { kind: "other_relayer"; relayer: string; transaction: string }
  | { kind: "accepted"; id: string }
  | { kind: "gateway" }
  /** A prompt, which was not completed: no error to a user. */
  | { kind: "stopped"; isMistyped: boolean }
  | { kind: "read_only" | "unsigned"; isOneOfMany?: boolean }
  | { kind: "paused" | "disabled" | "has_transactions" };

/** A noun whose `list` command shows its IDs. */
export type ListedNoun = "networks" | "notifications" | "plugins" | "relayers" | "signers";

export interface Repetition {
  argv: readonly string[];
  added: readonly string[];
}

export interface ErrorOptions {
  /** Further lines for the user: the service's words for the cause, the state that was read. */
  because?: readonly string[];
  /** The next command to type. */
  hint?: string | undefined;
  /** The command that is the hint, with the flags to add. @internal */
  repeat?: Repetition | undefined;
  /** Set if the hint does the rest of the same work; `again` if the same command does. */
  continues?: boolean | "again";
  details?: readonly Problem[];
  /** The details for the user, grouped (default: one line for each detail). */
  summary?: readonly string[] | undefined;
  /** The commands that undo or follow applied writes: the last lines. */
  next?: readonly Message[];
  /** The command that repeats input from prompts of which nothing came. */
  again?: string | undefined;
  applied?: Applied;
  /** Overrides the failure's rule, for a refusal that is temporary. */
  retryable?: boolean;
  http?: HttpFacts | undefined;
  subject?: Subject | undefined;
  /** Set if a signal cut the work short; the message begins with that. @internal */
  isInterrupted?: boolean;
  /** Set if the result of the command says all of it, so that no error is printed for the user. @internal */
  isSaid?: true | undefined;
  /** Set if an accepted request leaves nothing applied: it was undone, or its response has a refusal. @internal */
  leavesNothing?: boolean;
  cause?: unknown;
}

/** What an error gets later, if it has none yet or, for a failure word, as a more exact one. */
interface Additions {
  failure?: Failure;
  hint?: string | undefined;
  again?: string | undefined;
}

const RETRYABLE: readonly Failure[] = ["rate_limited", "server", "network", "pending"];

/** Returns the error for a user who stops at a prompt: every prompt comes before the request that it is about. */
export function cancelError(failure: "declined" | "interrupted" = "declined", applied: Applied = "no"): RelayctlError {
  const subject = { kind: "stopped", isMistyped: false } as const;
  return new RelayctlError(failure, "Canceled. Nothing was sent.", { applied, subject });
}

/** Returns the error for a typed text that does not confirm: `"y" does not match "2 relayers". Nothing was sent.` */
export function unconfirmedError(typed: string, wanted: string): RelayctlError {
  if (typed === "") return cancelError();
  const subject = { kind: "stopped", isMistyped: true } as const;
  return new RelayctlError("declined", `"${typed}" does not match "${wanted}". Nothing was sent.`, { subject });
}

/** The start of the message of a write that may have been applied; the reason follows. */
export const MAYBE_APPLIED = "unknown whether the request was applied: ";

/** The advice below such a message. */
export const CHECK_FIRST = "check the outcome before you send the request again";

export const TOO_MANY_FILES = "too many files are open; raise the limit, e.g. ulimit -n 1024";

/**
 * A failure for a user: `failure` is its exit code's word, `applied` whether a write took effect, `because` further reasons.
 */
export class RelayctlError extends Error {
  override readonly name = "RelayctlError";
  readonly failure: Failure;
  readonly because: readonly string[];
  readonly hint: string | undefined;
  /** @internal */
  readonly repeat: Repetition | undefined;
  readonly continues: boolean | "again";
  readonly details: readonly Problem[];
  readonly summary: readonly string[] | undefined;
  readonly next: readonly string[];
  /** What follows, for a terminal; `next` has the same lines as texts. @internal */
  readonly following: readonly Message[];
  readonly again: string | undefined;
  readonly applied: Applied;
  readonly retryable: boolean;
  readonly http: HttpFacts | undefined;
  readonly subject: Subject | undefined;
  /** @internal */
  readonly isInterrupted: boolean;
  /** @internal */
  readonly isSaid: true | undefined;
  /** Whether accepted requests leave nothing applied. @internal */
  readonly leavesNothing: boolean;

  constructor(failure: Failure, message: string, options: ErrorOptions = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.failure = failure;
    this.because = withoutRepeats(message, options.because ?? []);
    this.hint = options.hint;
    this.repeat = options.repeat;
    this.continues = options.continues ?? false;
    this.details = options.details ?? [];
    this.summary = options.summary;
    this.following = options.next ?? [];
    this.next = this.following.map(messageText);
    this.again = options.again;
    this.applied = options.applied ?? (failure === "unknown" ? "unknown" : "no");
    this.retryable = options.retryable ?? RETRYABLE.includes(failure);
    this.http = options.http;
    this.subject = options.subject;
    this.isInterrupted = options.isInterrupted === true;
    this.isSaid = options.isSaid;
    this.leavesNothing = options.leavesNothing === true;
  }

  get exitCode(): number {
    return EXIT_CODES[this.failure];
  }

  /** Returns the error without its secrets, or itself without any. @internal */
  masked(mask: <T>(value: T) => T): RelayctlError {
    const texts = { ...this, next: this.following, words: this.message };
    const shown = mask(texts);
    const cause = this.cause instanceof RelayctlError ? this.cause.masked(mask) : withoutQuotes(this.cause, mask);
    if (shown === texts && cause === this.cause) return this;
    const { applied, failure } = this;
    return new RelayctlError(failure, shown.words, { ...shown, applied, cause } as ErrorOptions);
  }

  /**
   * Returns the error with further lines, a hint unless it has one, or a more exact failure word. Its words no longer
   * deny what turns out to be applied. @internal
   */
  with(
    more: Pick<ErrorOptions, "because" | "next" | "http" | "applied" | "subject" | "leavesNothing"> & Additions,
  ): RelayctlError {
    const isApplied = this.applied === "no" && more.applied !== undefined && more.applied !== "no";
    const [words = "", ...lines] = [this.message, ...this.because].map(isApplied ? withoutDenial : (line) => line);
    return new RelayctlError(more.failure ?? this.failure, words || this.failure, {
      ...this,
      because: [...lines.filter((line) => line !== ""), ...(more.because ?? [])],
      next: [...this.following, ...(more.next ?? [])],
      hint: this.hint ?? more.hint,
      again: this.again ?? more.again,
      http: this.http ?? more.http,
      subject: this.subject ?? more.subject,
      applied: this.applied === "no" ? (more.applied ?? "no") : this.applied,
      cause: this.cause,
      isSaid: more.because?.length ? undefined : this.isSaid,
      leavesNothing: this.leavesNothing || more.leavesNothing,
    });
  }
}

/** `interrupted; nothing was changed` becomes `interrupted`. */
function withoutDenial(text: string): string {
  const denied = /(?:^|[.;,:] (?:and )?)nothing was (?:sent|changed|applied)(?: now)?(?=$|[.;,:])/gi;
  return text.replace(denied, "").replace(/^[.;,:] ?/, "");
}

/** Returns lines without each that the message or another line contains: several callers may add the same sentence. */
function withoutRepeats(message: string, lines: readonly string[]): readonly string[] {
  const all = [message, ...lines].map((text) => text.toLowerCase());
  const isRepeated = (words: string, at: number) =>
    all.some((each, place) => hasSentence(each, words) && (place < at || (place > at && each !== words)));
  return lines.filter((_, at) => !isRepeated(all[at + 1] ?? "", at + 1));
}

/** Returns whether the words are whole sentences of a text, unlike `hot is paused` in `base-hot is paused`. */
function hasSentence(text: string, words: string): boolean {
  const at = text.indexOf(words);
  const [before, after] = [text.slice(0, Math.max(0, at)), text.slice(at + words.length)];
  return at >= 0 && /(?:^|[.;:,] (?:and )?)$/.test(before) && /^(?: now)?(?:$|[.;,])/.test(after);
}

/** Returns a result, or another value if there is any error. */
export function elseOnError<T, U = undefined>(work: () => T, otherwise?: U): T | U {
  try {
    return work();
  } catch {
    return otherwise as U;
  }
}

/** Returns a result, or undefined if there is an error of this kind. */
export function undefinedOnError<T>(kind: abstract new (...args: never[]) => Error, work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof kind) return undefined;
    throw error;
  }
}

/** Resolves to the result of `handle` in place of a failure; a defect still rejects. */
export async function rescue<T, U>(
  work: Promise<T>,
  handle: (failure: RelayctlError) => U | Promise<U>,
): Promise<T | U> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof RelayctlError)) throw error;
    return await handle(error);
  }
}

/** Like `rescue`, but an interrupt still rejects. */
export async function rescueUnlessInterrupted<T, U>(
  work: Promise<T>,
  handle: (failure: RelayctlError) => U | Promise<U>,
): Promise<T | U> {
  return await rescue(work, (failure) => {
    if (failure.failure === "interrupted") throw failure;
    return handle(failure);
  });
}

/** Resolves to undefined in place of a failure, except an interrupt: the signal's, or without one the failure itself. */
export async function ifReadable<T>(
  reading: Promise<T>,
  interrupt?: AbortSignal,
  failed: (failure: RelayctlError) => unknown = () => {},
): Promise<T | undefined> {
  return await rescue(reading, (failure) => {
    if (interrupt ? interrupt.aborted : failure.failure === "interrupted") throw failure;
    failed(failure);
    return undefined;
  });
}

/** Resolves to undefined if the service lacks the resource. */
export async function ifFound<T>(reading: Promise<T>): Promise<T | undefined> {
  return await rescue(reading, (failure) => {
    if (failure.failure !== "not_found") throw failure;
    return undefined;
  });
}

/** Works under a lock. @param refused called without the lock; a failure of the work itself rejects */
export async function workUnder<T, Held extends unknown[]>(
  lock: (work: (...held: Held) => Promise<T>) => Promise<T>,
  work: (...held: Held) => Promise<T>,
  refused: (failure: RelayctlError) => T | Promise<T>,
): Promise<T> {
  let isHeld = false;
  const locked = lock(async (...held) => {
    isHeld = true;
    return await work(...held);
  });
  return await rescue(locked, (failure) => {
    if (isHeld) throw failure;
    return refused(failure);
  });
}

/** Returns the error of work that a signal cut short. @param rest what follows `interrupted` */
export function interruptedError(rest = "", options: ErrorOptions = {}): RelayctlError {
  return new RelayctlError("interrupted", `interrupted${rest}`, { ...options, isInterrupted: true });
}

/** Returns an error whose last line says that nothing was sent. */
export function unsentError(failure: Failure, message: string, options: ErrorOptions = {}): RelayctlError {
  return new RelayctlError(failure, message, { ...options, because: [...(options.because ?? []), "nothing was sent"] });
}

/** Returns the cause of an error, or only its masked words if it quotes a secret. */
function withoutQuotes(cause: unknown, mask: <T>(value: T) => T): unknown {
  if (!(cause instanceof Error) || mask(cause.stack) === cause.stack) return cause;
  return Object.assign(new Error(mask(cause.message)), { name: cause.name });
}

export function usageError(problems: readonly Problem[], hint?: string): RelayctlError {
  const [first] = problems;
  const message = problems.length === 1 && first ? problemText(first) : `${problems.length} problems, nothing was sent`;
  return new RelayctlError("usage", message, { details: problems, hint: hint || undefined });
}

/** Returns a problem as text: `--value 0.1: needs a unit …`, `unexpected argument "extra": takes no arguments` */
export function problemText({ where, given, rule }: Problem): string {
  if (where === "argument") return `unexpected argument "${given}": ${rule}`;
  if (where.startsWith("<") && rule.startsWith("unexpected: ")) return rule.replace(":", ` "${given}":`);
  return `${where}${given === undefined ? "" : ` ${given}`}: ${rule}`;
}

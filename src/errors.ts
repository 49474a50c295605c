/**
 * Every way in which a command can end, with its exit code (promises 4.2). Codes 2 to 10 promise that nothing was
 * applied.
 */
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
  changes: 20,
  io: 74,
  interrupted: 130,
  terminated: 143,
  hung_up: 129,
} as const;

/** The stable word of a failure; scripts may test it as `error.code`. */
export type Failure = keyof typeof EXIT_CODES;

/** Whether a write took effect. `unknown` means that a request left and no trustworthy answer came. */
export type Applied = "no" | "yes" | "unknown";

/** One of several things wrong with what was given. */
export interface Problem {
  /** The flag, argument, file position or body path: `--value`, `body.json line 3 column 7`, `policies.min_balance`. */
  where: string;
  /** What was given, when it may be shown. */
  given?: string;
  /** What is wrong, or what is allowed. */
  rule: string;
}

export interface HttpFacts {
  status: number;
  method: string;
  path: string;
}

export interface ErrorOptions {
  /** Further lines for a person: the cause in the service's own words, what was seen. */
  because?: readonly string[];
  /** The next command to type. */
  hint?: string;
  details?: readonly Problem[];
  applied?: Applied;
  /** Overrides the rule for the failure, for a refusal that passes by itself. */
  retryable?: boolean;
  http?: HttpFacts;
  cause?: unknown;
}

const RETRYABLE: readonly Failure[] = ["rate_limited", "server", "network"];

/** The message when a user stops at a question: every question comes before the request that it is about. */
export const CANCELED = "Canceled. Nothing was sent.";

/** The one error of this tool. It is thrown where the fact is known; `cli/run` alone turns it into words and an exit code. */
export class RelayctlError extends Error {
  override readonly name = "RelayctlError";
  readonly failure: Failure;
  readonly because: readonly string[];
  readonly hint: string | undefined;
  readonly details: readonly Problem[];
  readonly applied: Applied;
  readonly retryable: boolean;
  readonly http: HttpFacts | undefined;

  constructor(failure: Failure, message: string, options: ErrorOptions = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.failure = failure;
    this.because = options.because ?? [];
    this.hint = options.hint;
    this.details = options.details ?? [];
    this.applied = options.applied ?? (failure === "unknown" ? "unknown" : "no");
    this.retryable = options.retryable ?? RETRYABLE.includes(failure);
    this.http = options.http;
  }

  get exitCode(): number {
    return EXIT_CODES[this.failure];
  }

  /** The same error with something added: a further line, the next command where there is none yet, or a truer word. */
  with(more: { failure?: Failure; because?: readonly string[]; hint?: string | undefined }): RelayctlError {
    const hint = this.hint ?? more.hint;
    return new RelayctlError(more.failure ?? this.failure, this.message, {
      because: [...this.because, ...(more.because ?? [])],
      details: this.details,
      applied: this.applied,
      retryable: this.retryable,
      cause: this.cause,
      ...(hint !== undefined && { hint }),
      ...(this.http && { http: this.http }),
    });
  }
}

/** An error for everything wrong with what was typed; nothing was sent. */
export function usageError(problems: readonly Problem[], hint?: string): RelayctlError {
  const [first] = problems;
  const message = problems.length === 1 && first ? problemText(first) : `${problems.length} problems, nothing was sent`;
  return new RelayctlError("usage", message, { details: problems, ...(hint ? { hint } : {}) });
}

/** `--value 0.1: needs a unit …`, `unexpected argument "extra": this command takes no arguments` */
export function problemText({ where, given, rule }: Problem): string {
  if (where === "argument") return `unexpected argument "${given}": ${rule}`;
  return `${where}${given === undefined ? "" : ` ${given}`}: ${rule}`;
}

import { bulkFailure } from "../../client/bulk/run-all.ts";
import type { Call } from "../../command-support/call.ts";
import { withContextName } from "../../command-support/printing.ts";
import type { AnyCommand } from "../../commands/command.ts";
import { type Failure, problemText, RelayctlError } from "../../errors.ts";
import { isOutcome, type Message, messageText } from "../../message.ts";
import type { Ending, View } from "../../terminal/view.ts";
import { viewEnding } from "../print.ts";

interface EndInContext {
  name: string;
  /** False if an interrupt came first. */
  isStarted: boolean;
  error?: RelayctlError | undefined;
  /** Set for a write that changed nothing. */
  already?: true;
}

/** Failures of a complete check, which hide nothing of another context. */
const CHECKS: readonly Failure[] = ["unmet", "mismatch", "pending"];

function failureOfContexts(ends: readonly EndInContext[], interrupt: AbortSignal, writes: boolean) {
  const [only, ...others] = ends;
  // A pattern may select one context, as may a name given twice.
  if (others.length === 0 && only?.error && !interrupt.aborted) return only.error;
  const completed = ends.map(({ name, isStarted, error, already }) => ({
    id: name,
    ...(error && { error: withItsDetails(error) }),
    ...(isStarted && !error && { value: true }),
    ...(already && { already }),
  }));
  const failure = bulkFailure(completed, "contexts", interrupt, { writes });
  const [word, ...words] = new Set(ends.flatMap(({ error }) => error?.failure ?? []));
  const isCheck = word !== undefined && words.length === 0 && CHECKS.includes(word);
  return failure && isCheck && !interrupt.aborted ? failure.with({ failure: word }) : failure;
}

function withItsDetails(error: RelayctlError): RelayctlError {
  if (error.because.length > 0 || error.isSaid) return error;
  const problems = error.details.map(problemText).filter((text) => text !== error.message);
  return error.with({ because: error.summary ?? problems });
}

export type Endings = ReturnType<typeof createEndings>;

export interface EndingOptions {
  names: readonly string[];
  views: readonly InContext<View>[];
  interrupt: AbortSignal;
  writes: boolean;
  explain(name: string, error: RelayctlError): Promise<RelayctlError>;
}

export function createEndings({ names, views, interrupt, writes, explain }: EndingOptions) {
  const errors = new Map<string, RelayctlError>();
  const unchanged = new Set<string>();

  async function endingIn({ name, view }: InContext<View>): Promise<Ending> {
    try {
      const ending = await viewEnding(view);
      if (!ending.receipt) unchanged.add(name);
      if (ending.failure && !errors.has(name)) errors.set(name, ending.failure);
      return ending;
    } catch (error) {
      if (!(error instanceof RelayctlError)) throw error;
      if (!errors.has(name)) errors.set(name, error);
      return {};
    }
  }

  async function all(): Promise<Ending> {
    const each = await Promise.all(views.map(async (source) => ({ ...source, ending: await endingIn(source) })));
    const notes = each.flatMap(({ name, ending }) => (ending.notes ?? []).map((line) => withContextName(line, name)));
    const [receipt, ...receipts] = each.flatMap(({ name, ending }) =>
      ending.receipt ? [receiptIn(name, ending.receipt)] : [],
    );
    const ends = names.map(async (name): Promise<EndInContext> => {
      const error = errors.get(name);
      const already = writes && unchanged.has(name);
      const isStarted = error !== undefined || views.some((view) => view.name === name);
      return { name, isStarted, ...(error && { error: await explain(name, error) }), ...(already && { already }) };
    });
    const failure = failureOfContexts(await Promise.all(ends), interrupt, writes);
    const outlooks = each.flatMap(({ ending }) => ending.outlook ?? []);
    return {
      notes,
      ...(receipt && { receipt }),
      ...(receipts.length > 0 && { receipts }),
      next: each.flatMap(({ ending }) => ending.next ?? []),
      ...(outlooks.length > 0 && {
        outlook: async () => (await Promise.all(outlooks.map((outlook) => outlook()))).flat(),
      }),
      failure,
    };
  }

  return {
    failed: (name: string, error: RelayctlError) => void errors.set(name, error),
    hasFailed: (name: string) => errors.has(name),
    all,
  };
}

/** Returns a receipt whose lines show the context up to the outcome, which contains it, and belong to that below it. */
function receiptIn(name: string, lines: readonly Message[]): Message[] {
  const outcome = lines.findIndex((line) => isOutcome(line) || messageText(line).includes(` in ${name}`));
  return lines.map((line, index) =>
    isOutcome(line) || (outcome >= 0 && index > outcome) ? line : withContextName(line, name),
  );
}

export interface ContextRun {
  call: Call;
  names: readonly string[];
  file: AnyCommand;
  prepared: unknown;
  atOnce: number;
  explain(call: Call, error: RelayctlError): Promise<RelayctlError>;
}

export interface InContext<T extends View> {
  name: string;
  view: T;
}

import { inContextText } from "../../command-support/printing.ts";
import { RelayctlError } from "../../errors.ts";
import type { Ending, View } from "../../terminal/view.ts";
import { type EndInContext, failureOfContexts } from "./failure.ts";
import type { InContext } from "./in-context.ts";

export interface Endings {
  /** Records that a context could not be read, or that its write failed. */
  failed(name: string, error: RelayctlError): void;
  hasFailed(name: string): boolean;
  /** Returns the ending of all contexts, each with its own lines. */
  all(): Promise<Ending>;
}

export interface EndingOptions {
  /** All contexts in order, also those without a view. */
  names: readonly string[];
  views: readonly InContext<View>[];
  interrupt: AbortSignal;
  writes: boolean;
  /** Adds what helps to find the cause of an error in a context. */
  explain(name: string, error: RelayctlError): Promise<RelayctlError>;
}

export function createEndings({ names, views, interrupt, writes, explain }: EndingOptions): Endings {
  const errors = new Map<string, RelayctlError>();
  const unchanged = new Set<string>();

  async function endingIn({ name, view }: InContext<View>): Promise<Ending> {
    try {
      const ending = await endingOf(view);
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
    const notes = each.flatMap(({ name, ending }) => (ending.notes ?? []).map((line) => inContextText(line, name)));
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
      ...(failure && { failure }),
    };
  }

  return {
    failed: (name, error) => void errors.set(name, error),
    hasFailed: (name) => errors.has(name),
    all,
  };
}

async function endingOf(view: View): Promise<Ending> {
  if (view.kind === "list") return (await view.ending?.()) ?? {};
  return view.kind === "nothing" ? {} : view;
}

/** Returns a receipt whose lines show the context up to the outcome, which contains it, and belong to that below it. */
function receiptIn(name: string, lines: readonly string[]): string[] {
  const outcome = lines.findIndex((line) => line.includes(` in ${name}`));
  return lines.map((line, index) => (outcome >= 0 && index > outcome ? line : inContextText(line, name)));
}

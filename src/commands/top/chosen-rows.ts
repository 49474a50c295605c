import { textIn } from "../../contract/json.ts";
import { RelayctlError } from "../../errors.ts";
import { rankOf, stateOf } from "../../relayer-state/state.ts";
import { parseCondition, parseSort } from "../../terminal/select/condition.ts";
import type { DerivedField, ResourceView } from "../../terminal/view.ts";
import { derivedFrom, statusView } from "../../views/relayer-status/table.ts";
import { asRow, type Row, sourceOf, type TopState } from "./state.ts";

function combinedView({ sources }: TopState): ResourceView {
  const derivedBy = new Map(sources.map(({ name, seen }) => [name, derivedFrom(seen)]));
  const fields = Object.entries(statusView.derived ?? {}).map(([key, field]): [string, DerivedField] => [
    key,
    { ...field, value: (item, now) => derivedBy.get(asRow(item).context)?.[key]?.value(asRow(item), now) ?? null },
  ]);
  return { ...(statusView as unknown as ResourceView), derived: Object.fromEntries(fields) };
}

const CONDITION = /^\s*!|[=<>~]/;

/** Returns whether a row is shown with a filter: words match IDs, names, and networks, and all else is a condition. */
function compileFilter(state: TopState, filter: string): (row: Row) => boolean {
  const typed = filter.trim();
  if (typed === "") return () => true;
  if (!CONDITION.test(typed)) {
    const words = typed.toLowerCase().split(/\s+/);
    return ({ context, relayer: { id, name, network } }) => {
      const text = [id, textIn(name), textIn(network), context].join(" ").toLowerCase();
      return words.every((word) => text.includes(word));
    };
  }
  return parseCondition(typed, combinedView(state), state.now, "filter") as (row: Row) => boolean;
}

/** Returns why a filter cannot be used; undefined if it can. */
export function filterProblem(state: TopState, filter: string): string | undefined {
  try {
    compileFilter(state, filter);
    return undefined;
  } catch (error) {
    if (!(error instanceof RelayctlError)) throw error;
    return error.details[0]?.rule ?? error.message;
  }
}

/** Returns the rows that the filter lets through, sorted: by default the worst of all contexts first. */
export function chosenRows(state: TopState): readonly Row[] {
  const all = state.sources.flatMap(({ name, seen }) => seen.found.map((status) => ({ ...status, context: name })));
  const rows = all.filter(compileFilter(state, state.filter));
  const field = state.sorts[state.sort];
  if (field !== undefined) return parseSort(field, combinedView(state), state.now)(rows) as Row[];
  return rows.sort((one, other) => badness(state, other) - badness(state, one));
}

function badness(state: TopState, { context, relayer }: Row): number {
  const isJammed = stateOf(relayer) === "active" && sourceOf(state, context)?.jams.has(relayer.id);
  return (isJammed ? 0.5 : 0) - rankOf(relayer);
}

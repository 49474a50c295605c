import { appliedOf, type RecordedWrite } from "../../journal/writes.ts";
import { type Irreversible, type Reversal, reversalOf } from "./reversal.ts";

/** What an undo of a run is about, by the journal alone. */
interface Plan {
  /** The resources that the run changed. */
  reversals: readonly Reversal[];
  /** The writes that cannot be undone. */
  refused: readonly Irreversible[];
}

/** Returns how to undo the writes of a run that were or may have been applied. */
export function planOf(writes: readonly RecordedWrite[]): Plan {
  const found = writes.filter((write) => appliedOf(write) !== "no");
  const times = new Map<string, number>();
  for (const { intent } of found) times.set(intent.target, (times.get(intent.target) ?? 0) + 1);
  const results = found.map((write) => {
    const result = reversalOf(write);
    return times.get(write.intent.target) === 1
      ? result
      : { id: result.id, because: "the run changed it more than once" };
  });
  return {
    reversals: results.flatMap((result) => ("because" in result || result.changes.length === 0 ? [] : [result])),
    refused: results.flatMap((result) => ("because" in result ? [result] : [])),
  };
}

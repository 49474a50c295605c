import { appliedOf, type RecordedWrite } from "../../journal/writes.ts";
import { type Irreversible, type Reversal, reversalOf } from "./reversal.ts";

export interface UndoPlan {
  /** The resources that the run changed; none if the run cannot be undone, not even in part. */
  reversals: readonly Reversal[];
  refused: readonly Irreversible[];
  /** The number of cancellations of a freeze, which stay when its pauses are undone. */
  stayingCanceled: number;
}

export function planOf(writes: readonly RecordedWrite[]): UndoPlan {
  const applied = writes.filter((write) => appliedOf(write) !== "no");
  const found = undoableOf(applied);
  const stayingCanceled = applied.length - found.length;
  const times = new Map<string, number>();
  for (const { intent } of found) times.set(intent.target, (times.get(intent.target) ?? 0) + 1);
  const results = found.map((write) => {
    const result = reversalOf(write);
    const isOwnReason = "because" in result || times.get(write.intent.target) === 1;
    return isOwnReason ? result : { id: result.id, because: "the run changed it more than once" };
  });
  const reversals = results.flatMap((result) => ("because" in result || result.changes.length === 0 ? [] : [result]));
  const refused = results.flatMap((result) => ("because" in result ? [result] : []));
  if (reversals.length + refused.length === 0)
    return { reversals, refused: [{ id: "run", because: NOTHING_CHANGED }], stayingCanceled };
  const others = reversals.filter(({ noun }) => noun !== "relayers");
  if (others.length === 0 || reversals.length + refused.length === 1) return { reversals, refused, stayingCanceled };
  const several = others.map(({ id }) => ({ id, because: SEVERAL }));
  return { reversals: [], refused: [...refused, ...several], stayingCanceled };
}

/**
 * Returns the writes that an undo of their run is about. A run that patched relayers and canceled transactions is a
 * freeze: only its patches are, since it was said before the freeze that its cancellations are final.
 */
export function undoableOf(writes: readonly RecordedWrite[]): readonly RecordedWrite[] {
  const hasPatch = writes.some(({ intent }) => intent.operation === "relayers.update");
  return hasPatch ? writes.filter(({ intent }) => intent.operation !== "tx.cancel") : writes;
}

/** Why a run that left everything as it was cannot be undone. */
export const NOTHING_CHANGED = "it changed nothing";
const SEVERAL = "several resources other than relayers cannot be undone as one";

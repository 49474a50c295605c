import { nextWords, receiptWords } from "../../../command-support/receipt-words.ts";
import type { Session } from "../../../command-support/session/session.ts";
import { grouped } from "../../../contract/decimal.ts";
import type { Ending } from "../../../terminal/view.ts";
import type { EndedStep } from "./outcome.ts";

const DONE = { create: "created", update: "changed", delete: "deleted" } as const;

/** Returns the receipt of an apply: what was done, notes about single changes, and the command that undoes them all. */
export function applyReceipt(ended: readonly EndedStep[], session: Session): Omit<Ending, "failure"> {
  const applied = ended.filter(({ outcome }) => outcome.kind === "applied");
  const parts = (Object.keys(DONE) as (keyof typeof DONE)[]).flatMap((action) => {
    const count = applied.filter(({ step }) => step.change.action === action).length;
    return count === 0 ? [] : [`${grouped(count)} ${DONE[action]}`];
  });
  const others = OTHERS.flatMap(([kind, words]) => {
    const count = ended.filter(({ outcome }) => outcome.kind === kind).length;
    return count === 0 ? [] : [`${grouped(count)} ${words}`];
  });
  const notes = ended.flatMap(stepNotes);
  const counts = [...parts, ...others].join(", ");
  if (applied.length === 0) return { notes: [...notes, ...(counts === "" ? [] : [`in ${session.name}: ${counts}`])] };
  return {
    receipt: [...notes, receiptWords.applied(session.name, counts)],
    next: undoLines(applied, session),
  };
}

const OTHERS = [
  ["skipped", "skipped"],
  ["disabled", "skipped (disabled)"],
  ["already", "already as planned"],
] as const;

function stepNotes({ step: { key }, outcome }: EndedStep): string[] {
  if (outcome.kind !== "applied" && outcome.kind !== "already") return [];
  const { lost, notes } = outcome.end;
  const proven = `warning: ${key}: ${lost}; reading it back from the service proved that it was applied`;
  return [...(lost === undefined ? [] : [proven]), ...notes.map((note) => `note: ${key}: ${note}`)];
}

/** Several resources that are not relayers cannot be undone as one, and what was created or deleted stays so. */
function undoLines(applied: readonly EndedStep[], session: Session): string[] {
  const run = session.recordedRun();
  if (run === undefined) return [];
  const [only, ...more] = applied.map(({ step }) => step);
  const isUndoable = ({ change, referred }: EndedStep["step"]) => change.action === "update" && referred.size === 0;
  const isRelayers = applied.every(({ step }) => step.change.noun === "relayers");
  const canUndo = applied.every(({ step }) => isUndoable(step)) && (isRelayers || (only && more.length === 0));
  const pasted = session.pasteable(canUndo ? ["undo", run] : ["history", "show", run]);
  if (!("line" in pasted)) return [];
  return [canUndo ? nextWords.undo(pasted.line) : nextWords.see(pasted.line)];
}

import type { App } from "../../app.ts";
import { pasteable } from "../../command-support/shell/spelled.ts";
import { appliedOf, type RecordedWrite } from "../../journal/writes.ts";
import { NOTHING_CHANGED, planOf, type UndoPlan } from "../undo/plan.ts";
import { resourceOf } from "../undo/reversal.ts";
import { undoneBy } from "../undo/undone.ts";
import { withIds } from "../undo-line.ts";
import { transactionOf } from "./item.ts";

/** What undoes a write, follows its transaction, or settles it; why nothing does; or the run that undid it. */
export type Next = { label: Label; command: string } | { because: string } | { undoneBy: string };

type Label = "undo" | "follow" | "settle";

type Step = { label: Label; words: readonly string[] } | { because: string };

/** Returns the step after a write; undefined if there is none. */
export type NextOf = (write: RecordedWrite) => Next | undefined;

/**
 * Returns the steps after the writes of a run.
 * @param run all writes of the run, since they are undone as one
 * @param undos the later writes that undo others, newest first
 */
export function nextStepsOf(
  run: readonly RecordedWrite[],
  undos: readonly RecordedWrite[],
  app: Pick<App, "env" | "secrets">,
): NextOf {
  const plan = planOf(run);
  return (write) => {
    const undo = undoneBy(write, undos);
    if (undo) return { undoneBy: undo.intent.run };
    const found = stepAfter(write, plan);
    if (!found || "because" in found) return found;
    const line = pasteable([...targetWords(write), ...found.words], app);
    return "line" in line ? { label: found.label, command: line.line } : line;
  };
}

function stepAfter(write: RecordedWrite, { reversals, refused }: UndoPlan): Step | undefined {
  const { intent, outcome } = write;
  const applied = appliedOf(write);
  if (applied === "unknown") return { label: "settle", words: ["history", "settle"] };
  if (applied === "no") return undefined;
  const transaction = transactionOf(write);
  const { relayer_id: relayer } = intent.ids;
  if (transaction !== undefined && typeof relayer === "string")
    return { label: "follow", words: ["tx", "get", ...withIds([], [relayer, transaction])] };
  const created = intent.kind === "create" ? outcome?.after?.id : undefined;
  const [noun = ""] = intent.operation.split(".");
  if (typeof created === "string" && created !== "-")
    return { label: "undo", words: [noun, "delete", ...withIds([], [created])] };
  const id = resourceOf(intent);
  const refusal = refused.find((each) => each.id === id);
  if (refusal) return { because: refusal.because };
  if (!reversals.some((each) => each.id === id)) return { because: NOTHING_CHANGED };
  return { label: "undo", words: ["undo", intent.run, ...(refused.length > 0 ? ["--partly"] : [])] };
}

function targetWords({ intent: { context } }: RecordedWrite): readonly string[] {
  if (context === "demo") return ["--demo"];
  return typeof context === "string" && context !== "" && !context.startsWith("-") ? ["-c", context] : [];
}

import type { JsonObject, JsonValue } from "../../contract/json.ts";
import { applyOutcomeReason, applyOutcomeWord, type EndedStep } from "../../fleet/apply/outcome.ts";
import type { ImpossibleChange } from "../../fleet/plan.ts";
import { type Cell, type ResourceView, type Tone, toCell, toColumn, viewPlainFields } from "../../terminal/view.ts";

const FIELDS = ["action", "noun", "id", "outcome", "applied", "members", "error", "reason"] as const;

type AppliedRow = Record<(typeof FIELDS)[number], JsonValue>;

const TONES: Readonly<Record<string, Tone>> = {
  applied: "good",
  already: "faint",
  failed: "bad",
  unknown: "bad",
  mismatch: "bad",
};

/** One row for each change of the plan, and for each resource that can't be changed. */
export const appliedView: ResourceView = {
  one: "change",
  many: "changes",
  table: [
    toColumn("action", "action"),
    toColumn("noun", "noun"),
    { ...toColumn("id", "id"), worth: "always" },
    { header: "outcome", cell: ({ outcome }) => outcomeCell(outcome), reads: ["outcome"], worth: "always" },
    { header: "fields", cell: ({ members }) => toCell(joinList(members)), reads: ["members"] },
  ],
  ...viewPlainFields(FIELDS),
};

function outcomeCell(outcome: JsonValue | undefined): Cell {
  const word = String(outcome);
  return { text: word.replace("_", " "), tone: TONES[word] ?? "warn" };
}

function joinList(members: JsonValue | undefined): JsonValue {
  return Array.isArray(members) ? members.join(", ") : null;
}

export function applyStepRow(ended: EndedStep): JsonObject & AppliedRow {
  const { step, outcome } = ended;
  const { action, noun, id, members } = step.change;
  const error = outcome.kind === "failed" ? outcome.error : undefined;
  const applied = outcome.kind === "applied" ? "yes" : (error?.applied ?? "no");
  return {
    ...{ action, noun, id, outcome: applyOutcomeWord(ended), applied },
    members: members.map(({ path }) => path),
    error: error?.failure ?? (outcome.kind === "disabled" ? "conflict" : null),
    reason: applyOutcomeReason(outcome) ?? null,
  };
}

export function applyImpossibleRow([first, ...more]: readonly [ImpossibleChange, ...ImpossibleChange[]]): JsonObject &
  AppliedRow {
  const { noun, id } = first;
  const all = [first, ...more];
  return {
    ...{ action: null, noun, id, outcome: "cannot", applied: "no" },
    members: all.map(({ path }) => path).filter((path) => path !== ""),
    error: "conflict",
    reason: [...new Set(all.map(({ reason }) => reason))].join("; "),
  };
}

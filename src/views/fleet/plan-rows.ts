import type { JsonValue } from "../../contract/json.ts";
import type { Plan, PlannedChange } from "../../fleet/plan.ts";
import { type ResourceView, toColumn, viewPlainFields } from "../../terminal/view.ts";

const FIELDS = ["action", "noun", "id", "path", "before", "after", "at", "reason"] as const;

type DifferenceRow = Record<(typeof FIELDS)[number], JsonValue>;

/** One row for each differing member, and one for each deletion. */
export const differenceView: ResourceView = {
  one: "difference",
  many: "differences",
  table: FIELDS.map((field) => toColumn(field, field)),
  ...viewPlainFields(FIELDS),
  hasMarkdown: true,
};

export function planDifferenceRows({ changes, cannot }: Plan): DifferenceRow[] {
  return [
    ...changes.flatMap(changeRows),
    ...cannot.map(
      ({ noun, id, path, before, after, at, reason }): DifferenceRow => ({
        action: "cannot",
        ...{ noun, id, path: path === "" ? null : path, before, after, at: at ?? null, reason },
      }),
    ),
  ];
}

function changeRows({ action, noun, id, members, at }: PlannedChange): DifferenceRow[] {
  const row: DifferenceRow = { action, noun, id, path: null, before: null, after: null, at: at ?? null, reason: null };
  if (members.length === 0) return [row];
  return members.map((member) => {
    const { path, before, after } = member;
    return { ...row, path, before, after, at: member.at ?? row.at };
  });
}

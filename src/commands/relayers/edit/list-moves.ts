import { isJsonObject, type JsonValue } from "../../../contract/json.ts";
import type { ListField } from "../../../contract/policy.ts";
import type { Choice } from "../../../terminal/prompts.ts";
import { clearChoices, disabledBy, leaveChoice } from "./choices.ts";
import type { Subject } from "./draft.ts";
import { shownValue } from "./shown-value.ts";

/** What can be done to a list next. */
export type ListMove = "done" | "add" | "change" | "remove" | "empty" | "clear";

/** @param list as it is by now; null while it is unset */
export function listMoves(subject: Subject, field: ListField, list: readonly JsonValue[] | null): Choice<ListMove>[] {
  const isFull = field.words?.every((word) => list?.includes(word)) ?? false;
  const hasEntries = list !== null && list.length > 0;
  return [
    {
      value: "done",
      name: list === subject.now ? leaveChoice(subject).name : `done: ${shownValue([...(list ?? [])], field)}`,
    },
    ...(isFull ? [] : [{ value: "add" as const, name: "add" }]),
    ...(list?.some(isJsonObject) ? [{ value: "change" as const, name: "change one" }] : []),
    ...(hasEntries ? [{ value: "remove" as const, name: "remove one" }] : []),
    ...emptyChoice(subject, field, hasEntries),
    ...clearChoices(subject).map((choice) => ({ ...choice, value: "clear" as const })),
  ];
}

/** No entries at all is another thing than an unset list, where it means something of its own. */
function emptyChoice({ now, broken }: Subject, field: ListField, hasEntries: boolean): Choice<ListMove>[] {
  const { empty } = field;
  const isItsOwn = empty !== undefined && !("unset" in field && field.unset === empty);
  if (!hasEntries && (!isItsOwn || now !== null)) return [];
  const name = hasEntries ? "remove all" : "set an empty list";
  return [{ value: "empty", name: empty === undefined ? name : `${name}: ${empty}`, ...disabledBy(broken([])) }];
}

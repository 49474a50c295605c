import type { Answer } from "../../../client/answer.ts";
import type { Relayer } from "../../../contract/relayer.ts";
import type { Landed } from "../../../flow/bulk/run.ts";
import { receiptOf } from "../../../flow/perform.ts";
import type { Session } from "../../../flow/session.ts";
import { changeText } from "../change-text.ts";
import { changesOf } from "../changes.ts";
import { countOf } from "./consent.ts";
import type { Target } from "./targets.ts";
import { manyUndo } from "./undo.ts";

/** What came of one relayer: the answer, or what it was already. */
export type Changed = Answer<Relayer> & { already?: true };

/** So many changes are told in the line itself. */
const MOST_TOLD = 3;

/** What was applied to how many, in short, what is to be known of single ones, and the command that takes it back. */
export function manyReceipt(
  landed: readonly Landed<Changed>[],
  targets: readonly Target[],
  session: Session,
): readonly string[] {
  const values = landed.flatMap(({ id, value }) => (value ? [{ id, value }] : []));
  const changed = new Map(values.flatMap(({ id, value }) => (value.already ? [] : [[id, value.data]])));
  const applied = targets.flatMap((target) => {
    const after = changed.get(target.id);
    return after ? [{ ...target, after }] : [];
  });
  const already = values.length - applied.length;
  const notes = values.flatMap(({ id, value }) => receiptOf(value, []).map((line) => `${id}: ${line}`));
  const count = applied.length < landed.length ? `${applied.length} of ${countOf(landed)}` : countOf(landed);
  const words = `${count}${inShort(applied)}${already > 0 ? `, ${already} as asked already` : ""}`;
  return [...notes, `applied in ${session.name}: ${words}`, ...manyUndo(applied, session)];
}

/** ` gas_price_cap → 55 gwei`: what is new of each. Many changes are counted; of each kind of network there may be others. */
function inShort(targets: readonly Target[]): string {
  const texts = new Set<string>();
  for (const { body, before } of new Map(targets.map((target) => [target.body, target])).values()) {
    for (const change of changesOf(body, undefined)) {
      const { label, change: text } = changeText(change, before ?? {}, false);
      texts.add(`${label} ${text}`);
    }
  }
  if (texts.size > MOST_TOLD) return `, ${texts.size} changes`;
  return texts.size === 0 ? "" : ` ${[...texts].join(", ")}`;
}

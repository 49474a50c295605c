import type { Answer } from "../../../client/answer.ts";
import type { Relayer } from "../../../contract/relayer.ts";
import type { Landed } from "../../../flow/bulk/run.ts";
import { receiptOf } from "../../../flow/perform.ts";
import { changeText } from "../change-text.ts";
import { changesOf } from "../changes.ts";
import { countOf } from "./consent.ts";
import type { Target } from "./targets.ts";

/** What came of one relayer: the answer, or what it was already. */
export type Changed = Answer<Relayer> & { already?: true };

/** So many changes are told in the line itself. */
const MOST_TOLD = 3;

/** What was applied to how many, in short, and what is to be known of single ones. */
export function manyReceipt(landed: readonly Landed<Changed>[], targets: readonly Target[], name: string): string[] {
  const values = landed.flatMap(({ id, value }) => (value ? [{ id, value }] : []));
  const applied = new Set(values.flatMap(({ id, value }) => (value.already ? [] : id)));
  const already = values.length - applied.size;
  const notes = values.flatMap(({ id, value }) => receiptOf(value, []).map((line) => `${id}: ${line}`));
  const count = applied.size < landed.length ? `${applied.size} of ${countOf(landed)}` : countOf(landed);
  const changes = inShort(targets.filter(({ id }) => applied.has(id)));
  return [...notes, `applied in ${name}: ${count}${changes}${already > 0 ? `, ${already} as asked already` : ""}`];
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

import type { Receipt } from "../../../command-support/perform.ts";
import type { Session } from "../../../command-support/session/session.ts";
import type { JsonObject } from "../../../contract/json.ts";
import type { Relayer } from "../../../contract/resources/relayer.ts";
import { undoLine } from "../../undo-line.ts";
import { type ChangeContext, changeLines, changeText } from "./change-text.ts";
import { type Change, changesOf } from "./changes.ts";
import { undoOf } from "./undo.ts";

interface Updated {
  before: Relayer | undefined;
  after: Relayer;
  /** Of the coin of its network, where that is known. */
  symbol: string | undefined;
}

/** What was applied, old beside new where the old is known, and the command that takes it back or why there is none. */
export function updateReceipt(
  id: string,
  body: JsonObject,
  { before, after, symbol }: Updated,
  session: Session,
): Receipt {
  const changes = changesOf(body, before);
  const told = changesReceipt(id, changes, { relayer: after, symbol, known: before !== undefined });
  const receipt = { ...told, applied: `applied in ${session.name}: ${told.applied}` };
  if (!before || changes.length === 0) return receipt;
  return { ...receipt, next: undoLine(undoOf(changes, after, symbol), session, "relayers", "update", id) };
}

/** One change stands in the line itself, several under it. */
function changesReceipt(id: string, changes: readonly Change[], changeContext: ChangeContext): Receipt {
  const [first] = changes;
  if (!first) return { applied: `${id} as it was` };
  const { label, change, entries } = changeText(first, changeContext);
  if (changes.length === 1 && entries.length === 0) return { applied: `${id} ${label} ${change}` };
  const count = changes.length === 1 ? "1 change" : `${changes.length} changes`;
  return { applied: `${count} to ${id}`, details: changeLines(changes, changeContext) };
}

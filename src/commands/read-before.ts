import { ifRouted } from "../client/read-named.ts";
import type { ApiResult } from "../client/request.ts";
import type { Call } from "../command-support/call.ts";
import type { Receipt } from "../command-support/prepared-write.ts";
import { canPrompt } from "../command-support/prompting/prompts.ts";
import type { DiffFlag } from "../command-support/shown.ts";
import type { JsonObject } from "../contract/json.ts";
import { receiptUndoLine, receiptWords, type Undo } from "../session/receipt-words.ts";
import type { Session } from "../session/session.ts";

/** Reads if a terminal is attached or with `--diff`; undefined, with a note, without a route. */
export async function readBefore<T extends JsonObject>(
  call: Call<DiffFlag>,
  id: string,
  resources: { get(id: string, options: { byRoute: true }): Promise<ApiResult<T>> },
): Promise<ApiResult<T> | undefined> {
  if (!showsBefore(call)) return undefined;
  const found = await ifRouted(resources.get(id, { byRoute: true }), id);
  if (!found && call.flags.diff)
    await call.say({ note: `this service cannot return ${id} by itself; its current values are unknown` });
  return found;
}

export function showsBefore({ flags, app, common }: Call<DiffFlag>): boolean {
  return flags.diff === true || canPrompt(app, common);
}

export interface ResourceChange<T extends JsonObject> {
  id: string;
  body: JsonObject;
  /** Replaces `readBefore`. */
  read?: () => Promise<ApiResult<T>>;
}

export function receiptWithBefore(
  session: Session,
  noun: "notifications" | "plugins",
  id: string,
  { texts, undo }: { texts: readonly string[]; undo: Undo | undefined },
): Receipt {
  const applied = receiptWords.changed(session.name, id, texts.join(", ") || receiptWords.unchanged);
  return undo && texts.length > 0 ? { applied, next: receiptUndoLine(undo, session, noun, "update", id) } : { applied };
}

export function alreadySetNote(id: string): string {
  return `${id}: already set`;
}

import type { App } from "../../../app.ts";
import type { ApiResult } from "../../../client/api-result.ts";
import type { Relayer } from "../../../contract/resources/relayer.ts";
import { RelayctlError } from "../../../errors.ts";
import type { View } from "../../../terminal/view.ts";
import { symbolFor } from "../../coins/symbol-for.ts";
import type { Call } from "../../command.ts";
import { disabledNote } from "../edit/disabled-note.ts";
import { type EditFlags, sendEdit } from "../edit/send-edit.ts";
import { documentOf } from "./document.ts";
import { type Edit, editLoop, isBlank } from "./edit-loop.ts";
import { readDocument } from "./read-document.ts";

/** Changes a relayer in the user's editor, and sends the differences. */
export async function editInEditor(call: Call<EditFlags>, before: ApiResult<Relayer>): Promise<View> {
  const { name, flags, pausing } = await call.session();
  const relayer = before.data;
  for (const line of disabledNote(relayer, flags)) await call.say(line);
  const symbol = await symbolFor(call, relayer);
  const original = call.app.secrets.masked(documentOf(relayer, name, symbol));
  return await keepingFile(call.app, relayer.id, (edit) =>
    editLoop(
      original,
      (text) => pausing(edit(text)),
      (text) => readDocument(text, original, { relayer, symbol }),
      (patch = {}) => sendEdit(call, before, patch),
    ),
  );
}

/** Provides a file for an editor. It is removed afterwards, unless something failed: then the typed text is kept. */
async function keepingFile<T>(app: App, name: string, use: (edit: Edit) => Promise<T>): Promise<T> {
  const file = await app.editorFile(name);
  let typed: string | undefined;
  const edit: Edit = async (text) => {
    typed = await file.edit(text);
    return typed;
  };
  try {
    const result = await use(edit);
    await file.remove();
    return result;
  } catch (error) {
    if (!isWorthKeeping(error, typed)) {
      await file.remove();
      throw error;
    }
    const kept = `the file is kept: ${file.path}`;
    throw error instanceof RelayctlError ? error.with({ because: [kept] }) : error;
  }
}

/** Returns whether the typed text is worth keeping: not if the editor never opened, or the file is empty. */
function isWorthKeeping(error: unknown, typed: string | undefined): boolean {
  if (typed === undefined) return !(error instanceof RelayctlError && error.failure === "usage");
  return !isBlank(typed);
}

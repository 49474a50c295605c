import type { ApiResult } from "../../../client/api-result.ts";
import type { Relayer } from "../../../contract/resources/relayer.ts";
import type { View } from "../../../terminal/view.ts";
import { symbolFor } from "../../coins/symbol-for.ts";
import type { Call } from "../../command.ts";
import { disabledNote } from "../edit/disabled-note.ts";
import type { EditFlags } from "../edit/flags.ts";
import { sendEdit } from "../edit/send-edit.ts";
import { documentOf } from "./document.ts";
import { editLoop } from "./edit-loop.ts";
import { keepingFile } from "./keeping-file.ts";
import { readDocument } from "./read-document.ts";

/** Changes a relayer in the person's own editor, and sends what is different afterwards. */
export async function editInEditor(call: Call<EditFlags>, before: ApiResult<Relayer>): Promise<View> {
  const { name, flags, pausing } = await call.session();
  const relayer = before.data;
  for (const line of disabledNote(relayer, flags)) await call.say(line);
  const symbol = await symbolFor(call, relayer);
  const original = documentOf(relayer, name, symbol);
  return await keepingFile(call.app, relayer.id, (edit) =>
    editLoop(
      original,
      (text) => pausing(edit(text)),
      (text) => readDocument(text, original, { relayer, symbol }),
      (patch = {}) => sendEdit(call, before, patch),
    ),
  );
}

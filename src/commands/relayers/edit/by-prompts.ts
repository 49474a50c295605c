import { messageWriter } from "../../../command-support/printing.ts";
import type { JsonObject } from "../../../contract/json.ts";
import type { Relayer } from "../../../contract/resources/relayer.ts";
import { cell } from "../../cells.ts";
import { symbolFor } from "../../coins/symbol-for.ts";
import type { Call } from "../../command.ts";
import { notificationChoices } from "../../notifications/choices.ts";
import { stateCell } from "../state.ts";
import { networkCell } from "../view.ts";
import { disabledNote } from "./disabled-note.ts";
import { relayerDraft } from "./draft.ts";
import { type Interview, partChoices } from "./interview.ts";
import { inOrder, type Part, partsOf } from "./part.ts";
import { askPart } from "./prompts/part.ts";
import { newlyMissing, partAround } from "./validate-merged.ts";

/**
 * Returns the relayer as edited by the user, who selects the parts to change and is prompted for each.
 * @param keep called with the relayer after each input
 */
export async function editedByPrompts(
  call: Call,
  relayer: Relayer,
  keep: (edited: JsonObject) => void,
): Promise<Relayer> {
  const { name, flags } = await call.session();
  const prompts = await call.app.prompts();
  const say = messageWriter(call.app, { color: call.common.color });
  for (const line of [stateLine(relayer, name), ...disabledNote(relayer, flags)]) await say(line);
  const parts = partsOf(relayer, await symbolFor(call, relayer));
  const marked = await prompts.checkbox("What do you want to change?", partChoices(parts, relayer));
  const isAsked = marked.some(({ field }) => field.type === "notification");
  const notifications = isAsked ? await notificationChoices(call) : [];
  const interview = await interviewOf(call, notifications);
  return await interviewed(interview, relayer, marked, keep);
}

export async function interviewOf(call: Call, notifications: Interview["notifications"] = []): Promise<Interview> {
  const interview: Interview = {
    prompts: await call.app.prompts(),
    say: messageWriter(call.app, { color: call.common.color }),
    notifications,
    ask: async (draft, parts) => {
      let changed = draft;
      for (const part of inOrder(parts, draft.value)) changed = await askPart(interview, changed, part);
      return changed;
    },
  };
  return interview;
}

/**
 * Prompts for the selected parts, and then for values that they make necessary.
 * @param keep called with the relayer after each input
 */
export async function interviewed(
  interview: Interview,
  relayer: Relayer,
  marked: readonly Part[],
  keep: (edited: JsonObject) => void,
): Promise<Relayer> {
  let draft = await interview.ask(relayerDraft(relayer, keep), marked);
  for (let [gap] = newlyMissing(relayer, draft.value); gap; [gap] = newlyMissing(relayer, draft.value)) {
    await interview.say(`  ${gap.path}: ${gap.rule}`);
    draft = await interview.ask(draft, [partAround(relayer, gap)]);
  }
  return { ...draft.value, id: relayer.id };
}

function stateLine(relayer: Relayer, context: string): string {
  const { id, name } = relayer;
  return [id, cell(name).text, networkCell(relayer).text, stateCell(relayer).text, context].join(" · ");
}

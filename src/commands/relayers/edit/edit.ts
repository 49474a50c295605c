import { validateId } from "../../../command-support/ids.ts";
import { whyNoPrompt } from "../../../command-support/prompting/prompts.ts";
import { unsentError } from "../../../errors.ts";
import { commandLine } from "../../../shell/shell-words.ts";
import { relayerView } from "../../../views/relayer.ts";
import { relayerPartsPatch } from "../../../views/relayer-parts.ts";
import { type Call, createCommand } from "../../command.ts";
import { relayerArgument } from "../../resource-arguments.ts";
import { editByPrompts } from "./by-prompts.ts";
import { type EditFlags, equalEntered, sendEdit } from "./send-edit.ts";

export const relayersEdit = createCommand({
  summary: "Edit a relayer at prompts or in your editor",
  sends: "patch",
  ends: { conflict: "disabled, or changed in the meantime" },
  args: [{ ...relayerArgument, description: "Relayer ID" }],
  examples: [
    "relayctl relayers edit eth-main-1",
    "relayctl relayers edit sol-pay --dry-run",
    "relayctl relayers edit xlm-treasury --editor",
  ],
  variables: ["VISUAL", "EDITOR", "RELAYCTL_ACCESSIBLE"],
  resource: relayerView,
  readsFirst: true,
  description:
    "Edit a relayer at prompts: select the fields to change, then enter each new value. The changes are shown before they are sent.",
  define: (command) =>
    command.optionsGroup("Request").option("--editor", "Edit the relayer as JSON with comments in $VISUAL or $EDITOR"),
  async prepare({ args: [id = ""] }, problems) {
    if (id === "-") problems.add("<id>", "cannot come from stdin, which the prompts read");
    else validateId(problems, "<id>", id);
    return id;
  },
  async run(call, id) {
    refuseAbsent(call, id);
    const { client } = await call.session();
    const before = await client.relayers.get(id);
    if (call.flags.editor) return await (await import("../editor/edit-in-editor.ts")).editInEditor(call, before);
    const enter = await equalEntered(call, before.data);
    const after = await editByPrompts(call, before.data, (edited) => enter(relayerPartsPatch(before.data, edited)));
    return await sendEdit(call, before, relayerPartsPatch(before.data, after));
  },
});

function refuseAbsent({ app, common, flags }: Call<EditFlags>, id: string): void {
  const why = whyNoPrompt(app, common);
  if (why === undefined) return;
  const needs = flags.editor ? "opens an editor" : "prompts for values";
  throw unsentError("declined", `relayers edit ${needs}, but ${why}`, {
    hint: commandLine("relayers", "update", id, "--help"),
  });
}

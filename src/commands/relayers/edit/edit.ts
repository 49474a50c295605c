import type { Command } from "commander";
import { RelayctlError } from "../../../errors.ts";
import { judgeId } from "../../../flow/ids.ts";
import { personPresent } from "../../../flow/person.ts";
import type { Problems } from "../../../flow/problems.ts";
import type { View } from "../../../terminal/view.ts";
import type { Call, CommandFile } from "../../command.ts";
import { relayerOperand } from "../operand.ts";
import { relayerView } from "../view.ts";
import { patchBetween } from "./patch-between.ts";
import { sendEdit } from "./send-edit.ts";

/** `relayctl relayers edit <id>`: reads the relayer, lets a person change it, and sends what is different afterwards. */
export const relayersEdit: CommandFile<object, string> = {
  summary: "change a relayer by answering questions",
  sends: "patch",
  ends: { conflict: "disabled, or changed meanwhile" },
  operands: [{ ...relayerOperand, description: "the relayer's id" }],
  examples: [
    "relayctl relayers edit eth-main-1",
    "relayctl relayers edit sol-pay --dry-run",
    "relayctl relayers edit xlm-treasury --curl",
  ],
  resource: relayerView,
  readsFirst: true,
  define: (command: Command) => {
    command.description(
      "Change a relayer by answering questions: which parts, then each in turn. What changes is shown before it is sent.",
    );
  },
  prepare,
  run,
};

async function prepare({ operands: [id = ""] }: Call, problems: Problems): Promise<string> {
  if (id === "-") problems.add("<id>", "cannot come from stdin: the answers are typed there");
  else judgeId(problems, "<id>", id);
  return id;
}

async function run(call: Call, id: string): Promise<View> {
  refuseAbsent(call, id);
  const { client } = await call.session();
  const before = await client.relayers.get(id);
  const { editedByPrompts } = await import("./by-prompts.ts");
  const after = await editedByPrompts(call, before.data);
  return await sendEdit(call, before, patchBetween(before.data, after));
}

/** @throws RelayctlError declined, before anything is read */
function refuseAbsent({ app, common }: Call, id: string): void {
  if (personPresent(app, common)) return;
  throw new RelayctlError("declined", "relayers edit asks questions, and nobody is here to answer them", {
    because: ["nothing was sent"],
    hint: `relayctl relayers update ${id} --help`,
  });
}

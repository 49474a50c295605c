import type { Call } from "../../command-support/call.ts";
import { idProblem } from "../../contract/id.ts";
import type { Signer } from "../../contract/resources/signer.ts";
import { listed } from "../../session/listed.ts";
import type { Choice } from "../../terminal/prompts.ts";
import type { Argument } from "../command.ts";
import { choiceRows } from "../flags/choice-rows.ts";

export const signerArgument: Argument = {
  name: "<id>",
  description: "Signer ID (`-` reads one line from stdin)",
  noun: "signer",
  choices: signerChoices,
  problem: idProblem,
};

export async function signerChoices(call: Call): Promise<readonly Choice<string>[]> {
  const { client } = await call.session();
  const signers = await listed<Signer>(client.signers.list());
  return choiceRows(signers.map(({ id, type }) => ({ value: id, about: [type] })));
}

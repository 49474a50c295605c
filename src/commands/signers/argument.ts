import { idProblem } from "../../contract/id.ts";
import type { Argument } from "../command.ts";

export const signerArgument: Argument = {
  name: "<id>",
  description: "Signer ID (`-` reads one line from stdin)",
  noun: "signer",
  choices: async (call) => (await import("./choices.ts")).signerChoices(call),
  problem: idProblem,
};

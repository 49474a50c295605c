import { idProblem } from "../../contract/id.ts";
import type { Operand } from "../operand.ts";

/** The signer that a command is about. */
export const signerOperand: Operand = {
  name: "<id>",
  description: "Signer ID (`-` reads one line from stdin)",
  noun: "signer",
  choices: async (call) => (await import("./choices.ts")).signerChoices(call),
  problem: idProblem,
};

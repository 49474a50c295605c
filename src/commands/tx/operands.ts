import { idProblem } from "../../contract/id.ts";
import type { Operand } from "../operand.ts";
import { relayerOperand } from "../relayers/operand.ts";

/** A transaction by its relayer and its own id. */
export const transactionOperands: readonly Operand[] = [
  { ...relayerOperand, name: "<relayer-id>", description: "the relayer that sent it" },
  {
    name: "<tx-id>",
    description: "the transaction's id, or - for one line of stdin",
    noun: "transaction",
    choices: async (call) => (await import("./choices.ts")).transactionChoices(call),
    problem: idProblem,
  },
];

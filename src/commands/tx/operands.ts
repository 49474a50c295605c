import { idProblem } from "../../contract/id.ts";
import type { Operand } from "../operand.ts";
import { relayerOperand } from "../relayers/operand.ts";

/** The relayer whose transactions a command is about. */
export const senderOperand: Operand = {
  ...relayerOperand,
  name: "<relayer-id>",
  description: "Relayer ID (`-` reads one line from stdin)",
};

export const transactionOperand: Operand = {
  name: "<tx-id>",
  description: "Transaction ID (`-` reads one line from stdin)",
  noun: "transaction",
  choices: async (call) => (await import("./choices.ts")).transactionChoices(call),
  problem: idProblem,
};

/** A transaction by its relayer and its own id, to be chosen from those with which this can still be done. */
export function pendingOperands(act: "replaced" | "cancelled"): readonly Operand[] {
  return [
    { ...senderOperand, description: "ID of the relayer that sent the transaction" },
    { ...transactionOperand, choices: async (call) => (await import("./choices.ts")).pendingChoices(call, act) },
  ];
}
